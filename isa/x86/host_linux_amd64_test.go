package x86

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// The semantics are compared with the processor that runs the test. A batch of random
// instances becomes one static executable: before each instance it loads a random state, after it
// it stores the state. The simulator runs the same bytes from the same states.
const (
	codeAt   = 0x0040_0000
	inAt     = 0x1000_0000
	outAt    = 0x2000_0000
	windowAt = 0x3000_0000 // the memory that instances access
	varsAt   = 0x3100_0000
	savedRSP = varsAt // after an instance
	inPtr    = varsAt + 8
	outPtr   = varsAt + 16
	stackAt  = 0x3200_0000 // the harness's own stack, end
	rspAt    = windowAt + 32
	fsAt     = 0x0100_0000 // base of FS
)

// state is all that an instance can read and write.
type state struct {
	GPR    [16]uint64
	Flags  uint64
	_      uint64
	X      [16][2]uint64
	Window [64]byte
}

const stateSize = windowOff + 64

// notCompared are the rows without a semantics that the host can show.
var notCompared = map[string]string{
	"RDTSC":       "the time differs",
	"RDTSCP":      "the time differs",
	"CPUID":       "the processor differs",
	"STMXCSR_m32": "the exceptions so far are not simulated",
	"INT3":        "stops the process",
	"UD2":         "stops the process",
	"SYSCALL":     "leaves the process",
	"HLT":         "privileged",
}

// instance is one test case: its code lies in [pc, end).
type instance struct {
	in      isa.Inst
	state   state
	pc, end uint64
	target  int // offset of the memory operand in the window
}

func TestHost(t *testing.T) {
	const batch = 5000
	rng := rand.New(rand.NewPCG(3, 1))
	var compared []*row
	for _, r := range rows {
		if notCompared[r.ID] == "" {
			compared = append(compared, r)
		}
	}
	if want := len(rows) - len(notCompared); len(compared) != want {
		t.Fatalf("%d rows are compared, want %d", len(compared), want)
	}
	count := map[*row]int{}
	next, total := 0, foreign.Count(20_000, 10_000_000)
	for done := 0; done < total; done += batch {
		h := newHarness(t)
		for range batch {
			r := compared[next%len(compared)]
			next++
			count[r]++
			h.add(rng, r)
		}
		if h.compare(h.run()); t.Failed() {
			return
		}
	}
	for _, r := range compared {
		if count[r] < total/len(compared) {
			t.Errorf("%s: only %d instances", r.ID, count[r])
		}
	}
	t.Logf("%d instances of %d rows", total, len(compared))
}

type harness struct {
	t          *testing.T
	a          isa.Arch
	code       []byte
	cases      []instance
	load, save uint64 // subroutines
}

// abs gives the slots of the memory operand at an absolute address, after those given.
func abs(a int64, before ...int64) []int64 {
	return append(before, int64(isa.NoReg), int64(isa.NoReg), 1, a)
}

func (h *harness) pc() uint64 { return codeAt + uint64(len(h.code)) }

func (h *harness) emit(in isa.Inst) {
	h.t.Helper()
	code, err := h.a.Encode(in, h.pc())
	if err != nil {
		h.t.Fatal(err)
	}
	h.code = append(h.code, code...)
}

// add appends an instance of r with its state.
func (h *harness) add(rng *rand.Rand, r *row) {
	h.emit(Make("CALL_rel", int64(h.load)))
	h.emit(Make("MOV_r64_imm32", int64(RSP), rspAt))
	c := instance{pc: h.pc()}
	for again := true; again; again = !c.defined(r) {
		c.in = randomInst(rng, r)
		c.state.randomize(rng)
		c.aim(rng, r)
		c.prepare(rng, r)
	}
	h.body(&c, r)
	c.end = h.pc()
	h.cases = append(h.cases, c)
	h.emit(Make("MOV_m64_r64", append(abs(savedRSP), int64(RSP))...))
	h.emit(Make("MOV_r64_imm32", int64(RSP), stackAt))
	h.emit(Make("CALL_rel", int64(h.save)))
}

