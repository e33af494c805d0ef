package x86

import (
	"encoding/binary"
	"fmt"

	"simrun/isa"
)

// maxProgram bounds a program in bytes, so that wrong input cannot ask for all memory.
const maxProgram = 16 << 20

// A unit is one item of a program being laid out.
type unit struct {
	block, item int
	it          *isa.Item
	piece       piece
	row         *row // of an instruction
	long        bool // relative branch with 32 bits
	addr        uint64
}

// layout places a program. Branches begin short and grow until all reach their targets, which
// is what the GNU assembler does too.
type layout struct {
	blocks []*isa.Block
	units  []unit
	starts []uint64 // by block
	ends   []uint64
	labels map[string]uint64
}

// Assemble pads with zero bytes to the alignment of blocks and items.
func (*arch) Assemble(blocks []*isa.Block, org uint64) (*isa.Image, error) {
	l := &layout{blocks: blocks, starts: make([]uint64, len(blocks)), ends: make([]uint64, len(blocks))}
	if err := l.encode(); err != nil {
		return nil, err
	}
	if err := l.declare(); err != nil {
		return nil, err
	}
	for grown := true; grown; {
		l.place(org)
		var err error
		if grown, err = l.grow(); err != nil {
			return nil, err
		}
	}
	return l.image(org)
}

// encode makes the units with the bytes of all that does not depend on addresses.
func (l *layout) encode() error {
	var ins []*isa.Inst
	for b, block := range l.blocks {
		if err := checkAlign(block.Align); err != nil {
			return fmt.Errorf("%s: %w", block.Name, err)
		}
		for i := range block.Items {
			it := &block.Items[i]
			u := unit{block: b, item: i, it: it, piece: piece{code: it.Data}}
			if it.Inst.Form != nil {
				if err := checkForm(&it.Inst); err != nil {
					return l.fail(&u, err)
				}
				u.row = rowOf(&it.Inst)
				ins = append(ins, &it.Inst)
			}
			if err := l.checkItem(&u); err != nil {
				return l.fail(&u, err)
			}
			l.units = append(l.units, u)
		}
	}
	pieces, err := encodeAll(ins)
	if err != nil {
		return err
	}
	for i := range l.units {
		if l.units[i].row != nil {
			l.units[i].piece, pieces = pieces[0], pieces[1:]
		}
	}
	return nil
}

func (l *layout) checkItem(u *unit) error {
	if u.row != nil {
		in := &u.it.Inst
		if err := u.row.check(in); err != nil {
			return err
		}
		if m := u.row.mem(); in.Sym != "" && !u.row.relative() && (m < 0 || in.Reg(m) != RIP) {
			return fmt.Errorf("%s cannot use label %s: only branches and addresses from RIP can", u.row.ID, in.Sym)
		}
	}
	return checkAlign(u.it.Align)
}

func checkAlign(n int) error {
	if n < 0 || n&(n-1) != 0 || n > 1<<16 {
		return fmt.Errorf("alignment %d, want a power of two up to 65536", n)
	}
	return nil
}

// fail adds the place to an error.
func (l *layout) fail(u *unit, err error) error {
	name := l.blocks[u.block].Name
	if u.it.Line > 0 {
		return fmt.Errorf("%s: line %d: %w", name, u.it.Line, err)
	}
	return fmt.Errorf("%s: item %d: %w", name, u.item, err)
}

// declare collects the names and refuses a second use.
func (l *layout) declare() error {
	l.labels = map[string]uint64{}
	add := func(name string) error {
		if _, ok := l.labels[name]; ok {
			return fmt.Errorf("label %s is defined twice", name)
		}
		l.labels[name] = 0
		return nil
	}
	for _, b := range l.blocks {
		if err := add(b.Name); err != nil {
			return err
		}
	}
	for i := range l.units {
		u := &l.units[i]
		if u.it.Label == "" {
			continue
		}
		if err := add(u.it.Label); err != nil {
			return l.fail(u, err)
		}
	}
	return nil
}

