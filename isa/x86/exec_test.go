package x86

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"simrun/isa"
)

// assemble parses Intel syntax and assembles it at 0x10000.
func assemble(t *testing.T, text string) *isa.Image {
	t.Helper()
	blocks, err := New().Parse("test.s", text)
	if err != nil {
		t.Fatal(err)
	}
	im, err := New().Assemble(blocks, 0x10000)
	if err != nil {
		t.Fatal(err)
	}
	return im
}

// events writes what a listener is told.
type events struct{ text []string }

func (e *events) Retire(r *isa.Retired) {
	s := fmt.Sprintf("%#x n=%d next=%#x", r.Code.PC, r.N, r.Next)
	if r.Taken {
		s += " taken"
	}
	for _, a := range r.Data {
		s += fmt.Sprintf(" %d:%#x/%d", a.Step, a.Addr, a.Size)
		if a.Store {
			s += "w"
		}
	}
	e.text = append(e.text, s)
}

func (e *events) want(t *testing.T, want ...string) {
	t.Helper()
	if got := strings.Join(e.text, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("events\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	e.text = nil
}

func TestEvents(t *testing.T) {
	im := assemble(t, `
f:	mov ecx, 2
.Lagain:
	add dword ptr [rdi+8], 5
	movdqu xmm0, [rdi+1]
	dec ecx
	jne .Lagain
	ret`)
	c, _ := machine(t, im)
	var e events
	callOnce(t, c, im, &e)
	e.want(t,
		"0x10000 n=5 next=0x10005 taken 1:0x20008/4 1:0x20008/4w 2:0x20001/16",
		"0x10005 n=4 next=0x10012 0:0x20008/4 0:0x20008/4w 1:0x20001/16",
		"0x10012 n=1 next=0xdead0000 taken 0:0x20fe8/8")
	if c.Retired() != 10 {
		t.Errorf("%d retired, want 10", c.Retired())
	}
}

func TestLimitAndStopInsideRun(t *testing.T) {
	im := assemble(t, "f: nop\n nop\n nop\n nop\n jmp f")
	c, _ := machine(t, im)
	var e events
	c.SetPC(im.Entry)
	if s := c.Run(&e, 2, isa.NoAddr); s.Kind != isa.StopLimit || s.PC != 0x10002 || c.PC() != 0x10002 {
		t.Errorf("limit: %+v", s)
	}
	e.want(t, "0x10000 n=2 next=0x10002")
	if s := c.Run(&e, 0, 0x10003); s.Kind != isa.StopAddr || c.PC() != 0x10003 || c.Retired() != 3 {
		t.Errorf("stop: %+v", s)
	}
	e.want(t, "0x10002 n=1 next=0x10003")
	if s := c.Run(&e, 0, 0x10003); s.Kind != isa.StopAddr || c.Retired() != 3 {
		t.Errorf("a stop at the PC: %+v", s)
	}
	if s := c.Run(nil, 3, isa.NoAddr); s.Kind != isa.StopLimit || c.PC() != 0x10001 {
		t.Errorf("limit over a branch: %+v", s)
	}
}

// TestFaults wants the fault named, and the state as before the instruction.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"movdqa xmm0, [rdi+8]", "read of 16 bytes at 0x20008: misaligned"},
		{"pxor xmm0, [rdi+8]", "read of 16 bytes at 0x20008: misaligned"},
		{"movaps [rdi+8], xmm0", "write of 16 bytes at 0x20008: misaligned"},
		{"mov rax, [rdi+4090]", "read of 8 bytes at 0x20ffa: unmapped"},
		{"mov byte ptr [rdi-1], 1", "write of 1 bytes at 0x1ffff: unmapped"},
		{"add dword ptr [rip+f], 1", "write of 4 bytes at 0x10000: not writable (code)"},
		{"push rax", "write of 8 bytes at 0x0: unmapped"},
		{"pop rax", "read of 8 bytes at 0x8: unmapped"},
		{"call f", "write of 8 bytes at 0x0: unmapped"},
		{"jmp rdi", "fetch of 1 bytes at 0x20000: not executable (data)"},
	} {
		im := assemble(t, "f: nop\n"+c.text)
		k, _ := machine(t, im)
		k.SetReg(RSP, 8)
		k.SetReg(RFLAGS, flagCF)
		k.SetPC(im.Entry)
		s := k.Run(nil, 0, isa.NoAddr)
		var f *isa.Fault
		if s.Kind != isa.StopFault || !errors.As(s.Err, &f) || f.Error() != c.want {
			t.Errorf("%s: %+v, want %s", c.text, s, c.want)
		}
		if k.Reg(RSP) != 8 || k.Reg(RFLAGS) != flagCF|2 || k.PC() != s.PC {
			t.Errorf("%s: RSP %#x flags %#x PC %#x stop %#x", c.text, k.Reg(RSP), k.Reg(RFLAGS), k.PC(), s.PC)
		}
	}
}

