package compare

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzRead compares whatever is read with a fixed row and with itself: an error is one line, and what is written is
// fit for a terminal.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		`{"schema":1,"kernel":"a","cpu":"b","cycles":2,"causes":{"issue":2}}`,
		`{"schema":1,"rows":[{"kernel":"a","cpu":"b","cycles":1e300},{"kernel":"\u001b[2J","cpu":"b"}]}`,
		`{"schema":1,"rows":null}`, `{`, ``,
	} {
		f.Add([]byte(text))
	}
	base, err := Read("base", []byte(`{"schema":1,"kernel":"a","cpu":"b","cycles":1,"causes":{"issue":1}}`))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, err := Read("f", data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of several lines: %q", err)
			}
			return
		}
		var out bytes.Buffer
		if err := Text(&out, Pairs(base, rows)); err != nil {
			t.Fatal(err)
		}
		v, back := Gate(base, rows, 0), Gate(rows, base, 0)
		v.Worse = append(v.Worse, back.Worse...)
		text := strings.ReplaceAll(out.String()+strings.Join(append(append(v.Worse, v.Better...), v.Notes...), "\n"), "\n", "")
		if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }); i >= 0 {
			t.Errorf("control character in %q", text)
		}
		for _, p := range Pairs(rows, rows) {
			if !p.Same() {
				t.Errorf("%+v differs from itself", p.A)
			}
		}
		if worse := Gate(rows, rows, 0).Worse; len(worse) > 0 {
			t.Errorf("worse than itself: %q", worse)
		}
	})
}
