package compile

import (
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"simrun/isa"
	"simrun/programs/ir"
)

// gateProc is straight-line code of random gates on some inputs, which arrive in registers or in spill slots. Its last
// values are read behind the end.
func gateProc(t *Target, rng *rand.Rand, inputs, gates int) *Proc {
	p := &Proc{again: true}
	reg := func() int64 {
		p.Regs = append(p.Regs, VReg{})
		return int64(isa.VirtBase + len(p.Regs) - 1)
	}
	mark := MInst{Kind: KindPin}
	for range inputs {
		mark.Pins = append(mark.Pins, Pin{reg(), isa.NoReg, true})
	}
	p.Code = append(p.Code, mark)
	for len(p.Code) <= gates {
		n := len(p.Regs)
		a, b := isa.VirtBase+rng.IntN(n), isa.VirtBase+max(rng.IntN(n), rng.IntN(n))
		if a == b {
			continue
		}
		g := rng.IntN(len(t.Gates))
		if rng.IntN(2) == 0 { // xors make sums that others can be made of
			g = slices.IndexFunc(t.Gates, func(g Gate) bool { return g.Truth == xorTruth })
		}
		d := reg()
		p.Code = append(p.Code, MInst{Inst: t.Gates[g].Make(d, int64(a), int64(b)), ins: []int64{int64(a), int64(b)}, outs: []int64{d}})
	}
	for v := len(p.Regs) - 4; v < len(p.Regs); v++ {
		p.after = append(p.after, read{int64(isa.VirtBase + v), 2 * len(p.Code)})
	}
	return p
}

// bruteForce computes every register of p for one assignment of its inputs, a bit at a time.
func bruteForce(t *testing.T, tg *Target, p *Proc, bit func(i int) uint8) []uint8 {
	t.Helper()
	val := make([]uint8, len(p.Regs))
	for i := range p.Code[0].Pins {
		val[i] = bit(i)
	}
	for i := range p.Code[1:] {
		m := &p.Code[1+i]
		g, a, b, ok := asGate(tg, m)
		if !ok {
			t.Fatalf("instruction %d is no gate", i)
		}
		val[idx(m.outs[0])] = tg.Gates[g].Truth >> (2*val[idx(a)] + val[idx(b)]) & 1
	}
	return val
}

// TestAlternatives: every definition found gives the value of the text for every assignment of the inputs.
func TestAlternatives(t *testing.T) {
	tg, found := benchTarget(), 0
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		inputs := rapid.IntRange(2, 10).Draw(rt, "inputs")
		p := gateProc(tg, rng, inputs, 60)
		findEquivalents(p, tg)
		for x := range 1 << inputs {
			val := bruteForce(t, tg, p, func(i int) uint8 { return uint8(x >> i & 1) })
			for v, list := range p.alts {
				for _, alt := range list {
					found++
					if got := alt.truth >> (2*val[idx(alt.a)] + val[idx(alt.b)]) & 1; got != val[v] {
						rt.Fatalf("inputs %b: v%d is %d, by gate %04b of v%d v%d it is %d", x, v, val[v], alt.truth, idx(alt.a), idx(alt.b), got)
					}
				}
			}
		}
	})
	if found == 0 {
		t.Error("no other definition was found anywhere")
	}
}

// TestSboxDefinitions: the AES S-box is 112 gates, and there are more than 300 exact definitions of its values and inputs.
func TestSboxDefinitions(t *testing.T) {
	s := selected(t, "aes/fixsliced.kir", "aes128/fixsliced")
	first := slices.IndexFunc(s.proc.Code, func(m MInst) bool { return fromSbox(&m) })
	values := map[int64]bool{}
	gates, all := 0, 0
	for i := first; fromSbox(&s.proc.Code[i]); i++ {
		gates++
		for _, v := range slices.Concat(s.proc.Code[i].ins, s.proc.Code[i].outs) {
			values[v] = true
		}
	}
	for v := range values {
		all += len(s.proc.alts[idx(v)])
	}
	if all += gates; gates != 112 || all < 300 {
		t.Errorf("%d gates with %d definitions, want 112 and at least 300", gates, all)
	}
}

func fromSbox(m *MInst) bool { return m.Kind == KindInst && m.Pos.File == "aes/sbox.kir" }

// machine runs allocated gates on bits.
type machine struct {
	reg         [isa.NoReg + 1]uint8
	slot        map[int]uint8
	again, dead int // gates beyond the text's, and stores that nobody read
}

