package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"simrun/costmodel"
	"simrun/internal/result"
	"simrun/isa"
	"simrun/programs/compile"
	"simrun/programs/ir"
	"simrun/sim/ooo"
)

// Part is one of the places that the cycles of a kernel go to.
type Part struct {
	Name         string  // a def of the text, or one of the parts below
	Cycles       float64 // a warm call
	Instructions float64
}

// Parts that are no def: what the compiler added.
const (
	partSpills = "(spills and reloads)"
	partFrame  = "(entry, exit and call)"
)

// Explained says where the cycles of a kernel go and what would change them.
type Explained struct {
	Parts    []Part          // most cycles first
	Cycles   float64         // of a warm call, by the pipeline
	Estimate *compile.WhatIf // in order
	Core     *Core           // out of order
}

// Core is what is said of code out of order.
type Core struct {
	Row     *result.Row // as it is, with its causes
	Bounds  []ooo.Bound // floors of the code, per call
	Changes []Changed
}

// Explain takes a checked kernel apart.
func (c Cell) Explain() (*Explained, error) {
	if !c.CPU.Timed() {
		return nil, fmt.Errorf("%s has no cycles to explain", c.CPU.Name)
	}
	p, s, err := c.checked()
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", c.Subject.Name, c.CPU.Name, err)
	}
	out := &Explained{}
	if c.CPU.Pipeline == ooo.Name {
		out.Core, err = core(c, p, s)
	} else {
		out.Estimate = p.Explore()
	}
	if err != nil {
		return nil, err
	}
	if out.Parts, err = parts(c, p, s); err != nil {
		return nil, err
	}
	for _, part := range out.Parts {
		out.Cycles += part.Cycles
	}
	return out, nil
}

// core looks at the code before anything else has changed its memory.
func core(c Cell, p *Program, s *simulated) (*Core, error) {
	row, changes, err := c.changes(p, s)
	if err != nil {
		return nil, err
	}
	b, err := bounds(c, p, s)
	return &Core{Row: row, Bounds: b, Changes: changes}, err
}

// bounds counts what one call asks of each part of the core.
func bounds(c Cell, p *Program, s *simulated) ([]ooo.Bound, error) {
	b, err := ooo.NewBounds(c.CPU, p.Arch)
	if err != nil {
		return nil, err
	}
	s.machine.SetListener(b)
	defer s.machine.SetListener(nil)
	if err := s.call(); err != nil {
		return nil, err
	}
	return b.List(1), nil
}

// parts books every cycle of one warm call under the def that its instruction came from.
func parts(c Cell, p *Program, s *simulated) ([]Part, error) {
	pipe, err := newPipeline(c.CPU, p.Arch)
	if err != nil {
		return nil, err
	}
	s.machine.SetListener(pipe)
	defer s.machine.SetListener(nil)
	for range windowOf(c.CPU) {
		if err := s.call(); err != nil {
			return nil, err
		}
	}
	names := partNames(c.Subject.Kernel, p)
	sum := map[string]*Part{}
	pipe.SetSink(func(t costmodel.Timed) {
		name := cmp.Or(names[t.PC], partFrame)
		if sum[name] == nil {
			sum[name] = &Part{Name: name}
		}
		sum[name].Cycles += float64(t.Slots) / float64(t.Width)
		sum[name].Instructions++
	})
	if err := s.call(); err != nil {
		return nil, err
	}
	var list []Part
	for _, part := range sum {
		list = append(list, *part)
	}
	slices.SortFunc(list, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Cycles, a.Cycles), strings.Compare(a.Name, b.Name))
	})
	return list, nil
}

// partNames maps the address of every instruction to its part. The lines of the image stand in the order of the items
// that they came from.
func partNames(k *ir.Kernel, p *Program) map[uint64]string {
	names := map[uint64]string{}
	i := 0
	for _, it := range p.Block.Items {
		if it.Inst.Form == nil || it.Line == 0 || i >= len(p.Image.Lines) {
			continue
		}
		names[p.Image.Lines[i].Addr] = partOf(k, &it)
		i++
	}
	return names
}

// partOf goes by the note that the allocator leaves, then by the place in the text.
func partOf(k *ir.Kernel, it *isa.Item) string {
	if it.Note != "" {
		return partSpills
	}
	if it.File == k.Pos.File && it.Line == k.Pos.Line {
		return partFrame
	}
	return k.Part(ir.Pos{File: it.File, Line: it.Line})
}
