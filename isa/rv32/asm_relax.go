package rv32

import (
	"encoding/binary"
	"fmt"

	"simrun/isa"
)

// section collects what a file puts into one section, in order, with sizes still open.
type section struct {
	data   bool // pad with zeros, not with no-ops
	drafts []draft
	far    int // branches inverted so far
}

// draft is an item whose final form depends on addresses.
type draft struct {
	item  isa.Item
	start bool     // the label starts a block
	align int      // pad to this power of two
	short isa.Inst // compressed form of the branch in item; no Form: it has none
	rvc   bool     // compressed forms were allowed here
	at    int      // offset in the section
	size  int
}

func (s *section) label(name string, start bool, line int) {
	s.drafts = append(s.drafts, draft{item: isa.Item{Label: name, Line: line}, start: start})
}

func (s *section) align(n, line int) {
	s.drafts = append(s.drafts, draft{item: isa.Item{Line: line}, align: n})
}

func (s *section) bytes(p []byte, line int) {
	s.drafts = append(s.drafts, draft{item: isa.Item{Data: p, Line: line}, size: len(p)})
}

// inst adds an instruction and compresses it if rvc allows; of branches to labels only the
// short form is noted.
func (s *section) inst(in isa.Inst, rvc bool, line int) {
	d := draft{rvc: rvc}
	switch label := in.Form.Flags&isa.Branch != 0 && in.Sym != "" && !isReloc(in.Sym); {
	case rvc && label:
		if c, ok := compressAnywhere(in); ok {
			c.Sym = in.Sym
			d.short = c
		}
	case rvc && in.Sym == "":
		in, _ = Compress(in, 0)
	}
	d.item = isa.Item{Inst: in, Line: line}
	d.size = entries[in.Form.Num].pat.size
	if d.short.Form != nil {
		d.size = 2
	}
	s.drafts = append(s.drafts, d)
}

// Reach of the branches from their own address: distances d with -reach <= d < reach.
const (
	reachShortCond = 1 << 8
	reachShortJump = 1 << 11
	reachCond      = 1 << 12
)

// maxRounds bounds relax: real code settles in a few rounds, a text made to grow one branch in each
// would take time in the square of its length.
const maxRounds = 100

// relax lets branches grow until all reach their labels.
func (s *section) relax() error {
	for range maxRounds {
		grown := false
		known := s.place()
		for i := range s.drafts {
			d := &s.drafts[i]
			if n := d.needs(known); n > d.size {
				d.size, grown = n, true
			}
		}
		if !grown {
			return nil
		}
	}
	return fmt.Errorf("the sizes of branches do not settle in %d rounds; divide the file", maxRounds)
}

// place sets the offsets by the present sizes and returns those of the labels.
func (s *section) place() labels {
	known := labels{}
	at := 0
	for i := range s.drafts {
		d := &s.drafts[i]
		d.at = at
		if d.align > 1 {
			d.size = -at & (d.align - 1)
		}
		if d.item.Label != "" {
			known[d.item.Label] = uint64(at)
		}
		at += d.size
	}
	return known
}

// needs is the size of a branch for the present distance to its label: 2, 4, or 8 (6) for a
// conditional branch inverted around a jump. Labels of other sections count as near.
func (d *draft) needs(known labels) int {
	f := d.item.Inst.Form
	if f == nil || f.Flags&isa.Branch == 0 || f.Feature == "c" || d.item.Inst.Sym == "" || isReloc(d.item.Inst.Sym) {
		return d.size
	}
	to, err := known.address(d.item.Inst.Sym)
	ok, dist, short := err == nil, int(int32(uint32(to)-uint32(d.at))), reachShortJump
	if f.Flags&isa.Cond != 0 {
		short = reachShortCond
	}
	within := func(reach int) bool { return ok && -reach <= dist && dist < reach }
	switch {
	case d.short.Form != nil && within(short):
		return 2
	case f.Flags&isa.Cond == 0 || !ok || within(reachCond):
		return 4
	case d.short.Form != nil:
		return 6
	}
	return 8
}

// blocks turns the drafts into blocks. The first carries the largest alignment, so that all
// padding made here holds wherever the program is put.
func (s *section) blocks() ([]*isa.Block, error) {
	if err := s.relax(); err != nil {
		return nil, err
	}
	var out []*isa.Block
	var cur *isa.Block
	largest := 0
	for i := range s.drafts {
		d := &s.drafts[i]
		largest = max(largest, d.align)
		if d.start || cur == nil && d.align == 0 {
			cur = &isa.Block{Name: d.item.Label}
			out = append(out, cur)
			if d.item.Label == "" {
				cur.Name = s.unnamed()
			} else {
				continue
			}
		}
		if cur != nil {
			cur.Items = append(cur.Items, s.items(d)...)
		}
	}
	if len(out) > 0 && largest > 1 {
		out[0].Align = largest
	}
	return out, nil
}

// unnamed is the name of a block that no label starts; it differs between the sections.
func (s *section) unnamed() string {
	if s.data {
		return ".Lrodata"
	}
	return ".Ltext"
}

// items gives the final items of a draft.
func (s *section) items(d *draft) []isa.Item {
	in := d.item.Inst
	switch {
	case d.align > 1:
		return s.padding(d.size, d.item.Line)
	case in.Form == nil || d.size == entries[in.Form.Num].pat.size:
		return []isa.Item{d.item}
	case d.size == 2:
		return []isa.Item{{Inst: d.short, Line: d.item.Line}}
	}
	return s.inverted(d)
}

// inverted is a conditional branch out of reach: the opposite one around a jump.
func (s *section) inverted(d *draft) []isa.Item {
	s.far++
	skip, line := fmt.Sprintf("%s.far.%d", s.unnamed(), s.far), d.item.Line
	branch := d.item.Inst
	if d.size == 6 {
		branch = d.short
	}
	jump := Make("JAL", int64(Zero), 0)
	jump.Sym = branch.Sym
	branch.Form = &byID[opposite[branch.Form.ID]].form
	branch.Sym = skip
	return []isa.Item{{Inst: branch, Line: line}, {Inst: jump, Line: line}, {Label: skip, Line: line}}
}

var opposite = map[string]string{
	"BEQ": "BNE", "BNE": "BEQ", "BLT": "BGE", "BGE": "BLT", "BLTU": "BGEU", "BGEU": "BLTU",
	"C.BEQZ": "C.BNEZ", "C.BNEZ": "C.BEQZ",
}

// padding fills n bytes as the GNU assembler does: with zeros in data; in code a zero byte if n
// is odd, then a 2-byte no-op if needed, then 4-byte ones.
func (s *section) padding(n, line int) []isa.Item {
	if n == 0 {
		return nil
	}
	p := make([]byte, n)
	if s.data {
		return []isa.Item{{Data: p, Line: line}}
	}
	at := n % 2
	if n%4 >= 2 {
		binary.LittleEndian.PutUint16(p[at:], 0x0001)
		at += 2
	}
	for ; at < n; at += 4 {
		binary.LittleEndian.PutUint32(p[at:], 0x00000013)
	}
	return []isa.Item{{Data: p, Line: line, Note: "no-ops"}}
}
