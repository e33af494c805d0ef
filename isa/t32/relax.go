package t32

import (
	"fmt"

	"simrun/isa"
)

// choice is an instruction whose encoding depends on the distance to its label.
type choice struct {
	block *isa.Block
	item  int
	wider []isa.Inst // to try when the present one does not reach
}

// relax widens instructions until every label is in reach or no wider row is left, as the GNU
// assembler does. An instruction never becomes narrower again, so it ends. Assemble names what
// still does not reach. Data that depends on distances is filled in at the end.
func (p *parser) relax() error {
	for {
		changed := false
		l := newLayout(0)
		addrs := map[*isa.Item]uint64{}
		for _, b := range p.blocks() {
			if err := l.place(b); err != nil {
				return fmt.Errorf("%s: %w", p.file, err)
			}
			pc := l.symbols[len(l.symbols)-1].Addr
			for i := range b.Items {
				it := &b.Items[i]
				pc = isa.AlignUp(pc, it.Align)
				addrs[it] = pc
				pc += itemSize(it)
			}
		}
		for i := range p.choices {
			ch := &p.choices[i]
			it := &ch.block.Items[ch.item]
			if len(ch.wider) > 0 && !l.reaches(it.Inst, addrs[it]) {
				it.Inst, ch.wider = ch.wider[0], ch.wider[1:]
				changed = true
			}
		}
		if !changed {
			return p.fixData(l.labels)
		}
	}
}

func (l *layout) reaches(in isa.Inst, pc uint64) bool {
	in, err := l.resolve(in)
	if err != nil {
		return false
	}
	_, err = Arch{}.Encode(in, pc)
	return err == nil
}
