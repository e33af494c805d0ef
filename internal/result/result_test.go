package result

import (
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// TestUnknownIsNull: 0 stands for a figure that is not known.
func TestUnknownIsNull(t *testing.T) {
	out, err := json.Marshal(Row{Instructions: 12.5, Bytes: 16, Measured: &Measured{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"cycles":null`, `"cycles_per_byte":null`, `"blocks":null`, `"code_bytes":null`, `"instructions":12.5`, `"bytes":16`, `"stack_bytes":0`, `"model":null`, `"error_percent":null`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s is not in %s", want, out)
		}
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		predicted, measured Figure
		want                string
	}{
		{11, 10, "10.000"}, {9, 10, "-10.000"}, {10, 10, "0.000"}, {5, 10, "-50.000"}, {0, 10, "none"}, {10, 0, "none"}, {0, 0, "none"},
	} {
		m := Measured{CyclesPerByte: c.measured}
		m.Judge(c.predicted)
		got := "none"
		if m.ErrorPercent != nil {
			got = strconv.FormatFloat(*m.ErrorPercent, 'f', 3, 64)
		}
		if got != c.want || m.ModelCyclesPerByte != c.predicted {
			t.Errorf("%v predicted, %v measured: %s, want %s", c.predicted, c.measured, got, c.want)
		}
	}
}

// TestFieldsAreDocumented looks for the JSON names of all fields in docs/results.md.
func TestFieldsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/results.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{Row{}, Published{}, Measured{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !strings.Contains(string(page), "`"+name+"`") {
				t.Errorf("%T.%s: docs/results.md does not say what %s is", v, f.Name, name)
			}
		}
	}
}
