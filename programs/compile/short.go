package compile

import (
	"fmt"
	"slices"

	"simrun/isa"
)

// shortens reports whether there are shorter encodings for the CPU.
func (s *state) shortens() bool {
	t := s.target
	return t.Shorten != nil && (t.ShortFeature == "" || slices.Contains(s.opt.Features, t.ShortFeature))
}

// runShorten takes the shorter encoding of every instruction that has one which changes no register that is read
// later. Where that could cost cycles and size is not all, only two neighbours at a time become short, so that every
// long instruction stays aligned. Whether labels are in reach of a short form is seen by layOut.
func runShorten(s *state) error {
	items := s.block.Items
	live := liveBehind(items, callerReads(s.target.Arch.ABI()))
	s.longer = map[int]isa.Inst{}
	all := s.target.ShortIsFree || s.opt.Short&ShortEncodings != 0
	single := -1 // a short form that waits for a neighbour
	var waiting isa.Inst
	for i := range items {
		short, ok := s.shorter(&items[i].Inst, live[i])
		switch {
		case all && ok:
			s.shorten(i, short)
		case all:
		case !ok || items[i].Inst.Sym != "":
			single = -1
		case single == i-1 && i > 0:
			s.shorten(i-1, waiting)
			s.shorten(i, short)
			single = -1
		default:
			single, waiting = i, short
		}
	}
	return nil
}

// shorter is the short form of an instruction behind which some registers are live.
func (s *state) shorter(in *isa.Inst, live isa.RegSet) (isa.Inst, bool) {
	if in.Form == nil {
		return *in, false
	}
	short, ok := s.target.Shorten(*in, ^live)
	return short, ok && writtenBy(&short)&^writtenBy(in)&live == 0
}

func (s *state) shorten(item int, short isa.Inst) {
	in := &s.block.Items[item].Inst
	s.longer[item], *in = *in, short
}

// layout is a function whose instructions do not have their last length yet.
type layout struct {
	t      *Target
	sized  isa.Sized
	heads  map[string]bool
	drafts []draft
	far    int // branches replaced so far
}

type draft struct {
	item   isa.Item
	longer isa.Inst // may be taken instead, if it has a Form
	pc     uint64   // from the start of the function
}

// layOut gives instructions with labels the shortest form that reaches, and takes back short forms so that no loop
// begins with an instruction that its branch needs two fetches for. Code only grows, so it ends.
func (s *state) layOut() {
	l := layout{t: s.target, sized: s.target.Arch.(isa.Sized), heads: s.heads}
	for i, it := range s.block.Items {
		l.drafts = append(l.drafts, draft{item: it, longer: s.longer[i]})
	}
	for l.reach() || l.alignLoop() {
	}
	s.block.Items = s.block.Items[:0:0]
	for i := range l.drafts {
		s.block.Items = append(s.block.Items, l.drafts[i].item)
	}
}

// place finds the addresses and returns those of the labels.
func (l *layout) place() map[string]uint64 {
	labels := map[string]uint64{}
	pc := uint64(0)
	for i := range l.drafts {
		d := &l.drafts[i]
		pc = isa.AlignUp(pc, d.item.Align)
		d.pc = pc
		if d.item.Label != "" {
			labels[d.item.Label] = pc
		}
		pc += l.size(d)
	}
	return labels
}

func (l *layout) size(d *draft) uint64 {
	if d.item.Inst.Form == nil {
		return uint64(len(d.item.Data))
	}
	return uint64(l.sized.Size(d.item.Inst.Form))
}

// reach lengthens what does not reach its label and reports whether there was any.
func (l *layout) reach() bool {
	labels := l.place()
	grown := false
	for i := 0; i < len(l.drafts); i++ {
		d := &l.drafts[i]
		to, known := labels[d.item.Inst.Sym]
		if !known || d.item.Inst.Form == nil || l.reaches(d, to) {
			continue
		}
		switch {
		case d.longer.Form != nil:
			d.item.Inst, d.longer = d.longer, isa.Inst{}
			grown = true
		case l.t.Far != nil && d.item.Inst.Form.Flags&isa.Cond != 0:
			l.drafts = slices.Replace(l.drafts, i, i+1, l.farther(d.item)...)
			grown = true
		}
	}
	return grown
}

func (l *layout) reaches(d *draft, to uint64) bool {
	in := d.item.Inst
	for i, op := range in.Form.Ops {
		if op.Kind == isa.KindLabel {
			in.Args[i], in.Sym = int64(to), ""
		}
	}
	_, err := l.t.Arch.Encode(in, d.pc)
	return err == nil
}

// farther replaces a conditional branch.
func (l *layout) farther(it isa.Item) []draft {
	l.far++
	over := fmt.Sprintf(".Lover%d", l.far)
	var list []draft
	for _, in := range l.t.Far(it.Inst, over) {
		list = append(list, draft{item: isa.Item{Inst: in, Note: it.Note, File: it.File, Line: it.Line}})
	}
	return append(list, draft{item: isa.Item{Label: over}})
}

// alignLoop moves the first loop that begins across a boundary by making an instruction before it longer, and reports
// whether it did.
func (l *layout) alignLoop() bool {
	if l.t.LoopAlign == 0 {
		return false
	}
	l.place()
	above := -1 // the nearest instruction that can be longer and moves no loop before
	for i := range l.drafts {
		d := &l.drafts[i]
		if d.longer.Form != nil && d.item.Inst.Sym == "" {
			above = i
		}
		if !l.heads[d.item.Label] {
			continue
		}
		if l.crosses(i) && above >= 0 {
			l.drafts[above].item.Inst, l.drafts[above].longer = l.drafts[above].longer, isa.Inst{}
			return true
		}
		above = -1
	}
	return false
}

// crosses reports whether the instruction behind the label at i crosses a boundary.
func (l *layout) crosses(i int) bool {
	for ; i < len(l.drafts); i++ {
		if d := &l.drafts[i]; d.item.Inst.Form != nil {
			a := uint64(l.t.LoopAlign)
			return d.pc/a != (d.pc+l.size(d)-1)/a
		}
	}
	return false
}
