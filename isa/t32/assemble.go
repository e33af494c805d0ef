package t32

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"simrun/isa"
)

// Assemble lays blocks out from org, which must be even.
func (a Arch) Assemble(blocks []*isa.Block, org uint64) (*isa.Image, error) {
	l := newLayout(org)
	if org&1 != 0 || org > 1<<32-1 {
		return nil, fmt.Errorf("code address %#x: want an even address below 4 GiB", org)
	}
	for _, b := range blocks {
		if err := l.place(b); err != nil {
			return nil, err
		}
	}
	im := &isa.Image{Arch: a.Name(), Entry: org, Symbols: l.symbols}
	code := make([]byte, 0, l.pc-org)
	for _, b := range blocks {
		var err error
		if code, err = l.emit(b, code, im); err != nil {
			return nil, err
		}
	}
	im.Segments = []isa.Segment{{Addr: org, Data: code, Size: uint64(len(code)), Perm: isa.R | isa.X}}
	return im, nil
}

// layout is the state of assembling.
type layout struct {
	org     uint64
	pc      uint64
	labels  map[string]uint64
	symbols []isa.Symbol
}

func newLayout(org uint64) *layout {
	return &layout{org: org, pc: org, labels: map[string]uint64{}}
}

// maxImage bounds a program, alignment included.
const maxImage = 16 << 20

// itemSize is the length of an item that starts at pc, behind its padding.
func itemSize(it *isa.Item) uint64 {
	if it.Inst.Form != nil {
		return uint64(encodings[it.Inst.Form.Num].size)
	}
	return uint64(len(it.Data))
}

// place gives the labels of a block their addresses.
func (l *layout) place(b *isa.Block) error {
	if err := checkAlign(b.Align); err != nil {
		return fmt.Errorf("%s: %w", b.Name, err)
	}
	l.pc = isa.AlignUp(l.pc, max(b.Align, 2))
	start := l.pc
	if err := l.define(b.Name); err != nil {
		return err
	}
	for i := range b.Items {
		it := &b.Items[i]
		if err := checkAlign(it.Align); err != nil {
			return at(b, it, err)
		}
		l.pc = isa.AlignUp(l.pc, it.Align)
		if it.Inst.Form != nil && l.pc&1 != 0 {
			return at(b, it, fmt.Errorf("instruction at the odd address %#x; align it to 2", l.pc))
		}
		if it.Label != "" {
			if err := l.define(it.Label); err != nil {
				return at(b, it, err)
			}
		}
		if l.pc += itemSize(it); l.pc-l.org > maxImage {
			return at(b, it, fmt.Errorf("the program is longer than %d bytes", maxImage))
		}
	}
	l.symbols = append(l.symbols, isa.Symbol{Name: b.Name, Addr: start, Size: l.pc - start, Func: b.Code()})
	return nil
}

func checkAlign(n int) error {
	if n < 0 || n&(n-1) != 0 {
		return fmt.Errorf("alignment %d is not a power of two", n)
	}
	return nil
}

func (l *layout) define(name string) error {
	if _, ok := l.labels[name]; ok {
		return fmt.Errorf("label %s is defined twice", name)
	}
	l.labels[name] = l.pc
	return nil
}

func at(b *isa.Block, it *isa.Item, err error) error {
	if it.Line != 0 {
		return fmt.Errorf("%s, line %d: %w", b.Name, it.Line, err)
	}
	return fmt.Errorf("%s: %w", b.Name, err)
}

// emit appends the bytes of a block to code and its lines to im.
func (l *layout) emit(b *isa.Block, code []byte, im *isa.Image) ([]byte, error) {
	code = l.pad(code, max(b.Align, 2), false)
	for i := range b.Items {
		it := &b.Items[i]
		code = l.pad(code, it.Align, it.Nops)
		pc := l.org + uint64(len(code))
		if it.Line != 0 && itemSize(it) != 0 {
			im.Lines = append(im.Lines, isa.Line{Addr: pc, Line: it.Line, File: it.File})
		}
		if it.Inst.Form == nil {
			data, err := l.data(it)
			if err != nil {
				return nil, at(b, it, err)
			}
			code = append(code, data...)
			continue
		}
		in, err := l.resolve(it.Inst)
		if err != nil {
			return nil, at(b, it, err)
		}
		w, err := Arch{}.Encode(in, pc)
		if err != nil {
			return nil, at(b, it, err)
		}
		code = append(code, w...)
	}
	return code, nil
}

// data gives the bytes of an item, with its address.
func (l *layout) data(it *isa.Item) ([]byte, error) {
	if it.Sym == "" {
		return it.Data, nil
	}
	name, addend := splitSym(it.Sym)
	addr, ok := l.labels[name]
	if !ok {
		return nil, fmt.Errorf("no label %s", name)
	}
	data := slices.Clone(it.Data)
	binary.LittleEndian.PutUint32(data, binary.LittleEndian.Uint32(data)+uint32(addr)+uint32(addend))
	return data, nil
}

// pad appends zero bytes, or no-ops as the GNU assembler chooses them: a narrow one first if needed,
// then wide ones.
func (l *layout) pad(code []byte, align int, nops bool) []byte {
	n := int(isa.AlignUp(l.org+uint64(len(code)), align)-l.org) - len(code)
	if !nops {
		return append(code, make([]byte, n)...)
	}
	code = append(code, make([]byte, n&1)...)
	if n&2 != 0 {
		code = append(code, 0x00, 0xbf)
	}
	for range n / 4 {
		code = append(code, 0xaf, 0xf3, 0x00, 0x80)
	}
	return code
}

// resolve replaces the label of an instruction by its address.
func (l *layout) resolve(in isa.Inst) (isa.Inst, error) {
	if in.Sym == "" {
		return in, nil
	}
	name, addend := splitSym(in.Sym)
	addr, ok := l.labels[name]
	if !ok {
		return in, fmt.Errorf("%s: no label %s", in.Form.ID, name)
	}
	for i := range in.Form.Ops {
		if in.Form.Ops[i].Kind == isa.KindLabel {
			in.Args[i] = int64(addr) + addend
		}
	}
	return in, nil
}

// splitSym splits "name+4" and "name-4".
func splitSym(sym string) (name string, addend int64) {
	i := strings.LastIndexAny(sym, "+-")
	if i < 0 {
		return sym, 0
	}
	n, err := strconv.ParseInt(sym[i:], 10, 64)
	if err != nil {
		return sym, 0
	}
	return sym[:i], n
}