// TestFaultEvent wants nothing reported of the instruction that faulted.
func TestFaultEvent(t *testing.T) {
	im := assemble(t, "f: mov eax, [rdi]\n add dword ptr [rip+f], 1")
	c, _ := machine(t, im)
	c.SetPC(im.Entry)
	var e events
	if s := c.Run(&e, 0, isa.NoAddr); s.Kind != isa.StopFault || s.PC != 0x10002 || c.Retired() != 1 {
		t.Errorf("%+v", s)
	}
	e.want(t, "0x10000 n=1 next=0x10002 0:0x20000/4")
}

func TestStops(t *testing.T) {
	for _, c := range []struct {
		text string
		kind isa.StopKind
		code uint32
		next uint64
	}{
		{"int3", isa.StopBreak, 3, 0x10002},
		{"mov eax, 60\n syscall", isa.StopSystem, 60, 0x10008},
		{"hlt", isa.StopHalt, 0, 0x10002},
		{".byte 0x0f, 0x0b", isa.StopUndef, 0, 0x10001},
		{".byte 0x06", isa.StopUndef, 0, 0x10001},
	} {
		im := assemble(t, "f: nop\n"+c.text+"\n nop")
		k, _ := machine(t, im)
		k.SetPC(im.Entry)
		if s := k.Run(nil, 0, isa.NoAddr); s.Kind != c.kind || s.Code != c.code || k.PC() != c.next || (s.Kind == isa.StopUndef) != (s.Err != nil) {
			t.Errorf("%s: %+v at %#x", c.text, s, k.PC())
		}
	}
}

func TestFeature(t *testing.T) {
	im := assemble(t, "f: pshufb xmm0, xmm1")
	_, mem := machine(t, im)
	c := New().NewCore(mem, nil)
	c.SetPC(im.Entry)
	want := "instruction at 0x10000: pshufb xmm0, xmm1 needs ssse3, which this CPU does not have"
	if s := c.Run(nil, 0, isa.NoAddr); s.Kind != isa.StopUndef || s.Err.Error() != want {
		t.Errorf("%+v, want %s", s, want)
	}
}

// ticking returns the number of instructions that the listener has seen.
type ticking struct{ sink }

func (c *ticking) Now() uint64 { return 1<<32 + uint64(c.n) }

// TestClock wants everything before RDTSC reported before it reads the clock.
func TestClock(t *testing.T) {
	im := assemble(t, "f: nop\n nop\n rdtsc\n nop\n ret")
	c, _ := machine(t, im)
	clock := &ticking{}
	c.SetClock(clock)
	callOnce(t, c, im, clock)
	if c.Reg(RAX) != 2 || c.Reg(RDX) != 1 {
		t.Errorf("rdtsc = %d:%d, want 1:2", c.Reg(RDX), c.Reg(RAX))
	}
}

