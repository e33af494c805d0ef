package inorder

import (
	"math"
	"math/bits"

	"simrun/costmodel"
	"simrun/isa"
)

// predictor is Rocket's branch prediction: a fully associative buffer of targets, a table of
// counters with global history, and a return stack. It sees the retired path only.
type predictor struct {
	btb       []btbEntry
	order     replacement
	bht       []uint8
	bhtMax    uint8 // largest counter value
	history   uint64
	histBits  int
	foldBits  int
	foldScale uint64 // sqrt(3)/2 of the history's range
	trainAll  bool
	findEarly bool // jumps and returns are found while fetching
	ras       []uint64
	rasTop    int // pushes less pops, modulo len(ras)
	rasDepth  int // valid entries
}

type btbEntry struct {
	word    uint64 // fetch word with the last half of the transfer, plus 1; 0 = empty
	target  uint64
	returns bool // the target is the return stack's
}

// transfer is the control transfer at the end of a run.
type transfer struct {
	branch   bool
	cond     bool
	call     bool
	returns  bool
	indirect bool
	system   bool   // MRET
	word     uint64 // address of the fetch word with its last half
	pc       uint64
	link     uint64
	slot     int // where it was found in the buffer last
}

func newTransfer(st *isa.Static) transfer {
	end := st.PC + uint64(st.Size)
	return transfer{
		branch: st.Flags&isa.Branch != 0, cond: st.Flags&isa.Cond != 0,
		call: st.Flags&isa.Call != 0, returns: st.Flags&isa.Return != 0,
		indirect: st.Flags&isa.Cond == 0 && st.Src != 0, system: st.Flags&isa.System != 0,
		word: (end - 2) &^ 3, pc: st.PC, link: end,
	}
}

// prediction says how a transfer was foreseen.
type prediction uint8

const (
	predicted prediction = iota
	bubble               // foreseen, but only while fetching
	mispredicted
)

func newPredictor(cpu *costmodel.CPU) predictor {
	n := cpu.Param("btb_entries")
	p := predictor{
		btb: make([]btbEntry, n), bhtMax: 1<<cpu.Param("bht_bits") - 1,
		bht:      make([]uint8, cpu.Param("bht_entries")),
		histBits: cpu.Param("bht_history"), foldBits: cpu.Param("bht_fold"),
		trainAll: cpu.Param("bht_all") != 0, findEarly: cpu.Param("redirect") != 0,
		ras: make([]uint64, cpu.Param("ras_entries")),
	}
	p.foldScale = uint64(math.Sqrt(3) / 2 * float64(uint64(1)<<p.histBits))
	p.order = &roundRobin{n: n}
	if cpu.Param("btb_plru") != 0 {
		p.order = &pseudoLRU{n: n}
	}
	return p
}

func (p *predictor) reset() {
	clear(p.btb)
	clear(p.bht)
	p.order.reset()
	p.history, p.rasTop, p.rasDepth = 0, 0, 0
}

// resolve predicts a transfer, compares with what happened, and learns.
func (p *predictor) resolve(t *transfer, taken bool, next uint64) prediction {
	hit := p.find(t)
	got, early := p.guess(t, hit, next)
	right := got == next || got == fallThrough && !taken
	if t.cond && (p.trainAll || hit) {
		p.train(t, taken)
	}
	if taken && !right {
		p.learn(t, hit, next)
	}
	p.returnStack(t)
	switch {
	case !right:
		return mispredicted
	case early:
		return bubble
	}
	return predicted
}

// fallThrough is a guess that names no target.
const fallThrough = math.MaxUint64

// guess returns the predicted target. early says that it was found only while fetching; next is
// the true target, which for a direct jump stands in the fetched word.
func (p *predictor) guess(t *transfer, hit bool, next uint64) (target uint64, early bool) {
	switch {
	case t.cond && hit && p.bht[p.index(t)] > p.bhtMax/2:
		return p.btb[t.slot].target, false
	case t.cond:
		return fallThrough, false
	case hit && p.btb[t.slot].returns && p.rasDepth > 0:
		return p.ras[p.rasTop], false
	case hit:
		return p.btb[t.slot].target, false
	case !p.findEarly:
		return fallThrough, false
	case t.returns && p.rasDepth > 0:
		return p.ras[p.rasTop], true
	case !t.indirect:
		return next, true
	}
	return fallThrough, false
}

// find looks the transfer up and leaves its place in t.slot.
func (p *predictor) find(t *transfer) bool {
	if p.btb[t.slot].word == t.word+1 {
		p.order.touch(t.slot)
		return true
	}
	for i := range p.btb {
		if p.btb[i].word == t.word+1 {
			t.slot = i
			p.order.touch(i)
			return true
		}
	}
	return false
}

func (p *predictor) learn(t *transfer, hit bool, target uint64) {
	if !hit {
		t.slot = p.order.victim()
	}
	p.btb[t.slot] = btbEntry{word: t.word + 1, target: target, returns: t.returns}
	p.order.touch(t.slot)
}

// index hashes the fetch word's address with the history. Folded, the history is multiplied by
// foldScale, and the top bits of the product go to the top of the index.
func (p *predictor) index(t *transfer) uint64 {
	word, history := t.word>>2, p.history
	if p.foldBits > 0 {
		width := bits.Len(uint(len(p.bht))) - 1
		word ^= word >> width & 3
		history = p.foldScale * history & (1<<p.histBits - 1) >> (p.histBits - p.foldBits) << (width - p.foldBits)
	}
	return (word ^ history) & uint64(len(p.bht)-1)
}

func (p *predictor) train(t *transfer, taken bool) {
	c := &p.bht[p.index(t)]
	bit := uint64(0)
	if taken {
		bit = 1
		*c = min(*c+1, p.bhtMax)
	} else if *c > 0 {
		*c--
	}
	p.history = (p.history<<1 | bit) & (1<<p.histBits - 1)
}

// returnStack pushes the link of a call and pops at a return.
func (p *predictor) returnStack(t *transfer) {
	if len(p.ras) == 0 {
		return
	}
	if t.returns && p.rasDepth > 0 {
		p.rasDepth--
		if p.rasTop--; p.rasTop < 0 {
			p.rasTop = len(p.ras) - 1
		}
	}
	if t.call {
		if p.rasTop++; p.rasTop == len(p.ras) {
			p.rasTop = 0
		}
		p.ras[p.rasTop] = t.link
		p.rasDepth = min(p.rasDepth+1, len(p.ras))
	}
}
