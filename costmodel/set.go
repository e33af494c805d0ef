package costmodel

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"simrun/internal/nearest"
)

// Set changes one number, for questions of the kind "what if the CPU had ...". key is a
// parameter ("refill"), a number of a region ("flash.wait_states"), the entries of a
// scheduler ("scheduler.rs"), a timing class ("load.word"), or a class with a field
// ("load.word.latency", .cycles, .max); the prefixes "class." and "param." may stand
// before it. A bare class sets its latency if its row gives one, else its cycles. A class
// that has no row of its own gets one, as a copy of the row it falls back to.
func (c *CPU) Set(key, value string) error {
	n, err := strconv.Atoi(value)
	if err != nil {
		return fmt.Errorf("--set %s=%s: the value is not a whole number", key, value)
	}
	name := strings.TrimPrefix(strings.TrimPrefix(key, "class."), "param.")
	if p, ok := c.Params[name]; ok {
		return c.setParam(name, p, n)
	}
	if r, info, ok := c.splitRegionKey(key); ok {
		return c.setRegion(key, r, info, n)
	}
	if scheduler := strings.TrimPrefix(name, "scheduler."); c.Schedulers[scheduler] != (Scheduler{}) {
		return c.setScheduler(key, scheduler, n)
	}
	class, field := name, ""
	if i := strings.LastIndexByte(name, '.'); i >= 0 && isField(name[i+1:]) {
		class, field = name[:i], name[i+1:]
	}
	row, ok := c.row(class)
	if !ok {
		return fmt.Errorf("--set %s: %s has no such parameter or timing class%s", key, c.Name,
			nearest.Hint(name, append(sorted(c.Params), sorted(c.Classes)...)))
	}
	row.set(field, n)
	if err := row.check(); err != nil || n < 1 {
		return fmt.Errorf("--set %s=%d: out of range (1 to %d cycles, max not below the minimum)", key, n, maxCycles)
	}
	c.Classes[class] = row
	return nil
}

func (c *CPU) setParam(name string, p Parameter, n int) error {
	if err := paramInfo(c.Pipeline, name).check(n); err != nil {
		return fmt.Errorf("--set %s: %w", name, err)
	}
	old := p
	p.Value = n
	c.Params[name] = p
	if err := c.checkRelations(); err != nil {
		c.Params[name] = old
		return fmt.Errorf("--set %s=%d: %w", name, n, err)
	}
	return nil
}

func isField(s string) bool { return s == "cycles" || s == "latency" || s == "max" }

// row returns the row that a class falls back to, as the file gives it.
func (c *CPU) row(class string) (Class, bool) {
	row, ok := c.Classes[c.RowKey(class)]
	return row, ok
}

func (k *Class) set(field string, n int) {
	switch {
	case field == "max":
		k.Max = n
	case field == "latency", field == "" && k.Latency != 0:
		k.Latency = n
	default:
		k.Cycles = n
	}
}

// Hash identifies everything that can change a cycle count or the code made for this CPU:
// 16 hexadecimal digits over the resolved numbers, without prose and sources.
func (c *CPU) Hash() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %q %d %v\n", c.ISA, c.Pipeline, c.Features, c.CodeBudget.Value, c.Memory)
	for _, k := range sorted(c.Classes) {
		row := c.Classes[k].filled()
		fmt.Fprintf(h, "%s %d %d %d", k, row.Cycles, row.Latency, row.Max)
		if row.Ports != "" {
			fmt.Fprintf(h, " %s %v", row.Ports, row.Split)
		}
		fmt.Fprintln(h)
	}
	for _, k := range sorted(c.Params) {
		fmt.Fprintf(h, "%s %d\n", k, c.Params[k].Value)
	}
	for _, k := range sorted(c.Schedulers) {
		fmt.Fprintf(h, "%s %s %d\n", k, c.Schedulers[k].Ports, c.Schedulers[k].Entries)
	}
	for i := range c.Regions {
		r := &c.Regions[i]
		fmt.Fprintf(h, "%s %s %d %d", r.Name, r.Kind, r.Base, r.Size)
		for _, info := range RegionNumbers {
			fmt.Fprintf(h, " %d", r.Number(info.Name).Value)
		}
		fmt.Fprintln(h)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
