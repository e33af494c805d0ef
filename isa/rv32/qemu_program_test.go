package rv32

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// Registers that random programs only read: bases of the data window and the place of the
// results. Compressed rows need s1 and sp as bases.
var fixedRegs = isa.Set(Zero, SP, S1, GP)

const (
	programSteps = 400
	windowSize   = 8192 // bytes of data; s1 points into the middle, sp a quarter of the reach further
)

// TestQEMUPrograms compares random programs of straight code, forward branches, loads, stores and
// atomics: what single instructions cannot show, such as LR/SC pairs.
func TestQEMUPrograms(t *testing.T) {
	qemu := foreign.Tool(t, "qemu-riscv32")
	for seed := range foreign.Count(20, 1000) {
		g := &generator{rnd: rand.New(rand.NewPCG(6, uint64(seed)))}
		image := g.program()
		want := runQEMU(t, qemu, image)
		mem := &isa.Memory{}
		region := &isa.Region{Name: "all", Base: progBase, Data: image, Perm: isa.R | isa.W | isa.X}
		if err := mem.Add(region); err != nil {
			t.Fatal(err)
		}
		c := New().NewCore(mem, allFeatures)
		c.SetPC(progBase)
		if s := c.Run(nil, 0, isa.NoAddr); s.Kind != isa.StopSystem {
			t.Fatalf("seed %d: stopped by %+v", seed, s)
		}
		got, err := mem.Read(g.window, windowSize)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("seed %d: %s\n%s", seed, firstDiff(got, want), g.text.String())
		}
	}
}

func firstDiff(got, want []byte) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d bytes, QEMU %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			return fmt.Sprintf("byte %d is %#x, QEMU %#x", i, got[i], want[i])
		}
	}
	return "equal"
}

// generator writes one random program. The window's first 128 bytes take the registers at the end.
type generator struct {
	rnd    *rand.Rand
	text   bytes.Buffer
	window uint64
	base   uint64 // value of s1: the middle of the window
}

func (g *generator) program() []byte {
	const codeSize = 8192
	g.window = progBase + codeSize
	g.base = g.window + windowSize/2
	fmt.Fprintf(&g.text, "li s1, %d\nli sp, %d\nli gp, %d\n", g.base, g.base+512, g.window)
	for r := isa.Reg(1); r < numRegs; r++ {
		if !fixedRegs.Has(r) {
			fmt.Fprintf(&g.text, "li %s, %d\n", regNames[r], g.rnd.Uint32())
		}
	}
	for i := range programSteps {
		fmt.Fprintf(&g.text, "l%d: %s\n", i, g.step(i))
	}
	fmt.Fprintf(&g.text, "l%d:\nl%d:\nl%d:\n", programSteps, programSteps+1, programSteps+2)
	for r := 1; r < numRegs; r++ {
		fmt.Fprintf(&g.text, "sw %s, %d(gp)\n", regNames[r], 4*r)
	}
	g.text.WriteString(writeAndExit(int(g.window), windowSize))
	image := mustAssemble(g.text.String(), progBase).Segments[0].Data
	return append(image, make([]byte, codeSize+windowSize-len(image))...)
}

// step gives the text of one random instruction.
func (g *generator) step(i int) string {
	for {
		e := entries[g.rnd.IntN(len(entries))]
		if notInQEMU[e.form.ID] != "" {
			continue
		}
		in := randomInst(e, 0, func(lo, hi int64) int64 { return lo + g.rnd.Int64N(hi-lo+1) })
		if e.form.Feature == "a" && g.rnd.IntN(2) == 0 {
			in.Args[e.operandIndex("rs1")] = int64(S1)
		}
		text, ok := g.usable(in, i)
		switch {
		case !ok:
		case e.kind == kLr || e.kind == kSc:
			return g.pair()
		default:
			return text
		}
	}
}

// pair is an LR with an SC right behind it, of the same or another word. Stores between the two
// are left out: whether SC then succeeds is the implementation's choice.
func (g *generator) pair() string {
	bases := []string{"s1", "s1", "sp"}
	return fmt.Sprintf("lr.w a0, (%s)\nadd a0, a0, a1\nsc.w a1, a0, (%s)",
		bases[g.rnd.IntN(3)], bases[g.rnd.IntN(3)])
}

// usable accepts what keeps the program in its bounds: branches go up to three labels on, memory
// rows use a base register, no base register is written. AUIPC differs in nothing but its place.
func (g *generator) usable(in isa.Inst, i int) (string, bool) {
	b := base(in)
	if b.Form.ID == "JALR" {
		return "", false
	}
	for slot, op := range b.Form.Ops {
		r := b.Reg(slot)
		switch {
		case op.Kind == isa.KindReg && op.Role == isa.Write && r != Zero && fixedRegs.Has(r):
			return "", false
		case op.Addr && r != S1 && r != SP:
			return "", false
		case op.Kind == isa.KindLabel:
			in.Sym = fmt.Sprintf("l%d", i+1+g.rnd.IntN(3))
		case op.Name == "imm" && b.Form.Flags&(isa.Load|isa.Store) != 0:
			size := accessSize(b.Form.Flags, entries[b.Form.Num].kind)
			if b.Args[slot]%int64(size) != 0 {
				return "", false
			}
		}
	}
	return Arch{}.Mode(in) + "\n" + Arch{}.Print(in), true
}
