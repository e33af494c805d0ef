package compile

import (
	"strings"
	"testing"
)

// TestScheduleMistakes wants damage of a schedule file told with its line, without types of Go and on one line.
func TestScheduleMistakes(t *testing.T) {
	const head = "kernel = \"a/b\"\ncpu = \"core2-merom\"\ncode = \"0123\"\n"
	for text, want := range map[string]string{
		"seed = 1.5":             "line 4: seed must be a whole number from 0, not: float",
		"cycles = \"x\"":         "line 4: cycles must be a number, not: string",
		"places = 7":             "line 4: places must be a list, not: integer",
		"roll = 1\nroll = 1":     "line 5: key roll is already defined",
		"\"x\\u001b[2J\\n\" = 1": `line 4: unknown key x\x1b[2J\n`,
		"places = [":             "line 4: array is incomplete",
		"gates = [1, 2]":         "gates has 2 numbers, four for each are needed",
	} {
		_, err := ParseSchedule([]byte(head + text + "\n"))
		if err == nil || strings.TrimPrefix(err.Error(), "not a schedule: ") != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
