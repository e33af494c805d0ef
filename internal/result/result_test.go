package result

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestUnknownIsNull: 0 stands for a figure that is not known.
func TestUnknownIsNull(t *testing.T) {
	out, err := json.Marshal(Row{Instructions: 12.5, Bytes: 16})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"cycles":null`, `"cycles_per_byte":null`, `"blocks":null`, `"code_bytes":null`, `"instructions":12.5`, `"bytes":16`, `"stack_bytes":0`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s is not in %s", want, out)
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
