package bench

import (
	"strings"
	"testing"

	"simrun/costmodel"
	"simrun/internal/result"
)

var (
	milan = costmodel.Processor{Vendor: "AuthenticAMD", Family: 25, Model: 1}
	merom = costmodel.Processor{Vendor: "GenuineIntel", Family: 6, Model: 15}
	turin = costmodel.Processor{Vendor: "AuthenticAMD", Family: 26, Model: 2}
)

// TestMeasurable: of each kernel the code of the host's model is measured, else that of a CPU without cycles.
func TestMeasurable(t *testing.T) {
	s, other := &Subject{Name: "a/b"}, &Subject{Name: "c/d"}
	for _, c := range []struct {
		cpus, isa string
		host      costmodel.Processor
		want      string // the CPU measured; none if nothing can be
		predicted result.Figure
		model     result.Name
	}{
		{"core2-merom,core2-penryn,cortex-m3,x86-64-ssse3,znver3", "x86", milan, "znver3", 5, "znver3"},
		{"core2-merom,core2-penryn,cortex-m3,x86-64-ssse3,znver3", "x86", merom, "core2-merom", 5, "core2-merom"},
		{"core2-merom,core2-penryn,cortex-m3,x86-64-ssse3,znver3", "x86", turin, "x86-64-ssse3", 0, ""},
		{"core2-merom,x86-64-ssse3", "x86", milan, "x86-64-ssse3", 0, "znver3"},
		{"core2-penryn,znver3", "x86", turin, "core2-penryn", 0, ""},
		{"core2-penryn,znver3", "a64", turin, "none", 0, ""},
		{"cortex-m3", "x86", milan, "none", 0, ""},
	} {
		var cells []Cell
		for _, subject := range []*Subject{s, other} {
			for _, name := range strings.Split(c.cpus, ",") {
				cells = append(cells, Cell{Subject: subject, CPU: load(t, name)})
			}
		}
		chosen := measurable(cells, c.isa, c.host)
		if c.want == "none" {
			if len(chosen) != 0 {
				t.Errorf("%s on %v: %d cells are measured", c.cpus, c.host, len(chosen))
			}
			continue
		}
		if len(chosen) != 2 || cells[chosen[0]].Subject != s || cells[chosen[1]].Subject != other {
			t.Fatalf("%s on %v: cells %v", c.cpus, c.host, chosen)
		}
		cpu := cells[chosen[1]].CPU
		row := result.Row{CyclesPerByte: 5, Measured: &result.Measured{CyclesPerByte: 4}}
		if err := judge(&row, cpu, c.host); err != nil {
			t.Fatal(err)
		}
		m := row.Measured
		if cpu.Name != c.want || m.Model != c.model || m.ModelCyclesPerByte != c.predicted || (m.ErrorPercent != nil) != (c.predicted > 0) {
			t.Errorf("%s on %v: %s is measured, %+v", c.cpus, c.host, cpu.Name, m)
		}
	}
}
