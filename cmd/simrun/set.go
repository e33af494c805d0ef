package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"simrun/costmodel"
	"simrun/internal/input"
	"simrun/internal/nearest"
	"simrun/isa/all"
)

// setFlag changes numbers of CPUs: class.or.parameter=value.
type setFlag []string

// apply makes the changes on one CPU. missing says, for each change, why the CPU has no such number, or nil; other
// mistakes are errors.
func (f setFlag) apply(cpu *costmodel.CPU) (missing []error, err error) {
	missing = make([]error, len(f))
	for i, s := range f {
		key, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, usagef("--set %s: want class.or.parameter=value", input.Clip(s))
		}
		if missing[i] = knows(cpu, key); missing[i] != nil {
			continue
		}
		if err := cpu.Set(key, value); err != nil {
			return nil, usageError{err}
		}
	}
	return missing, nil
}

// knows says why setting key would change nothing on the CPU: it is neither a parameter, nor a number of a region,
// nor a timing class that an instruction falls under.
func knows(cpu *costmodel.CPU, key string) error {
	name := strings.TrimPrefix(strings.TrimPrefix(key, "class."), "param.")
	if _, ok := cpu.Params[name]; ok {
		return nil
	}
	if _, ok := cpu.Schedulers[strings.TrimPrefix(name, "scheduler.")]; ok {
		return nil
	}
	region, _, _ := strings.Cut(strings.TrimPrefix(key, "region."), ".")
	if slices.ContainsFunc(cpu.Regions, func(r costmodel.Region) bool { return r.Name == region }) {
		return nil
	}
	for _, field := range []string{".cycles", ".latency", ".max"} {
		name = strings.TrimSuffix(name, field)
	}
	classes := all.Arch(cpu.ISA).Classes()
	if !cpu.Timed() {
		return fmt.Errorf("--set %s: %s has no cycles", input.Clip(key), cpu.Name)
	}
	below := slices.DeleteFunc(slices.Clone(classes), func(c string) bool { return !under(c, name) })
	if len(below) == 0 {
		names := slices.Concat(slices.Sorted(maps.Keys(cpu.Params)), slices.Sorted(maps.Keys(cpu.Classes)), classes)
		return fmt.Errorf("--set %s: %s has no such parameter or timing class%s", input.Clip(key), cpu.Name, nearest.Hint(name, names))
	}
	own := func(c string) bool { return hasRowBelow(cpu, c, name) }
	if !slices.ContainsFunc(below, func(c string) bool { return !own(c) }) {
		return fmt.Errorf("--set %s: changes nothing on %s, where each of %s has a number of its own", input.Clip(key), cpu.Name, input.Few(below))
	}
	return nil
}

// under reports whether a class is name or below it.
func under(class, name string) bool { return class == name || strings.HasPrefix(class, name+".") }

// hasRowBelow reports whether the CPU file has a row for the class, or for a prefix of it that is longer than name.
func hasRowBelow(cpu *costmodel.CPU, class, name string) bool {
	for row := range cpu.Classes {
		if len(row) > len(name) && under(class, row) {
			return true
		}
	}
	return false
}
