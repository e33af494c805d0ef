package rv32

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// The differential tests run one program in QEMU's user mode and here, and compare all memory
// afterwards. Its memory is
//
//	progBase    start, load, save, end: the driver
//	recordBase  one record per case
//
// and a record of recordSize bytes is
//
//	0    x0-x31 before, and after: x0's word says whether the second exit was taken
//	128  code: the instruction, at 132 the jump to save, at 136 the jump to the second exit
//	192  data that the instruction may read and write
//
// One register, the pointer, holds the record's address and is not used by the instruction.
const (
	progBase   = 0x10000
	recordBase = 0x11000
	recordSize = 256
	codeOff    = 128
	takenOff   = 136
	dataOff    = 192
	dataSize   = 64
)

// qemuCPU has the extensions of allFeatures.
const qemuCPU = "rv32,zba=true,zbb=true,zbkb=true"

// notInQEMU are rows that user mode cannot compare, with the reason.
var notInQEMU = map[string]string{
	"CSRRW": "user mode has only counters", "CSRRS": "user mode has only counters",
	"CSRRC": "user mode has only counters", "CSRRWI": "user mode has only counters",
	"CSRRSI": "user mode has only counters", "CSRRCI": "user mode has only counters",
	"ECALL": "ends the run", "EBREAK": "ends the run", "C.EBREAK": "ends the run",
	"MRET": "privileged", "WFI": "privileged",
}

// from lets a long run that was interrupted go on: each batch depends on its own number only.
var from = flag.Int("from", 0, "instance at which TestQEMU starts, as it logs them")

// TestQEMU compares every row with random operands and registers.
func TestQEMU(t *testing.T) {
	qemu := foreign.Tool(t, "qemu-riscv32")
	const batch = 4000 // as many records as JAL reaches back from
	covered := make([]int, len(entries))
	for n := *from; n < foreign.Count(50_000, 10_000_000); n += batch {
		if n%(50*batch) == 0 {
			t.Logf("%d instances", n)
		}
		d := &driver{rnd: rand.New(rand.NewPCG(5, uint64(n))), pointer: []isa.Reg{GP, T4}[n/batch%2]}
		mem := d.build(batch, covered)
		compareWithQEMU(t, qemu, d, mem)
		if t.Failed() {
			t.Fatalf("in the batch from instance %d", n)
		}
	}
	for i, e := range entries {
		if notInQEMU[e.form.ID] == "" && covered[i] < 50 {
			t.Errorf("row %s ran %d times", e.form.ID, covered[i])
		}
	}
}

// driver makes the memory image of a batch.
type driver struct {
	rnd     *rand.Rand
	pointer isa.Reg
	cases   []string // text of each record's instruction
	save    uint64   // address of the driver's save routine
	saveTwo uint64   // the same, for the second exit
}

func (d *driver) build(n int, covered []int) []byte {
	mem := make([]byte, recordBase-progBase+n*recordSize)
	copy(mem, d.program(n))
	for i := range n {
		e := entries[(i+d.rnd.IntN(2))%len(entries)]
		for notInQEMU[e.form.ID] != "" {
			e = entries[d.rnd.IntN(len(entries))]
		}
		covered[e.form.Num]++
		at := uint64(recordBase + i*recordSize)
		d.record(mem[at-progBase:][:recordSize], e, at)
	}
	return mem
}

// program assembles the driver.
func (d *driver) program(n int) []byte {
	p := regNames[d.pointer]
	var b bytes.Buffer
	fmt.Fprintf(&b, ".option norvc\nstart: li %s, %d\nload:\n", p, recordBase)
	d.each(func(r int, name string) { fmt.Fprintf(&b, "lw %s, %d(%s)\n", name, 4*r, p) })
	fmt.Fprintf(&b, "jalr zero, %d(%s)\n", codeOff, p)
	for _, label := range []string{"save", "savetwo"} {
		fmt.Fprintf(&b, ".global %s\n%s:\n", label, label)
		d.each(func(r int, name string) { fmt.Fprintf(&b, "sw %s, %d(%s)\n", name, 4*r, p) })
		fmt.Fprintf(&b, "li a0, %d\nsw a0, 0(%s)\nj next\n", len(label)-len("save"), p)
	}
	fmt.Fprintf(&b, "next: addi %s, %s, %d\nli a0, %d\nbne %s, a0, load\n", p, p, recordSize, recordBase+n*recordSize, p)
	b.WriteString(writeAndExit(recordBase, n*recordSize))
	im := mustAssemble(b.String(), progBase)
	for _, s := range im.Symbols {
		switch s.Name {
		case "save":
			d.save = s.Addr
		case "savetwo":
			d.saveTwo = s.Addr
		}
	}
	return im.Segments[0].Data
}