func (x *machine) run(t *testing.T, tg *Target, out []MInst) {
	t.Helper()
	unread := map[int]bool{}
	for i := range out {
		m := &out[i]
		switch {
		case m.Slot > 0 && isLoad(m):
			x.reg[m.Args[0]] = x.slot[m.Slot]
			delete(unread, m.Slot)
		case m.Slot > 0:
			if unread[m.Slot] {
				x.dead++
			}
			x.slot[m.Slot], unread[m.Slot] = x.reg[m.Args[0]], true
		default:
			g := slices.IndexFunc(tg.Gates, func(g Gate) bool { return g.Make(m.Args[0], m.Args[1], m.Args[2]) == m.Inst })
			if g < 0 {
				t.Fatalf("instruction %d is no gate", i)
			}
			x.reg[m.Args[0]] = tg.Gates[g].Truth >> (2*x.reg[m.Args[1]] + x.reg[m.Args[2]]) & 1
			if m.ins == nil {
				x.again++
			}
		}
	}
}

// TestMadeAgain: with few registers, so that values are made again all the time, the allocated code leaves
// the same results behind as without, and stores nothing that is not read.
func TestMadeAgain(t *testing.T) {
	tg := *benchTarget()
	tg.Regs[isa.GPR] = tg.Regs[isa.GPR][:5]
	tg.PairLoads = false
	again := 0
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 2))
		p := gateProc(&tg, rng, 6, 50)
		findEquivalents(p, &tg)
		x := rng.IntN(64)
		want := bruteForce(t, &tg, p, func(i int) uint8 { return uint8(x >> i & 1) })
		a := &allocator{t: &tg}
		a.run(p)
		m := machine{slot: map[int]uint8{}}
		for i, pin := range p.Code[0].Pins { // those that are read have slots, in their order
			if a.last[idx(pin.V)] >= 0 {
				m.slot[1+4*len(m.slot)] = uint8(x >> i & 1)
			}
		}
		m.run(t, &tg, a.out)
		again += m.again
		if m.dead > 0 {
			rt.Errorf("%d stores that nobody reads", m.dead)
		}
		for _, r := range p.after {
			pl := a.at[idx(r.v)]
			got := m.slot[1+pl.slot]
			if pl.reg != isa.NoReg {
				got = m.reg[pl.reg]
			}
			if got != want[idx(r.v)] {
				rt.Errorf("v%d is %d, want %d", idx(r.v), got, want[idx(r.v)])
			}
		}
	})
	if again == 0 {
		t.Error("nothing was made again")
	}
}

// TestChoices: definitions go to a schedule file and back; those that are not proven equal are refused, and without the
// pass that proves them the order alone is used.
func TestChoices(t *testing.T) {
	f, err := ir.ParseFile(os.DirFS("../../ciphers"), "aes/fixsliced.kir")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Level: 1, Budget: 1 << 20, Search: Search{Tries: 2000, Seed: 1}}
	search, err := NewSearcher(f.Kernel("aes128/fixsliced"), benchTarget(), o)
	if err != nil {
		t.Fatal(err)
	}
	search.Run(2000)
	sched := Schedule{Kernel: "k", CPU: "c"}
	sched.SetOrder(search.Best())
	back, err := ParseSchedule(sched.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	order := back.Order()
	if len(order.Gates) == 0 || !slices.Equal(order.Gates, search.Best().Gates) || !slices.Equal(order.Places, search.Best().Places) {
		t.Fatalf("%d definitions came back of %d", len(order.Gates), len(search.Best().Gates))
	}
	compileWith := func(order Order, without ...string) error {
		_, err := Compile(f.Kernel("aes128/fixsliced"), benchTarget(), Options{Level: 1, Order: &order, Without: without})
		return err
	}
	if err := compileWith(*order); err != nil {
		t.Error(err)
	}
	if err := compileWith(*order, "equivalents"); err != nil {
		t.Error(err)
	}
	for _, spoil := range []func(*Choice){
		func(c *Choice) { c.At = -1 }, func(c *Choice) { c.At = 1 << 30 }, func(c *Choice) { c.A++ }, func(c *Choice) { c.Truth ^= 15 },
	} {
		bad := *order
		bad.Gates = slices.Clone(order.Gates)
		spoil(&bad.Gates[0])
		if err := compileWith(bad); !errors.Is(err, ErrOrder) {
			t.Errorf("%v for %v: %v", bad.Gates[0], order.Gates[0], err)
		}
	}
}
