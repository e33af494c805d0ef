package x86

import (
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// checkWild runs code of which nothing is known, on memory that it may write too, and wants an end with at most one line.
func checkWild(t *testing.T, code []byte) {
	const base, limit = 0x1000, 2000
	if len(code) == 0 || len(code) > 1<<12 {
		return
	}
	mem := &isa.Memory{}
	for _, r := range []*isa.Region{
		{Name: "code", Base: base, Data: append([]byte(nil), code...), Perm: isa.R | isa.W | isa.X},
		{Name: "data", Base: 0x10000, Data: make([]byte, 0x10000), Perm: isa.R | isa.W},
	} {
		if err := mem.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	c := New().NewCore(mem, allFeatures)
	for r := RAX; r <= R15; r++ {
		c.SetReg(r, 0x10000+uint64(r)*0x1000)
	}
	c.SetPC(base)
	for range 4 { // system calls and breakpoints go on
		stop := c.Run(&sink{}, limit, isa.NoAddr)
		switch stop.Kind {
		case isa.StopSystem, isa.StopBreak, isa.StopHalt:
			continue
		case isa.StopFault, isa.StopUndef:
			if stop.Err == nil || strings.ContainsAny(stop.Err.Error(), "\n\r") {
				t.Fatalf("% x: stop %d: %v", code, stop.Kind, stop.Err)
			}
		}
		return
	}
}

// TestWild runs random bytes, and random instructions of the table one after the other.
func TestWild(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	for i := range foreign.Count(3000, 100_000) {
		code := make([]byte, 1+rng.IntN(64))
		for i := range code {
			code[i] = byte(rng.Uint32())
		}
		if i%2 == 0 {
			code = wildCode(t, rng)
		}
		checkWild(t, code)
	}
}

func wildCode(t *testing.T, rng *rand.Rand) (code []byte) {
	for range 1 + rng.IntN(20) {
		in := randomInst(rng, rows[rng.IntN(len(rows))])
		if m := rowOf(&in).mem(); m >= 0 && rng.IntN(2) == 0 { // near the data
			in.Args[m], in.Args[m+1], in.Args[m+2], in.Args[m+3] = int64(RBX), int64(isa.NoReg), 1, int64(rng.IntN(64))&^15
		}
		b, err := New().Encode(in, 0x1000)
		if err != nil {
			t.Fatal(err)
		}
		code = append(code, b...)
	}
	return code
}

func FuzzRun(f *testing.F) {
	for _, s := range []string{"f3a4", "f348ab", "f2ae", "0f0b", "48f7f1", "cc", "0f05", "ebfe", "c6050000000090", "e8fbffffff", "9c9d", "fdf3a5", "c9c3"} {
		code, _ := hex.DecodeString(s)
		f.Add(code)
	}
	f.Fuzz(checkWild)
}

// TestRepeatInPieces wants a long repeated store reported in pieces that end at the same instruction, and all of it done.
func TestRepeatInPieces(t *testing.T) {
	im := assemble(t, "f: rep stosb\n nop\n ret")
	mem := &isa.Memory{}
	for _, r := range []*isa.Region{
		{Name: "code", Base: im.Segments[0].Addr, Data: im.Segments[0].Data, Perm: isa.R | isa.X},
		{Name: "data", Base: 0x100000, Data: make([]byte, 4*maxRepeat), Perm: isa.R | isa.W},
	} {
		if err := mem.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	c := New().NewCore(mem, nil)
	c.SetReg(RAX, 7)
	c.SetReg(RDI, 0x100000)
	c.SetReg(RCX, 2*maxRepeat+5)
	c.SetPC(im.Entry)
	if stop := c.Run(&sink{}, 0, im.Entry+2); stop.Kind != isa.StopAddr || c.Retired() != 3 {
		t.Errorf("%+v after %d instructions, want 3", stop, c.Retired())
	}
	data := mem.Regions()[1].Data
	if c.Reg(RCX) != 0 || c.Reg(RDI) != 0x100000+2*maxRepeat+5 || data[2*maxRepeat+4] != 7 || data[2*maxRepeat+5] != 0 {
		t.Errorf("rcx %d, rdi %#x, last bytes %d %d", c.Reg(RCX), c.Reg(RDI), data[2*maxRepeat+4], data[2*maxRepeat+5])
	}
}

// TestRepeatFault wants what was done before the fault kept, as the manual says, and the instruction not retired.
func TestRepeatFault(t *testing.T) {
	im := assemble(t, "f: rep stosq")
	c, mem := machine(t, im)
	c.SetReg(RDI, 0x20ff0)
	c.SetReg(RAX, 9)
	c.SetReg(RCX, 5)
	c.SetPC(im.Entry)
	stop := c.Run(nil, 0, isa.NoAddr)
	if stop.Kind != isa.StopFault || stop.PC != im.Entry || c.Reg(RCX) != 3 || c.Reg(RDI) != 0x21000 || c.Retired() != 0 {
		t.Errorf("%+v: rcx %d, rdi %#x, %d retired", stop, c.Reg(RCX), c.Reg(RDI), c.Retired())
	}
	if v, _ := mem.Load64(0x20ff8); v != 9 {
		t.Errorf("last word %d", v)
	}
}

// TestJumpToNoAddr wants a jump to the highest address to be a fault like any wild jump: it is no place to stop at.
func TestJumpToNoAddr(t *testing.T) {
	im := assemble(t, "f: mov rax, -1\n jmp rax")
	c, _ := machine(t, im)
	c.SetPC(im.Entry)
	if stop := c.Run(nil, 0, isa.NoAddr); stop.Kind != isa.StopFault || stop.PC != isa.NoAddr || c.Retired() != 2 {
		t.Errorf("%+v, %d retired; want a fault at the highest address", stop, c.Retired())
	}
}

// TestTraps wants what cannot be executed named, and nothing changed.
func TestTraps(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"ud2", "ud2, which stops a program that should not come here"},
		{"xor ecx, ecx\n div rcx", "divide error: the divisor is 0 or the quotient does not fit"},
		{"mov ecx, -1\n mov eax, 0x80000000\n cdq\n idiv ecx", "divide error: the divisor is 0 or the quotient does not fit"},
		{"mov dword ptr [rdi], 0x9f80\n ldmxcsr [rdi]", "MXCSR = 0x9f80: only 0x1f80, rounding to nearest without exceptions, is simulated"},
		{"mov word ptr [rdi], 0x0f7f\n fldcw [rdi]", "x87 control word = 0xf7f: only 0x37f, rounding to nearest without exceptions, is simulated"},
		{"lock cmpxchg16b [rdi+8]", "cmpxchg16b at 0x20008, which is no multiple of 16"},
	} {
		im := assemble(t, "f: "+c.text)
		k, _ := machine(t, im)
		k.SetPC(im.Entry)
		stop := k.Run(nil, 0, isa.NoAddr)
		if stop.Kind != isa.StopUndef || !strings.HasSuffix(stop.Err.Error(), ": "+c.want) || k.PC() != stop.PC {
			t.Errorf("%s: %+v, want %s", c.text, stop, c.want)
		}
	}
}

// TestCPUID wants a Core 2 whose model follows from the features.
func TestCPUID(t *testing.T) {
	ask := func(features []string, eax, ecx uint64) [4]uint64 {
		im := assemble(t, "f: cpuid")
		_, mem := machine(t, im)
		c := New().NewCore(mem, features)
		c.SetReg(RAX, eax)
		c.SetReg(RCX, ecx)
		c.SetPC(im.Entry)
		if stop := c.Run(nil, 1, isa.NoAddr); stop.Kind != isa.StopLimit {
			t.Fatalf("%+v", stop)
		}
		return [4]uint64{c.Reg(RAX), c.Reg(RBX), c.Reg(RCX), c.Reg(RDX)}
	}
	merom, penryn := []string{"sse3", "ssse3"}, []string{"sse3", "ssse3", "sse4.1"}
	if v := ask(merom, 0, 0); v != [4]uint64{10, 0x756e6547, 0x6c65746e, 0x49656e69} {
		t.Errorf("leaf 0: %#x", v)
	}
	for _, c := range []struct {
		features []string
		eax, ecx uint64
	}{{nil, 0x6f6, 1 << 13}, {merom, 0x6f6, 1<<13 | 1<<9 | 1}, {penryn, 0x10676, 1<<19 | 1<<13 | 1<<9 | 1}} {
		if v := ask(c.features, 1, 0); v[0] != c.eax || v[2] != c.ecx || v[3]&(1<<26) == 0 {
			t.Errorf("%v, leaf 1: %#x", c.features, v)
		}
	}
	if v := ask(merom, 4, 3); v != [4]uint64{} {
		t.Errorf("leaf 4, a cache that is not there: %#x", v)
	}
	if v := ask(merom, 7, 0); v != [4]uint64{} {
		t.Errorf("leaf 7: %#x", v)
	}
}