// TestWrittenCode patches an immediate ahead in the same run of code.
func TestWrittenCode(t *testing.T) {
	im := assemble(t, "f: mov byte ptr [rip+g+1], 7\n nop\n ret\n g: mov eax, 1\n ret")
	im.Segments[0].Data[8] = 0x90 // let f run into g
	c, mem := machine(t, im)
	mem.Regions()[0].Perm |= isa.W
	for range 2 {
		callOnce(t, c, im, nil)
		if c.Reg(RAX) != 7 {
			t.Errorf("eax = %d, want the patched 7", c.Reg(RAX))
		}
		if err := mem.Write(0x10000+10, []byte{1}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoAllocation runs the hot loop with a listener.
func TestNoAllocation(t *testing.T) {
	im := sboxLike(t, 20)
	c, _ := machine(t, im)
	l := &sink{}
	callOnce(t, c, im, l)
	if n := testing.AllocsPerRun(10, func() { callOnce(t, c, im, l) }); n != 0 {
		t.Errorf("%v allocations per call", n)
	}
}

func TestStatic(t *testing.T) {
	im := assemble(t, `
f:	pxor xmm1, [rdi+rcx*4+16]
	movdqa [rdi+32], xmm1
	imul eax, edx, 3
	pshufd xmm2, [rip+f], 1
	movsb
	call f`)
	c, _ := machine(t, im)
	s, _ := c.(*core).decodeRun(im.Entry)
	none := isa.NoReg
	want := []isa.Static{
		{Src: isa.Set(X0+1, RDI, RCX), Dst: isa.Set(X0 + 1), Addr: isa.Set(RDI, RCX), R: [4]isa.Reg{X0 + 1, RDI, RCX, none}, W: [2]isa.Reg{X0 + 1, none}, Words: 1, Imm: 16, Size: 6, Index: isa.Set(RCX)},
		{Src: isa.Set(X0+1, RDI), Addr: isa.Set(RDI), R: [4]isa.Reg{RDI, X0 + 1, none, none}, W: [2]isa.Reg{none, none}, Words: 1, Imm: 32, Size: 5},
		{Src: isa.Set(RDX), Dst: isa.Set(RAX, RFLAGS), R: [4]isa.Reg{RDX, none, none, none}, W: [2]isa.Reg{RAX, none}, Size: 3, Groups: isa.AllFlagsWritten},
		{Dst: isa.Set(X0 + 2), R: [4]isa.Reg{none, none, none, none}, W: [2]isa.Reg{X0 + 2, none}, Words: 1, Imm: -23, Size: 9, Traits: isa.RIPImmediate},
		{Src: isa.Set(RSI, RDI, RFLAGS), Dst: isa.Set(RSI, RDI), Addr: isa.Set(RSI, RDI), R: [4]isa.Reg{none, none, none, none}, W: [2]isa.Reg{none, none}, Words: 1, Size: 1},
		{Src: isa.Set(RSP), Dst: isa.Set(RSP), Addr: isa.Set(RSP), R: [4]isa.Reg{none, none, none, none}, W: [2]isa.Reg{none, none}, Words: 1, Size: 5},
	}
	for i, w := range want {
		got := s.Time[i]
		if New().Classes()[got.Class] != got.Form.Class || got.Flags != got.Form.Flags {
			t.Errorf("%s: class %d, flags %x", got.Form.ID, got.Class, got.Flags)
		}
		w.PC, w.Form, w.Class, w.Flags = got.PC, got.Form, got.Class, got.Flags
		if got != w {
			t.Errorf("%s:\n got %+v\nwant %+v", got.Form.ID, got, w)
		}
	}
}

// TestNoAllocationInteger runs integer code, memory and stack with a listener.
func TestNoAllocationInteger(t *testing.T) {
	im := assemble(t, `
f:	mov ecx, 50
.L:	add eax, ecx
	rol eax, 7
	imul rdx, rax
	push rax
	pop r8
	mov [rdi+rcx*8], rdx
	cmp eax, 1000
	cmova eax, edx
	setb r9b
	dec ecx
	jne .L
	lea rdi, [rdi+64]
	mov ecx, 8
	rep stosq
	lea rdi, [rdi-128]
	ret`)
	c, _ := machine(t, im)
	l := &sink{}
	callOnce(t, c, im, l)
	if n := testing.AllocsPerRun(10, func() { callOnce(t, c, im, l) }); n != 0 {
		t.Errorf("%v allocations per call", n)
	}
}
