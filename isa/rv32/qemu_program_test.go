package rv32

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// Registers that random steps only read: bases of the data window, the place of the results, the
// link and the counters of loops. Compressed rows need s1 and sp as bases.
var fixedRegs = isa.Set(Zero, RA, SP, GP, TP, S0, S1)

const (
	windowSize = 8192 // bytes of data; s1 points into the middle, sp a quarter of the reach further
	functions  = 3
)

// counters hold the rounds of loops by depth. s0 can stand in compressed branches.
var counters = [...]string{"s0", "tp"}

// TestQEMUPrograms compares random programs of nested loops, calls, jumps through registers,
// forward and backward branches, loads, stores and atomics: what single instructions cannot show,
// such as LR/SC pairs and decoded code that is used again.
func TestQEMUPrograms(t *testing.T) {
	qemu := foreign.Tool(t, "qemu-riscv32")
	var retired uint64
	for seed := range foreign.Count(50, 5000) {
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
		if s := c.Run(nil, 10_000_000, isa.NoAddr); s.Kind != isa.StopSystem {
			t.Fatalf("seed %d: stopped by %+v", seed, s)
		}
		retired += c.Retired()
		got, err := mem.Read(g.window, windowSize)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("seed %d: %s\n%s", seed, firstDiff(got, want), g.text.String())
		}
	}
	t.Logf("%d instructions", retired)
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
	labels int    // labels made so far
}

func (g *generator) program() []byte {
	const codeSize = 1 << 14
	g.window = progBase + codeSize
	g.base = g.window + windowSize/2
	fmt.Fprintf(&g.text, "li s1, %d\nli sp, %d\nli gp, %d\n", g.base, g.base+512, g.window)
	for r := isa.Reg(1); r < numRegs; r++ {
		if !fixedRegs.Has(r) {
			fmt.Fprintf(&g.text, "li %s, %d\n", regNames[r], g.rnd.Uint32())
		}
	}
	g.body(len(counters), 8)
	for r := 1; r < numRegs; r++ {
		fmt.Fprintf(&g.text, "sw %s, %d(gp)\n", regNames[r], 4*r)
	}
	g.text.WriteString(writeAndExit(int(g.window), windowSize))
	for f := range functions {
		fmt.Fprintf(&g.text, "f%d:\n", f)
		g.straight()
		g.text.WriteString("ret\n")
	}
	image := mustAssemble(g.text.String(), progBase).Segments[0].Data
	return append(image, make([]byte, codeSize+windowSize-len(image))...)
}

func (g *generator) label() string {
	g.labels++
	return fmt.Sprintf("l%d", g.labels)
}

// body writes n pieces of code, each followed by a loop of at most that depth, a call or a jump.
func (g *generator) body(depth, n int) {
	for range n {
		g.straight()
		switch k := g.rnd.IntN(4); {
		case k < 2 && depth > 0:
			g.loop(depth - 1)
		case k == 2:
			fmt.Fprintf(&g.text, "call f%d\n", g.rnd.IntN(functions))
		default:
			g.jump()
		}
	}
}

// loop writes a loop closed by a conditional branch, or left in the middle and closed by a jump.
func (g *generator) loop(depth int) {
	c, top, out := counters[depth], g.label(), g.label()
	fmt.Fprintf(&g.text, "li %s, %d\n%s:\n", c, 2+g.rnd.IntN(8), top)
	g.body(depth, 2)
	fmt.Fprintf(&g.text, "addi %s, %s, -1\n", c, c)
	closing := []string{"bnez %s, %s", "blt zero, %s, %s", "bltu zero, %s, %s", "bgtz %s, %s"}
	if i := g.rnd.IntN(len(closing) + 2); i < len(closing) {
		fmt.Fprintf(&g.text, closing[i]+"\n", c, top)
	} else {
		fmt.Fprintf(&g.text, "beqz %s, %s\n", c, out)
		g.straight()
		fmt.Fprintf(&g.text, "j %s\n", top)
	}
	fmt.Fprintf(&g.text, "%s:\n", out)
}

// jump goes over a piece of code through a register.
func (g *generator) jump() {
	over := g.label()
	form := []string{"jr t2", "jalr t2", "jalr t3, t2", "jalr zero, 1(t2)"}[g.rnd.IntN(4)]
	fmt.Fprintf(&g.text, "la t2, %s\n%s\n", over, form)
	g.straight()
	fmt.Fprintf(&g.text, "%s:\n", over)
}

// straight writes random steps; branches among them go up to three labels on.
func (g *generator) straight() {
	n := 5 + g.rnd.IntN(10)
	first := g.labels + 1
	g.labels += n + 1
	for i := range n {
		fmt.Fprintf(&g.text, "l%d: %s\n", first+i, g.step(fmt.Sprintf("l%d", first+min(i+1+g.rnd.IntN(3), n))))
	}
	fmt.Fprintf(&g.text, "l%d:\n", first+n)
}

// step gives the text of one random instruction; a branch goes to target.
func (g *generator) step(target string) string {
	for {
		e := entries[g.rnd.IntN(len(entries))]
		if notInQEMU[e.form.ID] != "" {
			continue
		}
		in := randomInst(e, 0, func(lo, hi int64) int64 { return lo + g.rnd.Int64N(hi-lo+1) })
		if e.form.Feature == "a" && g.rnd.IntN(2) == 0 {
			in.Args[e.operandIndex("rs1")] = int64(S1)
		}
		text, ok := g.usable(in, target)
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

// usable accepts what keeps the program in its bounds: branches go to target, memory
// rows use a base register, no base register is written. AUIPC differs in nothing but its place.
func (g *generator) usable(in isa.Inst, target string) (string, bool) {
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
			in.Sym = target
		case op.Name == "imm" && b.Form.Flags&(isa.Load|isa.Store) != 0:
			size := accessSize(b.Form.Flags, entries[b.Form.Num].kind)
			if b.Args[slot]%int64(size) != 0 {
				return "", false
			}
		}
	}
	return Arch{}.Mode(in) + "\n" + Arch{}.Print(in), true
}
