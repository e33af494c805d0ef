package reports

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/internal/result"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sample has one row of each sort: with a record, per-block figure, measured only, contended.
func sample() []result.Row {
	row := func(kernel, cpu, isa string, blocks, bytes int, cycles float64) result.Row {
		return result.Row{
			Schema: result.Schema, Tool: "simrun test", Kernel: kernel, CPU: cpu, ISA: isa, CPUFile: "0123",
			Verified: result.Vectors, Blocks: result.Count(blocks), Bytes: result.Count(bytes), Cycles: result.Figure(cycles),
			CyclesPerByte: result.Figure(cycles / float64(bytes)), CodeBytes: 1000, StackBytes: 96,
			Causes: map[string]float64{"issue": cycles},
		}
	}
	rows := []result.Row{
		row("aes128/fixsliced", "cortex-m4", "t32", 2, 32, 2900),
		row("aes128/fixsliced", "x86-64-ssse3", "x86", 8, 128, 0),
		row("gift64/fixsliced", "cortex-m3", "t32", 2, 16, 850),
		row("own/kernel", "x86-64-ssse3", "x86", 4, 64, 0),
	}
	rows[0].Causes = map[string]float64{"issue": 2700, "load-use": 150, "branch": 50}
	rows[0].Instructions, rows[0].IPC, rows[0].ColdCycles = 2650, 2650.0/2900, 2950
	rows[0].Small = &result.Small{CodeBytes: 400, StackBytes: 100, Form: result.Looped, Cycles: 3500, CyclesPerByte: 3500.0 / 32}
	rows[0].NotModelled = []string{"flash wait states", "DMA"}
	rows[1].Measured = &result.Measured{
		CyclesPerByte: 9.8765, Low: 9.85, High: 9.9, Host: "Test CPU",
		Calls: 16, Windows: 192, Acceptance: 0.25, ChainMHz: 3244,
	}
	rows[3].Measured = &result.Measured{Host: "Test CPU", Acceptance: 0.01, ChainMHz: 3240, Note: "contended, no figure"}
	rows[3].Verified = result.Interpreter
	rows[0].Form, rows[1].Form, rows[2].Form = result.Unrolled, result.Unrolled, result.Looped
	return rows
}

