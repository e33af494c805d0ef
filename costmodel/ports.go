package costmodel

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// UopKind says what part of an instruction a uop is.
type UopKind uint8

const (
	Execute   UopKind = iota // on the ports given
	LoadPart                 // as the row "load" or "vec.load" has it
	StorePart                // as the row "store" or "vec.store" has it: address and data
)

// Uops are Count equal uops of a class.
type Uops struct {
	Kind  UopKind
	Count int
	Ports []uint8 // of Execute: the allowed ports, the preferred first
}

// MaxPorts bounds the ports of a CPU: their names are 0 to 9 and a to f.
const MaxPorts = 16

// maxUops bounds the uops of a class.
const maxUops = 64

// ParseUops reads what executes a class: terms joined by +, each a count (1 if left out) before "p" with the
// names of the allowed ports, "load", or "store"; or "none".
//
//	p015   p0+p5   2p05+2load   4p015+load+2store
func ParseUops(s string) ([]Uops, error) {
	if s == "none" {
		return nil, nil
	}
	if s == "" {
		return nil, errors.New(`no ports; a class of this pipeline needs ports = "...", or "none"`)
	}
	var out []Uops
	total := 0
	for _, term := range strings.Split(s, "+") {
		u, err := parseTerm(term)
		if err != nil {
			return nil, fmt.Errorf("ports %q: %w", s, err)
		}
		if total += u.Count; total > maxUops {
			return nil, fmt.Errorf("ports %q: over %d uops", s, maxUops)
		}
		out = append(out, u)
	}
	return out, nil
}

func parseTerm(term string) (Uops, error) {
	what := strings.TrimLeft(term, "0123456789")
	u := Uops{Count: 1}
	if digits := strings.TrimSuffix(term, what); digits != "" {
		n, err := strconv.Atoi(digits)
		if err != nil || n < 2 || digits[0] == '0' {
			return u, fmt.Errorf("the count %s is not 2 or more", digits)
		}
		u.Count = n
	}
	switch what {
	case "load":
		u.Kind = LoadPart
		return u, nil
	case "store":
		u.Kind = StorePart
		return u, nil
	}
	ports, ok := strings.CutPrefix(what, "p")
	if !ok {
		return u, fmt.Errorf("%q is not p with ports, load or store", term)
	}
	var err error
	u.Ports, err = ParsePorts(ports)
	return u, err
}

// ParsePorts reads names of ports.
func ParsePorts(s string) ([]uint8, error) {
	if s == "" {
		return nil, errors.New("no port is named")
	}
	var out []uint8
	seen := 0
	for _, c := range s {
		i := strings.IndexRune("0123456789abcdef", c)
		if i < 0 {
			return nil, fmt.Errorf("%q names no port; they are 0 to 9 and a to f", c)
		}
		if seen>>i&1 != 0 {
			return nil, fmt.Errorf("port %c is named twice", c)
		}
		seen |= 1 << i
		out = append(out, uint8(i))
	}
	return out, nil
}

// Scheduler holds uops until they issue on one of its ports.
type Scheduler struct {
	Ports   string `toml:"ports"`
	Entries int    `toml:"entries"`
	Rule    int    `toml:"rule"`
	Source  string `toml:"source"`
}

// maxEntries bounds a scheduler, so that pipelines can keep what it holds in seven bits; maxSchedulers in
// seven bytes. maxUopSchedulers and maxUopPorts bound what a uop may choose from: schedulers, and ports of one of them.
const (
	maxEntries       = 126
	maxSchedulers    = 7
	maxUopSchedulers = 4
	maxUopPorts      = 8
)

// OutOfOrder is the pipeline whose classes name ports.
const OutOfOrder = "ooo"

// checkPorts demands ports of out-of-order classes, and of no other.
func (c *CPU) checkPorts(k Class) error {
	if c.Pipeline != OutOfOrder {
		if k.Ports != "" || k.Split {
			return fmt.Errorf("ports and split belong to pipeline %s", OutOfOrder)
		}
		return nil
	}
	if k.Max != 0 {
		return fmt.Errorf("pipeline %s knows no max", OutOfOrder)
	}
	uops, err := ParseUops(k.Ports)
	if err != nil {
		return err
	}
	known := c.schedulerPorts()
	for _, u := range uops {
		for _, p := range u.Ports {
			if known>>p&1 == 0 {
				return fmt.Errorf("ports %q: no scheduler has port %x", k.Ports, p)
			}
		}
		if err := c.checkChoice(u.Ports); err != nil {
			return fmt.Errorf("ports %q: %w", k.Ports, err)
		}
	}
	return nil
}

// checkChoice bounds what a uop that may use these ports chooses from.
func (c *CPU) checkChoice(uop []uint8) error {
	schedulers := 0
	for _, k := range sorted(c.Schedulers) {
		own, _ := ParsePorts(c.Schedulers[k].Ports)
		n := 0
		for _, p := range uop {
			if slices.Contains(own, p) {
				n++
			}
		}
		if n > maxUopPorts {
			return fmt.Errorf("a uop can use up to %d ports of one scheduler; %d of %s are given", maxUopPorts, n, k)
		}
		if n > 0 {
			schedulers++
		}
	}
	if schedulers > maxUopSchedulers {
		return fmt.Errorf("a uop can use ports of up to %d schedulers; these are of %d", maxUopSchedulers, schedulers)
	}
	return nil
}

// schedulerPorts is the set of all ports.
func (c *CPU) schedulerPorts() (set uint32) {
	for _, s := range c.Schedulers {
		ports, _ := ParsePorts(s.Ports)
		for _, p := range ports {
			set |= 1 << p
		}
	}
	return set
}

// checkSchedulers demands ports that no other scheduler has.
func (c *CPU) checkSchedulers(name string, data []byte, cite func(table, key string, rule int, source string) error) error {
	if c.Pipeline == OutOfOrder && (len(c.Schedulers) == 0 || len(c.Schedulers) > maxSchedulers) {
		return fmt.Errorf("%s: pipeline %s needs 1 to %d rows in [scheduler]", name, OutOfOrder, maxSchedulers)
	}
	if c.Pipeline != OutOfOrder && len(c.Schedulers) > 0 {
		return fmt.Errorf("%s: schedulers belong to pipeline %s", where(name, data, "scheduler", sorted(c.Schedulers)[0]), OutOfOrder)
	}
	taken := uint32(0)
	for _, k := range sorted(c.Schedulers) {
		s := c.Schedulers[k]
		at := where(name, data, "scheduler", k)
		ports, err := ParsePorts(s.Ports)
		if err != nil {
			return fmt.Errorf("%s: scheduler %s: %w", at, k, err)
		}
		for _, p := range ports {
			if taken>>p&1 != 0 {
				return fmt.Errorf("%s: scheduler %s: port %x belongs to another", at, k, p)
			}
			taken |= 1 << p
		}
		if err := s.check(); err != nil {
			return fmt.Errorf("%s: scheduler %s: %w", at, k, err)
		}
		if err := cite("scheduler", k, s.Rule, s.Source); err != nil {
			return err
		}
	}
	return nil
}

func (s Scheduler) check() error {
	if s.Entries < 1 || s.Entries > maxEntries {
		return fmt.Errorf("%d is outside 1 to %d (entries)", s.Entries, maxEntries)
	}
	return nil
}

// setScheduler changes the entries of a scheduler.
func (c *CPU) setScheduler(key, name string, n int) error {
	s := c.Schedulers[name]
	s.Entries = n
	if err := s.check(); err != nil {
		return fmt.Errorf("--set %s: %w", key, err)
	}
	c.Schedulers[name] = s
	return nil
}
