// Package micro holds the rule tests: small assembly programs, each with the cycles that a
// numbered rule of a CPU file gives for it, counted by hand. It must not know how a pipeline
// arrives at its count.
package micro

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

//go:embed *.txt
var files embed.FS

// Program is one rule test. Setup runs first and is not counted; then Body is, from its first
// instruction up to the first one behind it.
type Program struct {
	Name   string
	File   string
	Line   int            // of its heading
	Rules  []int          // of the CPU file
	Cycles map[string]int // CPU -> cycles of Body
	Pass   int            // setup and body run this often, the last run counts
	Turns  int            // out of order: turns of a loop around the body; 0 = it is repeated in a row
	Set    [][2]string    // changes of the CPU file: key, value
	At     string         // region of the board that holds the code; "" = where the CPU file puts it
	Why    string         // the sum
	Setup  string
	Body   string
}

// warm is the pass that counts unless a program says otherwise: by then the caches
// hold it, and tables of branch history with it.
const warm = 24

// Programs returns the rule tests for a pipeline, "cortex-m", "rocket" or "ooo", and then those for its boards.
func Programs(pipeline string) ([]Program, error) {
	var out []Program
	for i, name := range []string{pipeline + ".txt", pipeline + "-boards.txt"} {
		text, err := files.ReadFile(name)
		if i > 0 && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("no rule tests for pipeline %q", pipeline)
		}
		list, err := parse(name, string(text))
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// parse reads programs. A line "== name" begins one; then come "key: value" lines, the
// set-up behind a line "setup", and the body behind a line "body". Before the first heading
// and between programs stands comment. "repeat n" before an instruction or label
// line, with \n in it for line breaks, writes it n times.
func parse(name, text string) ([]Program, error) {
	var out []Program
	var into *string // where text lines go
	for i, line := range strings.Split(text, "\n") {
		head, isHead := strings.CutPrefix(line, "== ")
		switch {
		case isHead:
			out = append(out, Program{Name: head, File: name, Line: i + 1, Pass: warm, Cycles: map[string]int{}})
			into = nil
		case len(out) == 0:
		case line == "setup":
			into = &out[len(out)-1].Setup
		case line == "body":
			into = &out[len(out)-1].Body
		case into == nil:
			if err := out[len(out)-1].header(line); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
			}
		default:
			*into += expand(line) + "\n"
		}
	}
	return out, nil
}

func expand(line string) string {
	rest, ok := strings.CutPrefix(line, "repeat ")
	if !ok {
		return line
	}
	count, text, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(count)
	if err != nil {
		return line
	}
	return strings.Repeat(strings.ReplaceAll(text, `\n`, "\n")+"\n", n)
}

func (p *Program) header(line string) error {
	key, value, ok := strings.Cut(line, ": ")
	if !ok && strings.TrimSpace(line) != "" {
		return fmt.Errorf("%q is no line of the form \"key: value\"", line)
	}
	fields := strings.Fields(strings.ReplaceAll(value, ",", " "))
	switch key {
	case "":
	case "rule":
		return p.rules(fields)
	case "cycles":
		return p.cycles(fields)
	case "pass":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Errorf("pass %q is not a count", value)
		}
		p.Pass = n
	case "set":
		k, v, _ := strings.Cut(value, "=")
		p.Set = append(p.Set, [2]string{k, v})
	case "turns":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Errorf("turns %q is not a count", value)
		}
		p.Turns = n
	case "at":
		p.At = value
	case "why":
		p.Why = value
	default:
		return fmt.Errorf("unknown key %q", key)
	}
	return nil
}

func (p *Program) rules(fields []string) error {
	for _, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil {
			return fmt.Errorf("rule %q is not a number", f)
		}
		p.Rules = append(p.Rules, n)
	}
	return nil
}

// cycles reads "cpu n" pairs.
func (p *Program) cycles(fields []string) error {
	if len(fields)%2 != 0 {
		return fmt.Errorf("cycles: want pairs of CPU and count")
	}
	for i := 0; i < len(fields); i += 2 {
		n, err := strconv.Atoi(fields[i+1])
		if err != nil {
			return fmt.Errorf("cycles of %s: %q is not a number", fields[i], fields[i+1])
		}
		p.Cycles[fields[i]] = n
	}
	return nil
}
