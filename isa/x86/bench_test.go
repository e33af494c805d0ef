package x86

import (
	"math/bits"
	"testing"
	"time"

	"simrun/isa"
)

// sboxLike is a loop of n times the mix of a bitsliced kernel: logic, moves, spills.
func sboxLike(tb testing.TB, n int) *isa.Image {
	tb.Helper()
	b := &isa.Block{Name: "kernel", Items: []isa.Item{{Inst: Make("MOV_r32_imm32", int64(RCX), 100)}, {Label: ".Lloop"}}}
	x := func(i int) int64 { return int64(XMM(i & 15)) }
	for i := range n {
		m := func(args ...int64) []int64 { return append(args, int64(RDI), int64(isa.NoReg), 1, int64(i%4*16)) }
		for _, in := range []isa.Inst{
			Make("MOVDQA_xmm_xmm", x(i), x(i+1)), Make("PAND_xmm_xmm", x(i), x(i+2)), Make("PXOR_xmm_xmm", x(i+3), x(i)),
			Make("PXOR_xmm_m128", m(x(i+4))...), Make("POR_xmm_xmm", x(i+5), x(i+3)), Make("PANDN_xmm_xmm", x(i+6), x(i+5)),
			Make("MOVDQA_m128_xmm", append(m(), x(i+6))...), Make("PXOR_xmm_xmm", x(i+7), x(i+6)), Make("MOVDQA_xmm_m128", m(x(i+1))...),
			Make("PADDD_xmm_xmm", x(i+8), x(i+7)),
		} {
			b.Items = append(b.Items, isa.Item{Inst: in})
		}
	}
	b.Items = append(b.Items, isa.Item{Inst: Make("DEC_r32", int64(RCX))}, isa.Item{Inst: isa.Inst{Form: &byID["JNE_rel"].Form, Sym: ".Lloop"}}, isa.Item{Inst: Make("RET")})
	im, err := New().Assemble([]*isa.Block{b}, 0x10000)
	if err != nil {
		tb.Fatal(err)
	}
	return im
}

// machine maps an image and 4 KiB of data at 0x20000 to which RDI points, with a stack above.
func machine(tb testing.TB, im *isa.Image) (isa.Core, *isa.Memory) {
	tb.Helper()
	mem := &isa.Memory{}
	for _, r := range []*isa.Region{
		{Name: "code", Base: im.Segments[0].Addr, Data: im.Segments[0].Data, Perm: isa.R | isa.X},
		{Name: "data", Base: 0x20000, Data: make([]byte, 4096), Perm: isa.R | isa.W},
	} {
		if err := mem.Add(r); err != nil {
			tb.Fatal(err)
		}
	}
	c := New().NewCore(mem, []string{"ssse3"})
	c.SetReg(RDI, 0x20000)
	return c, mem
}

// callOnce runs the image's entry as a function.
func callOnce(tb testing.TB, c isa.Core, im *isa.Image, l isa.Listener) {
	const back = 0xdead0000
	c.SetReg(RSP, 0x20ff0)
	c.SetReg(RSP, c.Reg(RSP)-8)
	if err := pushBack(c, back); err != nil {
		tb.Fatal(err)
	}
	c.SetPC(im.Entry)
	if stop := c.Run(l, 0, back); stop.Kind != isa.StopAddr {
		tb.Fatalf("stopped: %+v", stop)
	}
}

func pushBack(c isa.Core, addr uint64) error {
	k := c.(*core)
	if !k.mem.Store64(c.Reg(RSP), addr) {
		return k.mem.FaultAt(c.Reg(RSP), 8, isa.W)
	}
	return nil
}

type sink struct{ n int }

func (s *sink) Retire(r *isa.Retired) { s.n += r.N }

// chain takes about 1,000,000 cycles: its additions and rotates wait for each other.
func chain() uint64 {
	x := uint64(1)
	for range 250_000 {
		x = bits.RotateLeft64(x+3, 7)
		x = bits.RotateLeft64(x+5, 9)
	}
	return x
}

var chainResult uint64

// hostCycles reports host cycles per simulated instruction: the best of many calls over the best
// of many chains, so that other work on the machine does not count.
func hostCycles(b *testing.B, im *isa.Image, l isa.Listener) {
	c, _ := machine(b, im)
	callOnce(b, c, im, l)
	start := c.Retired()
	callOnce(b, c, im, l)
	perCall := float64(c.Retired() - start)
	call, cycles := time.Duration(1<<62), time.Duration(1<<62)
	b.ReportAllocs()
	for b.Loop() {
		t := time.Now()
		callOnce(b, c, im, l)
		call = min(call, time.Since(t))
		t = time.Now()
		chainResult += chain()
		cycles = min(cycles, time.Since(t))
	}
	b.ReportMetric(float64(call)/float64(cycles)*1e6/perCall, "cycles/instr")
}

func BenchmarkFunctional(b *testing.B) { hostCycles(b, sboxLike(b, 100), nil) }
func BenchmarkListener(b *testing.B)   { hostCycles(b, sboxLike(b, 100), &sink{}) }

// BenchmarkShortLoop has runs of four instructions: the cost of going from run to run.
func BenchmarkShortLoop(b *testing.B) {
	blocks, err := New().Parse("b.s", "f: mov ecx, 10000\n.L: add eax, ecx\n xor edx, eax\n dec ecx\n jne .L\n ret")
	if err != nil {
		b.Fatal(err)
	}
	im, err := New().Assemble(blocks, 0x10000)
	if err != nil {
		b.Fatal(err)
	}
	hostCycles(b, im, nil)
}

func BenchmarkEncode(b *testing.B) {
	in := Make("PXOR_xmm_m128", int64(X0), int64(RDI), int64(isa.NoReg), 1, 16)
	for b.Loop() {
		if _, err := New().Encode(in, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	code := []byte{0x66, 0x0f, 0xef, 0x47, 0x10}
	for b.Loop() {
		if _, _, err := New().Decode(code, 0); err != nil {
			b.Fatal(err)
		}
	}
}
