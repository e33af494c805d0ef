package ir

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"simrun/internal/nearest"
)

// maxErrors is the number of mistakes reported for one file.
const maxErrors = 10

// maxMessage bounds what is printed of one mistake, in bytes: values and types may be long.
const maxMessage = 500

// Error prints the mistake on one line: file:line:column: what; hint.
func (e *Error) Error() string {
	msg := e.Msg
	if len(msg) > maxMessage {
		msg = strings.ToValidUTF8(msg[:maxMessage], "") + "..."
	}
	s := msg
	if e.Pos != (Pos{}) {
		s = e.Pos.String() + ": " + msg
	}
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

// follows stops an evaluation that meets what another mistake, reported already, left behind.
var follows = &Error{Msg: "follows from another mistake"}

// errorList collects mistakes up to maxErrors, one for each place.
type errorList struct {
	list  []error
	loose int // how many of them leave a tree that can be evaluated
}

func (l *errorList) add(e *Error) {
	if e == nil || e == follows || l.full() {
		return
	}
	for _, old := range l.list {
		if old.(*Error).Pos == e.Pos {
			return
		}
	}
	l.list = append(l.list, e)
}

// addLoose is add for a mistake after which the rest can still be checked.
func (l *errorList) addLoose(e *Error) {
	n := len(l.list)
	l.add(e)
	l.loose += len(l.list) - n
}

// sound reports whether the tree can be evaluated.
func (l *errorList) sound() bool { return len(l.list) == l.loose }

func (l *errorList) full() bool { return len(l.list) >= maxErrors }

func (l *errorList) empty() bool { return len(l.list) == 0 }

// err joins the mistakes, those of one file in the order of its text.
func (l *errorList) err() error {
	files := map[string]int{} // in order of their first mistake
	for _, e := range l.list {
		if name := e.(*Error).Pos.File; files[name] == 0 {
			files[name] = len(files) + 1
		}
	}
	slices.SortStableFunc(l.list, func(a, b error) int {
		p, q := a.(*Error).Pos, b.(*Error).Pos
		return cmp.Or(files[p.File]-files[q.File], p.Line-q.Line, p.Col-q.Col)
	})
	return errors.Join(l.list...)
}

// didYouMean is the hint for an unknown name.
func didYouMean(name string, candidates []string) string {
	if n := nearest.Name(name, candidates); n != "" {
		return "did you mean " + n + "?"
	}
	return ""
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