// onHost has three kernels measured on a computer: model is the CPU that is the computer's, code the one whose code was measured.
func onHost(host, model, code string) []result.Row {
	var rows []result.Row
	for k, kernel := range []string{"aes128/fixsliced", "gift64/fixsliced", "own/kernel"} {
		for c, cpu := range []string{"core2-merom", "cortex-m4", "x86-64-ssse3", "znver3"} {
			perByte := float64(10*(k+1) + c)
			r := result.Row{
				Schema: result.Schema, Tool: "simrun test", Kernel: kernel, CPU: cpu, ISA: "x86", Verified: result.Vectors, Blocks: 8, Bytes: 128,
				Cycles: result.Figure(128 * perByte), CyclesPerByte: result.Figure(perByte), CodeBytes: 1000,
			}
			switch cpu {
			case "cortex-m4":
				r.ISA = "t32"
			case "x86-64-ssse3":
				r.Cycles, r.CyclesPerByte = 0, 0
			}
			if cpu == code {
				m := &result.Measured{Host: host, Model: result.Name(model), Calls: 16, Windows: 192, Acceptance: 0.5, ChainMHz: 3000}
				if kernel == "own/kernel" {
					m.Note = "contended, no figure"
				} else {
					v := result.Figure([]float64{12.5, 24}[k])
					m.CyclesPerByte, m.Low, m.High = v, v-0.01, v+0.02
				}
				if cpu == model {
					m.Judge(r.CyclesPerByte)
				}
				r.Measured = m
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// TestHost: the table of this computer, where its processor is modelled, where it is not, and where the table lacks the model.
func TestHost(t *testing.T) {
	for name, rows := range map[string][]result.Row{
		"host-modelled": onHost("AMD EPYC 7763 (family 25 model 1)", "znver3", "znver3"),
		"host-unknown":  onHost("AMD EPYC (family 26 model 2)", "", "x86-64-ssse3"),
		"host-lacking":  onHost("Intel X (family 6 model 23)", "core2-penryn", "x86-64-ssse3"),
	} {
		for _, f := range Formats {
			golden(t, name+"."+f.Name, func(w *bytes.Buffer) error { return f.Write(w, rows) })
		}
	}
}

func TestMeanError(t *testing.T) {
	rows := onHost("AMD EPYC 7763 (family 25 model 1)", "znver3", "znver3")
	mean, n := newHere(rows).meanError() // 13 predicted and 12.5 measured, 23 and 24
	if want := (4 + 100.0/24) / 2; n != 2 || mean < want-1e-9 || mean > want+1e-9 {
		t.Errorf("mean error %v over %d kernels, want %v over 2", mean, n, want)
	}
	for i := range rows {
		if m := rows[i].Measured; m != nil {
			m.CyclesPerByte, m.ErrorPercent = 0, nil
		}
	}
	if got, want := newHere(rows).verdict(), "is modelled by znver3, but no figure was measured"; !strings.Contains(got, want) {
		t.Errorf("without a figure: %s, want %s", got, want)
	}
}

func TestFormats(t *testing.T) {
	rows := sample()
	if err := Attach(rows); err != nil {
		t.Fatal(err)
	}
	for _, f := range Formats {
		golden(t, "table."+f.Name, func(w *bytes.Buffer) error { return f.Write(w, rows) })
	}
	golden(t, "predicted.text", func(w *bytes.Buffer) error { return Text(w, rows[:1]) })
	golden(t, "empty.text", func(w *bytes.Buffer) error { return Text(w, nil) })
	for _, f := range RowFormats {
		golden(t, "row."+f.Name, func(w *bytes.Buffer) error { return f.Write(w, rows[:1]) })
		golden(t, "row-measured."+f.Name, func(w *bytes.Buffer) error { return f.Write(w, rows[1:2]) })
	}
}

func golden(t *testing.T, name string, write func(*bytes.Buffer) error) {
	t.Helper()
	var got bytes.Buffer
	if err := write(&got); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s differs (-want +got), bless with -update:\n%s", name, diff)
	}
}

// The figures of the table, read back from JSON: a per-block figure becomes cycles per byte.
func TestPublishedUnits(t *testing.T) {
	rows := sample()
	if err := Attach(rows); err != nil {
		t.Fatal(err)
	}
	if got, want := recordPerByte(&rows[2]), 419*2.0/16; got != want {
		t.Errorf("gift64/fixsliced: record %v c/B, want %v", got, want)
	}
	if got, want := Ratio(&rows[2]), 850.0/838; got < want-1e-12 || got > want+1e-12 {
		t.Errorf("gift64/fixsliced: ratio %v, want %v", got, want)
	}
	if got := Ratio(&rows[3]); got != 0 {
		t.Errorf("a kernel without a record has ratio %v", got)
	}
}

// TestInThisModel: a prediction below a published figure is said to be one, and none is said of others.
func TestInThisModel(t *testing.T) {
	for cycles, want := range map[float64]bool{850: false, 830: true} {
		rows := sample()[2:3]
		rows[0].Cycles, rows[0].CyclesPerByte = result.Figure(cycles), result.Figure(cycles/16)
		if err := Attach(rows); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := Text(&out, rows); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out.String(), "faster than the record in this model"); got != want {
			t.Errorf("%v cycles of 838: %v, want %v", cycles, got, want)
		}
	}
}

func TestJSONIsWhole(t *testing.T) {
	var out bytes.Buffer
	if err := JSON(&out, nil); err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if rows, ok := doc["rows"].([]any); !ok || len(rows) != 0 || doc["schema"] != float64(result.Schema) {
		t.Errorf("an empty table is %s", out.String())
	}
}

// Every kernel and CPU has at most one record, and it is the smallest figure of its unit.
func TestRecordsAreTheBest(t *testing.T) {
	figures, err := published()
	if err != nil {
		t.Fatal(err)
	}
	if len(figures) < 20 {
		t.Fatalf("published.csv holds only %d kernels and CPUs", len(figures))
	}
	for k, list := range figures {
		records := 0
		for _, p := range list {
			if !p.Record {
				continue
			}
			records++
			for _, o := range list {
				if o.Unit == p.Unit && o.Value < p.Value {
					t.Errorf("%s on %s: %v is called the record, but %v is published", k.kernel, k.cpu, p.Value, o.Value)
				}
			}
		}
		if records != 1 {
			t.Errorf("%s on %s has %d records, want 1", k.kernel, k.cpu, records)
		}
	}
}

func TestBadPublished(t *testing.T) {
	head := strings.Join(publishedHeader, ",") + "\n"
	for name, c := range map[string]struct{ text, want string }{
		"empty":   {"", "published.csv:1: the columns"},
		"columns": {"kernel,cpu\n", "published.csv:1: the columns"},
		"value":   {head + "a/b,c,eighty,c/B,true,w,s\n", `published.csv:2: value "eighty"`},
		"unit":    {head + "a/b,c,80,furlongs,true,w,s\n", `published.csv:2: unit "furlongs"`},
		"record":  {head + "a/b,c,80,c/B,perhaps,w,s\n", `published.csv:2: record "perhaps"`},
		"short":   {head + "a/b,c,80\n", "published.csv: "},
	} {
		_, err := readPublished([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}