// each visits the registers that a record loads and stores.
func (d *driver) each(f func(r int, name string)) {
	for r := 1; r < numRegs; r++ {
		if isa.Reg(r) != d.pointer {
			f(r, regNames[r])
		}
	}
}

// writeAndExit is the end of a program: Linux system calls write(1, from, n) and exit(0).
func writeAndExit(from, n int) string {
	return fmt.Sprintf("li a0, 1\nli a1, %d\nli a2, %d\nli a7, 64\necall\nli a0, 0\nli a7, 93\necall\n", from, n)
}

func mustAssemble(text string, org uint64) *isa.Image {
	blocks, err := Arch{}.Parse("driver.s", text)
	if err != nil {
		panic(err)
	}
	im, err := Arch{}.Assemble(blocks, org)
	if err != nil {
		panic(err)
	}
	return im
}

// record fills a record with row e.
func (d *driver) record(rec []byte, e *entry, at uint64) {
	for i := range rec {
		rec[i] = byte(d.rnd.Uint32())
	}
	for r := 1; r < numRegs; r++ {
		binary.LittleEndian.PutUint32(rec[4*r:], d.value())
	}
	binary.LittleEndian.PutUint32(rec[4*d.pointer:], uint32(at))
	pc := at + codeOff
	in := d.instruction(e, pc)
	b := base(in)
	for i, op := range b.Form.Ops {
		if op.Name == "rs1" && (op.Addr || b.Form.ID == "JALR") {
			binary.LittleEndian.PutUint32(rec[4*b.Args[i]:], d.address(b, at)-uint32(immediate(b)))
		}
	}
	d.cases = append(d.cases, Arch{}.Print(in))
	n := copy(rec[codeOff:], mustEncode(in, pc))
	if n == 2 {
		copy(rec[codeOff+2:], mustEncode(Make("C.NOP"), pc+2))
	}
	copy(rec[codeOff+4:], mustEncode(Make("JAL", int64(Zero), int64(d.save)), pc+4))
	copy(rec[takenOff:], mustEncode(Make("JAL", int64(Zero), int64(d.saveTwo)), at+takenOff))
}

// address is where the instruction, a memory row or JALR, shall go.
func (d *driver) address(b isa.Inst, record uint64) uint32 {
	if b.Form.ID == "JALR" {
		return uint32(record) + takenOff + d.rnd.Uint32N(2)
	}
	size := accessSize(b.Form.Flags, entries[b.Form.Num].kind)
	return uint32(record) + dataOff + uint32(d.rnd.IntN(dataSize/size)*size)
}

func immediate(b isa.Inst) int64 {
	for i, op := range b.Form.Ops {
		if op.Name == "imm" {
			return b.Args[i]
		}
	}
	return 0
}

func mustEncode(in isa.Inst, pc uint64) []byte {
	code, err := Arch{}.Encode(in, pc)
	if err != nil {
		panic(err)
	}
	return code
}

// instruction draws operands: labels are the second exit, the pointer is not used, addresses come
// from a register that can be set.
func (d *driver) instruction(e *entry, pc uint64) isa.Inst {
	for {
		in := randomInst(e, pc, func(lo, hi int64) int64 { return lo + d.rnd.Int64N(hi-lo+1) })
		ok := true
		b := base(in)
		for i, op := range b.Form.Ops {
			isPointer := op.Kind == isa.KindReg && b.Reg(i) == d.pointer
			needsValue := op.Name == "rs1" && (op.Addr || b.Form.ID == "JALR")
			ok = ok && !isPointer && !(needsValue && b.Reg(i) == Zero)
		}
		for i, op := range in.Form.Ops {
			if op.Kind == isa.KindLabel {
				in.Args[i] = int64(pc) + takenOff - codeOff
			}
		}
		if ok {
			return in
		}
	}
}

// value draws a register value: borders and small numbers as often as any.
func (d *driver) value() uint32 {
	borders := []uint32{0, 1, 2, 0xffffffff, 0x80000000, 0x7fffffff, 0x80, 0xff, 0x8000, 0xffff}
	switch d.rnd.IntN(4) {
	case 0:
		return borders[d.rnd.IntN(len(borders))]
	case 1:
		return d.rnd.Uint32N(64)
	}
	return d.rnd.Uint32()
}

