package ir

import (
	"errors"
	"fmt"
	"strings"
)

// maxErrors is the number of mistakes reported for one file.
const maxErrors = 10

// Error prints the mistake on one line: file:line:column: what; hint.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s", e.Pos, e.Msg)
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// String prints file:line:column.
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// fail stops the parser or Eval with a mistake; catch turns it into an error.
func fail(p Pos, hint, format string, args ...any) {
	panic(&Error{Pos: p, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// catch runs f and returns the *Error that it panicked with, if any.
func catch(f func()) (err *Error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			err = r
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// errorList collects mistakes up to maxErrors.
type errorList struct{ list []error }

func (l *errorList) add(e *Error) {
	if e == nil || l.full() {
		return
	}
	for _, old := range l.list {
		if *old.(*Error) == *e {
			return
		}
	}
	l.list = append(l.list, e)
}

func (l *errorList) full() bool { return len(l.list) >= maxErrors }

func (l *errorList) empty() bool { return len(l.list) == 0 }

func (l *errorList) err() error { return errors.Join(l.list...) }

// nearest returns the candidate closest to name by edit distance, or "" if none is close.
// Of equally close ones it takes the first in the order given.
func nearest(name string, candidates []string) string {
	best, limit := "", (len(name)+1)/3
	for _, c := range candidates {
		if d := distance(name, c); d <= limit && c != name {
			best, limit = c, d-1
		}
	}
	return best
}

// didYouMean is the hint for an unknown name.
func didYouMean(name string, candidates []string) string {
	if n := nearest(name, candidates); n != "" {
		return "did you mean " + n + "?"
	}
	return ""
}

// distance is the number of single-byte edits between a and b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			up := row[j]
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(up+1, row[j-1]+1, diag+cost)
			diag = up
		}
	}
	return row[len(b)]
}

// count prints a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// joinOr lists words for a message: a, b or c.
func joinOr(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
