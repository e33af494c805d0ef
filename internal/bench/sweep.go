package bench

import (
	"fmt"
	"path/filepath"
	"slices"

	"simrun/costmodel"
	"simrun/internal/result"
	"simrun/isa"
)

// sweepRange is how far code is moved in a sweep, in bytes: by less than this.
const sweepRange = 16

// Sweep is the same code at neighbouring places.
type Sweep struct {
	Row    *result.Row // at the first place
	Places []Place
}

// Place is one place of the code.
type Place struct {
	Offset       uint64 // from the first place, in bytes
	Address      uint64 // of the function
	Cycles, Cold float64
}

func (s *Sweep) last() *Place { return &s.Places[len(s.Places)-1] }

// codeStep is the smallest alignment of code of the CPU, in bytes.
func codeStep(cpu *costmodel.CPU) uint64 {
	if cpu.ISA == "t32" || cpu.ISA == "rv32" && slices.Contains(cpu.Features, "c") {
		return 2
	}
	return 4
}

// sweep counts at each place that is apart from the others. at runs the code that a CPU with moved code memory
// gives, and returns its row and where its function lies.
func sweep(cpu *costmodel.CPU, at func(*costmodel.CPU) (*result.Row, uint64, error)) (*Sweep, error) {
	if !cpu.Timed() {
		return nil, fmt.Errorf("%s has no cycles: there is nothing to compare", cpu.Name)
	}
	s := &Sweep{}
	for offset := uint64(0); offset < sweepRange; offset += codeStep(cpu) {
		moved, err := cpu.Placed(offset)
		if err != nil {
			return nil, err
		}
		row, addr, err := at(moved)
		if err != nil {
			return nil, err
		}
		if s.Row == nil {
			s.Row = row
		} else if addr == s.last().Address || addr-s.Places[0].Address >= sweepRange {
			continue // its own alignment has put it elsewhere
		}
		s.Places = append(s.Places, Place{Address: addr, Cycles: float64(row.Cycles), Cold: float64(row.ColdCycles)})
		s.last().Offset = addr - s.Places[0].Address
	}
	return s, nil
}

// Sweep counts the code of the cell at each place, checked at each.
func (c Cell) Sweep() (*Sweep, error) {
	p, err := c.Compile()
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", c.Subject.Name, c.CPU.Name, err)
	}
	s, err := sweep(c.CPU, func(cpu *costmodel.CPU) (*result.Row, uint64, error) {
		moved, err := p.moved(cpu)
		if err != nil {
			return nil, 0, err
		}
		sim, err := simulate(moved, c.Subject.Public)
		if err != nil {
			return nil, 0, err
		}
		if _, err := c.Subject.check(moved, sim); err != nil {
			return nil, 0, err
		}
		n, err := sim.count()
		if err != nil {
			return nil, 0, err
		}
		return c.row(moved, n), sim.entry, nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", c.Subject.Name, c.CPU.Name, err)
	}
	return s, nil
}

// moved is the same code, not aligned by more than it must be, in the code memory of cpu.
func (p *Program) moved(cpu *costmodel.CPU) (*Program, error) {
	block := *p.Block
	block.Align = 0
	image, err := p.Arch.Assemble([]*isa.Block{&block}, cpu.Memory.Code.Base)
	if err != nil {
		return nil, err
	}
	code, moved := *p.Code, *p
	image.Source = code.Image.Source
	code.Block, code.Image = &block, image
	moved.Code, moved.CPU = &code, cpu
	return &moved, nil
}

// SweepCall counts a function of a user's file, as LoadImage reads it, at each place. A linked program cannot be
// moved.
func SweepCall(name string, data []byte, cpu *costmodel.CPU, c Call) (*Sweep, error) {
	if err := movable(name, data, cpu, c.Symbol); err != nil {
		return nil, err
	}
	return sweep(cpu, func(cpu *costmodel.CPU) (*result.Row, uint64, error) {
		im, err := LoadImage(name, data, cpu)
		if err != nil {
			return nil, 0, err
		}
		called, err := RunCall(filepath.Base(name), im, cpu, c)
		if err != nil {
			return nil, 0, err
		}
		f, _ := im.Lookup(c.Symbol)
		return called.Row, f.Addr, nil
	})
}

// farther is more than any code is aligned to, in bytes.
const farther = 4096

// movable refuses a file whose function stays where it is.
func movable(name string, data []byte, cpu *costmodel.CPU, function string) error {
	moved, err := cpu.Placed(farther)
	if err != nil {
		return err
	}
	var addrs [2]uint64
	for i, c := range []*costmodel.CPU{cpu, moved} {
		im, err := LoadImage(name, data, c)
		if err != nil {
			return err
		}
		f, ok := im.Lookup(function)
		if !ok {
			return nil // the call will say so
		}
		addrs[i] = f.Addr
	}
	if addrs[0] == addrs[1] {
		return fmt.Errorf("%s: %s is linked at %#x and cannot be moved: give the object file or the assembly text", name, function, addrs[0])
	}
	return nil
}
