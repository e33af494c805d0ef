package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/spf13/pflag"
)

// strict is a flag value that says itself what it wants.
type strict interface {
	pflag.Value
	wants() string
}

// count is a flag for a whole number from 1 to max; it is 0 while the flag is not given.
type count struct {
	n   *int
	max int
}

func (c count) String() string {
	if c.n == nil || *c.n == 0 {
		return ""
	}
	return strconv.Itoa(*c.n)
}

func (c count) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > c.max {
		return errors.New(c.wants())
	}
	*c.n = n
	return nil
}

func (c count) Type() string { return "count" }

func (c count) wants() string { return fmt.Sprintf("a whole number from 1 to %d", c.max) }

// factor is a flag for a finite factor of at least 1; it is 0 while the flag is not given.
type factor struct{ x *float64 }

func (f factor) String() string {
	if f.x == nil || *f.x == 0 {
		return ""
	}
	return strconv.FormatFloat(*f.x, 'g', -1, 64)
}

func (f factor) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 1) || math.IsInf(x, 0) {
		return errors.New(f.wants())
	}
	*f.x = x
	return nil
}

func (f factor) Type() string { return "factor" }

func (f factor) wants() string { return "a factor of at least 1, for example 1.3" }

// span is a flag for a time above 0; it is 0 while the flag is not given.
type span struct{ d *time.Duration }

func (s span) String() string {
	if s.d == nil || *s.d == 0 {
		return ""
	}
	return s.d.String()
}

func (s span) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New(s.wants())
	}
	*s.d = d
	return nil
}

func (s span) Type() string { return "span" }

func (s span) wants() string { return "a time above 0, for example 30s or 10m" }

// once is a flag that may be given once.
type once struct {
	text  *string
	hint  string // what to do instead
	given bool
}

func (o *once) String() string {
	if o.text == nil {
		return ""
	}
	return *o.text
}

func (o *once) Set(text string) error {
	if o.given {
		return errors.New(o.wants())
	}
	*o.text, o.given = text, true
	return nil
}

func (o *once) Type() string { return "string" }

func (o *once) wants() string { return "it once; " + o.hint }