// aim makes the memory operand point into the window.
func (c *instance) aim(rng *rand.Rand, r *row) {
	at := r.mem()
	if at < 0 || r.memSize() == 0 {
		return
	}
	m := c.in.Args[at:]
	target := windowAt + int64(rng.IntN(48))
	switch {
	case r.memSize() == 16:
		target = windowAt + 16*int64(rng.IntN(4))
	case r.kind == kBitMR || r.kind == kBitSetMR:
		target = windowAt + 16 + int64(rng.IntN(24))
	}
	c.target = int(target - windowAt)
	if m[2]&SegFS != 0 {
		target -= fsAt
	}
	base, index := isa.Reg(m[0]), isa.Reg(m[1])
	if base == index { // one register, one value
		index = isa.NoReg
		m[1], m[2] = int64(isa.NoReg), 1|m[2]&SegFS
	}
	if index != isa.NoReg {
		c.state.GPR[index] = uint64(rng.IntN(256))
		target -= int64(c.state.GPR[index]) * (m[2] &^ SegFS)
	}
	switch base {
	case isa.NoReg, RSP:
		m[3] = target
		if base == RSP {
			m[3] -= rspAt
		}
	case RIP:
		m[3] = 0
		code, err := theArch.Encode(c.in, 0)
		if err != nil {
			panic(err)
		}
		m[3] = target - int64(c.pc) - int64(len(code))
	default:
		m[3] = int64(int32(m[3])) >> 12
		c.state.GPR[base] = uint64(target - m[3])
	}
}

// body emits the instance. Branches get a target at the end of the instance, and an instruction
// to jump over.
func (h *harness) body(c *instance, r *row) {
	if r.Flags&isa.Branch == 0 {
		h.emit(c.in)
		return
	}
	over := Make("LEA_r64_m", int64(RAX), int64(RAX), int64(isa.NoReg), 1, 1)
	switch {
	case r.relative():
		c.in.Args[0] = int64(c.pc) // in reach, so that the length is the final one
	case r.kind != kRetImm && r.mem() < 0 && len(r.operands) == 1 && c.in.Reg(0) == RSP:
		c.in.Args[0] = int64(RBX) // RSP has its fixed value
	}
	branch, err := h.a.Encode(c.in, c.pc)
	if err != nil {
		h.t.Fatal(err)
	}
	end := c.pc + uint64(len(branch)) + 4
	switch {
	case r.relative():
		c.in.Args[0] = int64(end)
	case r.kind == kRet || r.kind == kRetImm:
		binary.LittleEndian.PutUint64(c.state.Window[32:], end)
	case r.mem() >= 0:
		binary.LittleEndian.PutUint64(c.state.Window[c.target:], end)
	default:
		c.state.GPR[c.in.Reg(0)] = end
	}
	h.emit(c.in)
	h.emit(over)
	if h.pc() != end {
		h.t.Fatalf("%s: the instruction to jump over ends at %#x, want %#x", r.ID, h.pc(), end)
	}
}

// run executes the batch as a process and returns what it wrote.
func (h *harness) run() []byte {
	h.t.Helper()
	n := stateSize * len(h.cases)
	h.emit(Make("MOV_r64_imm32", int64(RAX), 1)) // write
	h.emit(Make("MOV_r64_imm32", int64(RDI), 1))
	h.emit(Make("MOV_r64_imm32", int64(RSI), outAt))
	h.emit(Make("MOV_r64_imm32", int64(RDX), int64(n)))
	h.emit(Make("SYSCALL"))
	h.emit(Make("MOV_r64_imm32", int64(RAX), 60)) // exit
	h.emit(Make("MOV_r64_imm32", int64(RDI), 0))
	h.emit(Make("SYSCALL"))
	var in bytes.Buffer
	for i := range h.cases {
		if err := binary.Write(&in, binary.LittleEndian, &h.cases[i].state); err != nil {
			h.t.Fatal(err)
		}
	}
	path := filepath.Join(h.t.TempDir(), "batch")
	if err := os.WriteFile(path, h.elf(in.Bytes(), n), 0o755); err != nil {
		h.t.Fatal(err)
	}
	out, err := exec.Command(path).Output()
	if err != nil || len(out) != n {
		h.t.Fatalf("the host process: %v, %d bytes of %d", err, len(out), n)
	}
	return out
}

