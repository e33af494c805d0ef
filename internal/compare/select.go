package compare

import (
	"fmt"
	"regexp"
	"strings"

	"simrun/internal/input"
	"simrun/internal/nearest"
	"simrun/internal/result"
)

// Selector chooses rows of a file. In both patterns * stands for anything.
type Selector struct{ File, Kernel, CPU string }

// ParseSelector reads FILE, FILE:KERNEL, FILE@CPU or FILE:KERNEL@CPU.
func ParseSelector(text string) Selector {
	s := Selector{File: text, Kernel: every, CPU: every}
	last := &s.File // the part that @CPU may follow
	if file, kernel, ok := strings.Cut(text, ":"); ok {
		s.File, s.Kernel = file, kernel
		last = &s.Kernel
	}
	if at := strings.LastIndex(*last, "@"); at >= 0 && !strings.Contains((*last)[at:], "/") {
		*last, s.CPU = (*last)[:at], (*last)[at+1:]
		if *last == "" && last == &s.Kernel {
			s.Kernel = every
		}
	}
	return s
}

// Select returns the rows that the selector chooses, at least one.
func (s Selector) Select(rows []result.Row) ([]result.Row, error) {
	kernel, cpu := Glob(s.Kernel), Glob(s.CPU)
	var list []result.Row
	var kernels, cpus []string
	ofKernel := false
	for _, r := range rows {
		kernels, cpus = append(kernels, r.Kernel), append(cpus, r.CPU)
		if !kernel.MatchString(r.Kernel) {
			continue
		}
		ofKernel = true
		if cpu.MatchString(r.CPU) {
			list = append(list, r)
		}
	}
	switch {
	case len(list) > 0:
		return list, nil
	case !ofKernel:
		return nil, fmt.Errorf("%s has no row of the kernel \"%s\"%s", input.Clip(s.File), input.Clip(s.Kernel), nearest.Hint(s.Kernel, kernels))
	}
	return nil, fmt.Errorf("%s has no row of %s on the CPU \"%s\"%s", input.Clip(s.File), input.Clip(s.Kernel), input.Clip(s.CPU), nearest.Hint(s.CPU, cpus))
}

// Glob is a pattern, in which * stands for anything, as an expression for whole names. Bytes that are no UTF-8, which a
// name never has, match nothing.
func Glob(pattern string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(strings.ToValidUTF8(pattern, "\ufffd")), `\*`, ".*") + "$")
}
