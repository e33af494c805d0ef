package rv32

import (
	"fmt"
	"strconv"
	"strings"

	"simrun/isa"
)

// labels are addresses by name.
type labels map[string]uint64

// layout is the address of every block, label and item of a program.
type layout struct {
	labels
	start []uint64   // of each block
	items [][]uint64 // of each item, behind its alignment
	end   uint64
	hi    map[uint64]string // symbol that the AUIPC at an address takes %pcrel_hi of
}

// Assemble lays the blocks out one behind the other from org, padding with zero bytes.
func (a Arch) Assemble(blocks []*isa.Block, org uint64) (*isa.Image, error) {
	l, err := layOut(blocks, org)
	if err != nil {
		return nil, err
	}
	code := make([]byte, l.end-org)
	im := &isa.Image{Arch: a.Name(), Entry: org}
	for bi, b := range blocks {
		if bi == 0 {
			im.Entry = l.start[0]
		}
		end := l.start[bi]
		for ii := range b.Items {
			it, at := &b.Items[ii], l.items[bi][ii]
			p, err := l.bytes(it, at)
			if err != nil {
				return nil, fmt.Errorf("%s+%#x: %w", b.Name, at-l.start[bi], withLine(err, it.Line))
			}
			end = at + uint64(copy(code[at-org:], p))
			if it.Line != 0 && len(p) != 0 {
				im.Lines = append(im.Lines, isa.Line{Addr: at, Line: it.Line, File: it.File})
			}
		}
		im.Symbols = append(im.Symbols, isa.Symbol{Name: b.Name, Addr: l.start[bi], Size: end - l.start[bi], Func: true})
	}
	im.Segments = []isa.Segment{{Addr: org, Data: code, Size: uint64(len(code)), Perm: isa.R | isa.X}}
	return im, nil
}

func withLine(err error, line int) error {
	if line == 0 {
		return err
	}
	return fmt.Errorf("line %d: %w", line, err)
}

// layOut finds all addresses. Sizes do not depend on them: forms are explicit.
func layOut(blocks []*isa.Block, org uint64) (*layout, error) {
	l := &layout{labels: labels{}, hi: map[uint64]string{}}
	at := org
	for _, b := range blocks {
		at = isa.AlignUp(at, b.Align)
		if err := l.define(b.Name, at); err != nil {
			return nil, err
		}
		l.start = append(l.start, at)
		addrs := make([]uint64, len(b.Items))
		for i := range b.Items {
			it := &b.Items[i]
			at = isa.AlignUp(at, it.Align)
			addrs[i] = at
			if it.Label != "" {
				if err := l.define(it.Label, at); err != nil {
					return nil, withLine(err, it.Line)
				}
			}
			if target, ok := relocArg(it.Inst.Sym, "%pcrel_hi"); ok {
				l.hi[at] = target
			}
			at += uint64(itemSize(it))
		}
		l.items = append(l.items, addrs)
	}
	if org > at || at > 1<<32 {
		return nil, fmt.Errorf("code at %#x..%#x does not fit the 32-bit address space", org, at)
	}
	l.end = at
	return l, nil
}

func (l *layout) define(name string, at uint64) error {
	if _, dup := l.labels[name]; dup {
		return fmt.Errorf("label %s is defined twice", name)
	}
	l.labels[name] = at
	return nil
}

func itemSize(it *isa.Item) int {
	if it.Inst.Form != nil {
		return entries[it.Inst.Form.Num].pat.size
	}
	return len(it.Data)
}

// bytes gives the bytes of an item, its symbol resolved.
func (l *layout) bytes(it *isa.Item, at uint64) ([]byte, error) {
	if it.Inst.Form == nil {
		return it.Data, nil
	}
	in, err := l.resolve(it.Inst, at)
	if err != nil {
		return nil, err
	}
	return (Arch{}).Encode(in, at)
}

// resolve replaces in.Sym by a value in the operand that takes it.
func (l *layout) resolve(in isa.Inst, at uint64) (isa.Inst, error) {
	if in.Sym == "" {
		return in, nil
	}
	reloc := isReloc(in.Sym)
	for i, op := range in.Form.Ops {
		if op.Kind == isa.KindLabel && !reloc || reloc && takesReloc(op.Name) {
			v, err := l.value(in.Sym, at)
			in.Args[i], in.Sym = v, ""
			return in, err
		}
	}
	return in, fmt.Errorf("%s takes no symbol such as %s", in.Form.ID, in.Sym)
}

// value is the number that a symbolic operand stands for at address at.
func (l *layout) value(sym string, at uint64) (int64, error) {
	name, arg, ok := cutReloc(sym)
	if !ok {
		v, err := l.address(sym)
		return int64(v), err
	}
	if name == "%pcrel_lo" {
		return l.pcrelLo(arg)
	}
	v, err := l.address(arg)
	if err != nil {
		return 0, err
	}
	switch name {
	case "%hi":
		return int64(hi20(uint32(v))), nil
	case "%pcrel_hi":
		return int64(hi20(uint32(v - at))), nil
	}
	return lo12(uint32(v)), nil
}

// pcrelLo is the low part of the distance whose high part the AUIPC at label took.
func (l *layout) pcrelLo(label string) (int64, error) {
	at, err := l.address(label)
	if err != nil {
		return 0, err
	}
	target, ok := l.hi[at]
	if !ok {
		return 0, fmt.Errorf("%%pcrel_lo(%s): there is no %%pcrel_hi at that label", label)
	}
	v, err := l.address(target)
	return lo12(uint32(v - at)), err
}

// address is that of a label, with an offset behind it if any: table+16.
func (l labels) address(sym string) (uint64, error) {
	name, off := sym, int64(0)
	if i := strings.LastIndexAny(sym, "+-"); i > 0 {
		if n, err := strconv.ParseInt(sym[i:], 0, 64); err == nil {
			name, off = sym[:i], n
		}
	}
	v, ok := l[name]
	if !ok {
		return 0, fmt.Errorf("label %s is not defined", name)
	}
	return uint64(uint32(v + uint64(off))), nil
}

// hi20 and lo12 split a word for LUI or AUIPC and a signed 12-bit immediate.
func hi20(v uint32) uint32 { return (v + 0x800) >> 12 }
func lo12(v uint32) int64  { return int64(int32(v<<20) >> 20) }

// The relocation operators of GNU syntax that are understood here.
var relocs = []string{"%pcrel_hi", "%pcrel_lo", "%hi", "%lo"}

func isReloc(sym string) bool { return strings.HasPrefix(sym, "%") }

// takesReloc reports whether an operand of that name may be such an expression.
func takesReloc(name string) bool { return name == "imm" || name == "upper" }

// relocArg returns the operand of the given operator; false if sym is something else.
func relocArg(sym, op string) (string, bool) {
	name, arg, ok := cutReloc(sym)
	return arg, ok && name == op
}

// cutReloc splits "%hi(x)".
func cutReloc(sym string) (name, arg string, ok bool) {
	for _, r := range relocs {
		if rest, found := strings.CutPrefix(sym, r+"("); found && strings.HasSuffix(rest, ")") {
			return r, strings.TrimSpace(rest[:len(rest)-1]), true
		}
	}
	return "", "", false
}
