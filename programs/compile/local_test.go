package compile

import (
	"slices"
	"testing"

	"simrun/isa"
)

// TestRevivedGates: an instruction that nobody needs may read a value that no register and no slot holds when a part
// begins; no definition in the part may need it then. Every definition is taken in turn, and the part allocated.
func TestRevivedGates(t *testing.T) {
	s := selected(t, "aes/fixsliced.kir", "aes128/fixsliced")
	addNeedless(s.proc, s.target)
	findEquivalents(s.proc, s.target)
	search := newSearcher(s.proc, s.target, &Options{Search: Search{Tries: 200, Seed: 1}})
	taken, gone := 0, 0
	for i := range search.plan {
		ph := &search.plan[i]
		if ph.whole() || i > 0 && ph.group.starts[0] == search.plan[i-1].group.starts[0] {
			continue
		}
		l := search.newLocal(&ph.group)
		gone += readsOfGone(l)
		for _, k := range l.several {
			for o := range l.options[k] {
				st := l.now.clone()
				st.Take[k] = int32(o)
				if !l.fits(st) {
					continue
				}
				now := l.now.clone()
				l.set(st)
				l.evaluate() // panics if a value is nowhere
				l.set(now)
				taken++
			}
		}
	}
	if taken < 1000 || gone == 0 {
		t.Errorf("%d definitions taken, %d instructions read what is gone: nothing was tested", taken, gone)
	}
}

// readsOfGone counts the instructions of a part that read what was made before it and is nowhere at its beginning.
func readsOfGone(l *local) (n int) {
	there := map[int64]bool{}
	for _, pin := range l.p.Code[0].Pins {
		there[pin.V] = true
	}
	for i := range l.code {
		for _, v := range l.code[i].outs {
			there[v] = true
		}
	}
	for i := range l.code {
		if slices.ContainsFunc(l.code[i].ins, func(v int64) bool { return !there[v] && len(l.p.Reg(v).Remat) == 0 }) {
			n++
		}
	}
	return n
}

// addNeedless puts a gate that nobody reads in front of every y = (a ^ b) ^ c: a ^ c, of which y could be made.
func addNeedless(p *Proc, tg *Target) {
	maker := map[int64][2]int64{}
	var code []MInst
	for _, m := range p.Code {
		g, x, c, ok := asGate(tg, &m)
		if ok && tg.Gates[g].Truth == xorTruth {
			if ab, made := maker[x]; made {
				p.Regs = append(p.Regs, VReg{Class: p.Reg(x).Class})
				d := int64(isa.VirtBase + len(p.Regs) - 1)
				code = append(code, MInst{Inst: tg.Gates[g].Make(d, ab[0], c), Pos: m.Pos, ins: []int64{ab[0], c}, outs: []int64{d}})
			}
			maker[m.outs[0]] = [2]int64{x, c}
		}
		code = append(code, m)
	}
	p.Code = code
}