// place gives every unit its address under the present branch sizes.
func (l *layout) place(org uint64) {
	pc, next := org, 0
	for b, block := range l.blocks {
		pc = isa.AlignUp(pc, block.Align)
		l.starts[b] = pc
		l.labels[block.Name] = pc
		for ; next < len(l.units) && l.units[next].block == b; next++ {
			u := &l.units[next]
			pc = isa.AlignUp(pc, u.it.Align)
			u.addr = pc
			if u.it.Label != "" {
				l.labels[u.it.Label] = pc
			}
			pc += uint64(u.size())
		}
		l.ends[b] = pc
	}
}

func (u *unit) size() int {
	if u.row != nil && u.row.relative() {
		return u.row.branchSize(u.long)
	}
	return len(u.piece.code)
}

// target returns the address an instruction speaks of.
func (l *layout) target(u *unit) (uint64, error) {
	in := &u.it.Inst
	addend := int64(0)
	if m := u.row.mem(); m >= 0 {
		addend = in.Args[m+3]
	} else if in.Sym == "" {
		return uint64(in.Args[0]), nil
	}
	a, ok := l.labels[in.Sym]
	if !ok {
		return 0, l.fail(u, fmt.Errorf("label %s is not defined", in.Sym))
	}
	return a + uint64(addend), nil
}

// grow lengthens the branches that do not reach, and reports whether there was one.
func (l *layout) grow() (bool, error) {
	grown := false
	for i := range l.units {
		u := &l.units[i]
		if u.row == nil || !u.row.relative() || u.long {
			continue
		}
		t, err := l.target(u)
		if err != nil {
			return false, err
		}
		if d := int64(t - u.addr - 2); d != int64(int8(d)) && u.row.kind != kJcount {
			u.long, grown = true, true
		}
	}
	return grown, nil
}

// bytes returns the final code of a unit.
func (l *layout) bytes(u *unit) ([]byte, error) {
	if u.row == nil || !u.row.relative() && u.piece.rip == 0 {
		return u.piece.code, nil
	}
	end := u.addr + uint64(u.size())
	if u.piece.rip > 0 && u.it.Inst.Sym == "" {
		disp := u.it.Inst.Args[u.row.mem()+3]
		binary.LittleEndian.PutUint32(u.piece.code[u.piece.rip:], uint32(disp))
		return u.piece.code, nil
	}
	t, err := l.target(u)
	if err != nil {
		return nil, err
	}
	if err := u.row.checkDistance(t - end); err != nil {
		return nil, l.fail(u, err)
	}
	if u.row.relative() {
		return u.row.branch(t-end, u.long), nil
	}
	binary.LittleEndian.PutUint32(u.piece.code[u.piece.rip:], uint32(t-end))
	return u.piece.code, nil
}

func (l *layout) image(org uint64) (*isa.Image, error) {
	im := &isa.Image{Arch: "x86", Entry: org}
	end := org
	if n := len(l.ends); n > 0 {
		end = l.ends[n-1]
		im.Entry = l.starts[0]
	}
	if end-org > maxProgram {
		return nil, fmt.Errorf("the program has %d bytes, more than %d", end-org, maxProgram)
	}
	code := make([]byte, end-org)
	for i := range l.units {
		u := &l.units[i]
		b, err := l.bytes(u)
		if err != nil {
			return nil, err
		}
		copy(code[u.addr-org:], b)
		if u.it.Inst.Form != nil && u.it.Line != 0 {
			im.Lines = append(im.Lines, isa.Line{Addr: u.addr, Line: u.it.Line, File: u.it.File})
		}
	}
	for b, block := range l.blocks {
		im.Symbols = append(im.Symbols, isa.Symbol{Name: block.Name, Addr: l.starts[b], Size: l.ends[b] - l.starts[b], Func: true})
	}
	im.Segments = []isa.Segment{{Addr: org, Data: code, Size: uint64(len(code)), Perm: isa.R | isa.X}}
	return im, nil
}