// compareWithQEMU runs the image here and in QEMU and compares the records.
func compareWithQEMU(t *testing.T, qemu string, d *driver, mem []byte) {
	t.Helper()
	before := bytes.Clone(mem)
	want := runQEMU(t, qemu, mem)
	runHere(t, mem)
	got := mem[recordBase-progBase:]
	if len(want) != len(got) {
		t.Fatalf("QEMU wrote %d bytes, not %d", len(want), len(got))
	}
	failed := 0
	for i := 0; i < len(got) && failed < 10; i += recordSize {
		if !bytes.Equal(got[i:i+recordSize], want[i:i+recordSize]) {
			failed++
			t.Errorf("%s: %s", d.cases[i/recordSize], recordDiff(before[recordBase-progBase+i:], got[i:], want[i:]))
		}
	}
}

// recordDiff names the words of a record that differ.
func recordDiff(before, got, want []byte) string {
	var b bytes.Buffer
	word := binary.LittleEndian.Uint32
	for o := 0; o < recordSize; o += 4 {
		if g, w := word(got[o:]), word(want[o:]); g != w {
			fmt.Fprintf(&b, " offset %d (x%d): %#x, QEMU %#x, before %#x;", o, o/4, g, w, word(before[o:]))
		}
	}
	return b.String()
}

// runHere executes the image in place until its first system call, with a listener that checks the
// events.
func runHere(t *testing.T, image []byte) {
	t.Helper()
	mem := &isa.Memory{}
	if err := mem.Add(&isa.Region{Name: "all", Base: progBase, Data: image, Perm: isa.R | isa.W | isa.X}); err != nil {
		t.Fatal(err)
	}
	c := New().NewCore(mem, allFeatures)
	c.SetPC(progBase)
	l := &checkListener{t: t, next: progBase}
	if s := c.Run(l, 0, isa.NoAddr); s.Kind != isa.StopSystem {
		t.Fatalf("stopped by %+v", s)
	}
	if l.steps != c.Retired() {
		t.Fatalf("%d steps reported, %d retired", l.steps, c.Retired())
	}
}

// checkListener checks what every event must fulfil.
type checkListener struct {
	t     *testing.T
	next  uint64
	steps uint64
}

func (l *checkListener) Retire(r *isa.Retired) {
	last := &r.Code.Time[r.N-1]
	end := last.PC + uint64(last.Size)
	words := 0
	for i := range r.N {
		st := &r.Code.Time[i]
		words += int(st.Words)
		if st.Flags&isa.Load != 0 && st.Flags&isa.Store != 0 {
			words++
		}
		if st.Form.ID == "SC.W" {
			words-- // this driver never holds a reservation
		}
	}
	if r.Code.PC != l.next || len(r.Data) != words || !r.Taken && r.Next != end ||
		r.Taken && last.Flags&isa.Branch == 0 || len(r.Code.Steps) != len(r.Code.Time) {
		l.t.Fatalf("run at %#x: N %d, %d accesses of %d, next %#x, taken %v", r.Code.PC, r.N, len(r.Data), words, r.Next, r.Taken)
	}
	l.next = r.Next
	l.steps += uint64(r.N)
}

// runQEMU runs the image as a static Linux program and returns what it wrote.
func runQEMU(t *testing.T, qemu string, image []byte) []byte {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "prog")
	if err := os.WriteFile(exe, staticELF(image, progBase), 0o777); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.Command(qemu, "-cpu", qemuCPU, exe)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("qemu-riscv32: %v\n%s", err, stderr.Bytes())
	}
	return out
}

// staticELF is an executable with one segment at base, entered at its first byte.
func staticELF(image []byte, base uint32) []byte {
	const headers = 52 + 32
	var b bytes.Buffer
	h := elf.Header32{
		Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_RISCV), Version: 1, Entry: base,
		Phoff: 52, Flags: 1 /* RVC */, Ehsize: 52, Phentsize: 32, Phnum: 1, Shentsize: 40,
	}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_CLASS], h.Ident[elf.EI_DATA], h.Ident[elf.EI_VERSION] = 1, 1, 1
	p := elf.Prog32{
		Type: uint32(elf.PT_LOAD), Off: 0x1000, Vaddr: base, Paddr: base,
		Filesz: uint32(len(image)), Memsz: uint32(len(image)), Flags: 7, Align: 0x1000,
	}
	_ = binary.Write(&b, binary.LittleEndian, h) // a bytes.Buffer takes all
	_ = binary.Write(&b, binary.LittleEndian, p)
	b.Write(make([]byte, 0x1000-headers))
	b.Write(image)
	return b.Bytes()
}