// elf makes a static executable of the code, the states and zeroed memory.
func (h *harness) elf(in []byte, n int) []byte {
	const headers = 0x1000
	up := func(n int) int { return (n + 4095) &^ 4095 }
	inOff := headers + up(len(h.code))
	segs := []elf.Prog64{
		{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_X), Off: headers, Vaddr: codeAt, Filesz: uint64(len(h.code)), Memsz: uint64(len(h.code)), Align: 4096},
		{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R), Off: uint64(inOff), Vaddr: inAt, Filesz: uint64(len(in)), Memsz: uint64(len(in)), Align: 4096},
		{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_W), Vaddr: outAt, Memsz: uint64(n), Align: 4096},
		{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_W), Vaddr: windowAt, Memsz: 4096, Align: 4096},
		{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_W), Vaddr: varsAt, Memsz: 4096, Align: 4096},
		{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_W), Vaddr: stackAt - 4096, Memsz: 4096, Align: 4096},
	}
	head := elf.Header64{
		Ident: [16]byte{0x7f, 'E', 'L', 'F', 2, 1, 1},
		Type:  uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: 1, Entry: codeAt,
		Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: uint16(len(segs)),
	}
	var b bytes.Buffer
	for _, part := range []any{&head, segs} {
		if err := binary.Write(&b, binary.LittleEndian, part); err != nil {
			h.t.Fatal(err)
		}
	}
	b.Write(make([]byte, headers-b.Len()))
	b.Write(h.code)
	b.Write(make([]byte, inOff-b.Len()))
	b.Write(in)
	return b.Bytes()
}

// compare runs every case in the simulator.
func (h *harness) compare(out []byte) {
	mem := &isa.Memory{}
	window := make([]byte, 64)
	for _, r := range []*isa.Region{
		{Name: "code", Base: codeAt, Data: h.code, Perm: isa.R | isa.X},
		{Name: "window", Base: windowAt, Data: window, Perm: isa.R | isa.W},
	} {
		if err := mem.Add(r); err != nil {
			h.t.Fatal(err)
		}
	}
	core := h.a.NewCore(mem, allFeatures)
	core.SetReg(FSBase, fsAt)
	for i := range h.cases {
		c := &h.cases[i]
		var want state
		if _, err := binary.Decode(out[i*stateSize:], binary.LittleEndian, &want); err != nil {
			h.t.Fatal(err)
		}
		copy(window, c.state.Window[:])
		got, stop := c.simulate(core)
		if stop.Kind != isa.StopAddr {
			h.t.Fatalf("%s: %+v", h.a.Print(c.in), stop)
		}
		copy(got.Window[:], window)
		if diff := difference(c, &got, &want); diff != "" {
			h.t.Fatalf("%s: %s", h.a.Print(c.in), diff)
		}
	}
}

// simulate runs the instance and returns the registers after it.
func (c *instance) simulate(core isa.Core) (state, isa.Stop) {
	for r := range c.state.GPR {
		core.SetReg(isa.Reg(r), c.state.GPR[r])
		core.SetVec(XMM(r), c.state.X[r])
	}
	core.SetReg(RFLAGS, c.state.Flags)
	core.SetPC(c.pc)
	stop := core.Run(nil, 3, c.end)
	got := state{Flags: core.Reg(RFLAGS)}
	for r := range got.GPR {
		got.GPR[r], got.X[r] = core.Reg(isa.Reg(r)), core.Vec(XMM(r))
	}
	return got, stop
}
