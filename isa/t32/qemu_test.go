package t32

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// One program holds many instances; each loads all registers and the flags, runs one random
// instruction (or an IT block of up to four), and stores registers, flags and the memory it may touch.
// QEMU and our core run the same program; their outputs must be the same bytes.

const (
	codeBase  = 0x10000
	dataBase  = 0x1000000
	margin    = 8192 // zero bytes on both sides of the code for literal loads
	recordLen = 128  // 16 words of registers and flags, then the instance's 64 bytes of memory
	perBatch  = 2000
)

// notCompared are the classes that QEMU's user mode cannot witness: its A-profile has other special
// registers, and hints and barriers do nothing to compare.
var notCompared = map[string]bool{"system": true, "nop": true}

// semanticsTested reports whether a row must be seen by TestSemanticsQEMU. FPSCR has more bits in
// QEMU's A-profile, so its flags only are compared. Floating-point registers keep their values
// from one instance to the next, and are seen once one of them is moved or stored.
func semanticsTested(e *encoding) bool {
	return !notCompared[e.form.Class] && e.form.ID != "VMRS_T1" || e.form.ID == "CLREX_T1"
}

func TestSemanticsQEMU(t *testing.T) {
	qemu := foreign.Tool(t, "qemu-arm")
	total := foreign.Count(30_000, 6_000_000)
	seen := map[string]int{}
	for batch := 0; batch*perBatch < total; batch++ {
		p := newProgram(uint64(batch) + 1)
		for i := range perBatch {
			p.instance(i)
		}
		p.finish()
		for id, n := range p.seen {
			seen[id] += n
		}
		theirs := p.runQEMU(t, qemu)
		ours := p.runCore(t)
		p.compare(t, ours, theirs)
		if t.Failed() {
			return
		}
	}
	for _, e := range encodings {
		if semanticsTested(e) && seen[e.form.ID] < 20 {
			t.Errorf("%s ran %d times only", e.form.ID, seen[e.form.ID])
		}
	}
}

// program is a batch under construction.
type program struct {
	r       *rand.Rand
	code    []byte
	data    []byte
	draws   []*draw // the instances, for messages
	walks   bool    // instances are whole programs, see drawWalk
	retired uint64  // by our core
	seen    map[string]int
	rows    []*encoding
	next    int
	start   []uint32
}

func newProgram(seed uint64) *program {
	p := &program{
		r: seeded(seed), code: make([]byte, margin), data: make([]byte, recordLen*perBatch), seen: map[string]int{},
	}
	for i := range p.data {
		p.data[i] = byte(p.r.Uint32())
	}
	for _, e := range encodings {
		if semanticsTested(e) {
			p.rows = append(p.rows, e)
		}
	}
	p.next = p.r.IntN(len(p.rows))
	return p
}

func (p *program) pc() uint32 { return codeBase + uint32(len(p.code)) }

func (p *program) emit(in isa.Inst) {
	b, err := Arch{}.Encode(in, uint64(p.pc()))
	if err != nil {
		panic(err)
	}
	p.code = append(p.code, b...)
}

// draw is an instance under construction.
type draw struct {
	regs    [16]uint32 // r0-r12, sp, lr; the flags last
	scratch isa.Reg    // holds the address of the record while storing
	insts   []isa.Inst
	area    uint32 // 64 bytes of its own memory
	head    uint32 // address of the first instruction under test
}

// instance appends number i. All registers come from literals behind the code of the instance.
func (p *program) instance(i int) {
	const (
		loads  = 4 + 4 + 15*4 // flags, MSR, r0-r12, sp, lr
		stores = 8 + 15*4
	)
	p.code = append(p.code, make([]byte, len(p.code)%4)...)
	start := p.pc()
	d := &draw{area: dataBase + uint32(i)*recordLen + 64, head: start + loads}
	if p.walks {
		p.drawWalk(d)
	} else {
		p.drawInsts(d)
	}
	p.start, p.draws = append(p.start, start), append(p.draws, d)
	for _, in := range d.insts {
		p.seen[in.Form.ID]++
	}

	size := uint32(0)
	for k := range d.insts {
		size += uint32(encodings[d.insts[k].Form.Num].size)
	}
	literals := (d.head + size + 4 + stores + 8 + 4 + 3) &^ 3
	p.emit(Make("LDR_lit_T2", 0, int64(literals+15*4)))
	p.emit(Make("MSR_nzcvqg_T1", sysAPSR, 0))
	for r := range int64(15) {
		p.emit(Make("LDR_lit_T2", r, int64(literals)+r*4))
	}
	for _, in := range d.insts {
		p.emit(in)
	}
	p.store(d)
	p.emit(Make("B_T4", int64(literals+16*4)))
	p.code = append(p.code, make([]byte, literals-p.pc())...)
	for _, v := range d.regs {
		p.code = binary.LittleEndian.AppendUint32(p.code, v)
	}
}

// store emits the marker that a taken branch skips, then the stores of the record.
func (p *program) store(d *draw) {
	x := int64(d.scratch)
	marked := (x + 1) % 13
	p.emit(Make("ADD_imm_T3", marked, marked, 1))
	record := int64(d.area - 64)
	p.emit(Make("MOV_imm_T3", x, record&0xffff))
	p.emit(Make("MOVT_T1", x, record>>16))
	for r := range int64(15) {
		if r != x {
			p.emit(Make("STR_imm_T3", r, x, r*4))
		}
	}
	p.emit(Make("MRS_T1", marked, sysAPSR))
	p.emit(Make("STR_imm_T3", marked, x, 15*4))
}

// describe names an instance.
func (d *draw) describe() string {
	var lines []string
	pc := d.head
	for _, in := range d.insts {
		lines = append(lines, fmt.Sprintf("%x: %s [%s]", pc, Arch{}.Print(in), in.Form.ID))
		pc += uint32(encodings[in.Form.Num].size)
	}
	return fmt.Sprintf("%s with %08x", strings.Join(lines, "; "), d.regs)
}

// finish appends write(1, data, len) and exit(0).
func (p *program) finish() {
	p.code = append(p.code, make([]byte, len(p.code)%4)...)
	set := func(r, v int64) {
		p.emit(Make("MOV_imm_T3", r, v&0xffff))
		p.emit(Make("MOVT_T1", r, v>>16))
	}
	set(0, 1)
	set(1, dataBase)
	set(2, int64(len(p.data)))
	set(7, 4)
	p.emit(Make("SVC_T1", 0))
	set(0, 0)
	set(7, 1)
	p.emit(Make("SVC_T1", 0))
	p.code = append(p.code, make([]byte, margin)...)
}

func (p *program) runQEMU(t *testing.T, qemu string) []byte {
	dir := t.TempDir()
	exe, out := filepath.Join(dir, "prog"), filepath.Join(dir, "out")
	image := writeELF((codeBase+margin)|1, []elfSegment{{codeBase, p.code, 5}, {dataBase, p.data, 6}})
	if err := os.WriteFile(exe, image, 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var stderr bytes.Buffer
	cmd := exec.Command(qemu, "-cpu", "max", exe)
	cmd.Stdout, cmd.Stderr = f, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("qemu-arm: %v %s", err, stderr.String())
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(exe)
	return b
}

func (p *program) runCore(t *testing.T) []byte {
	mem := new(isa.Memory)
	data := bytes.Clone(p.data)
	for _, r := range []*isa.Region{
		{Name: "code", Base: codeBase, Data: p.code, Perm: isa.R | isa.X},
		{Name: "data", Base: dataBase, Data: data, Perm: isa.R | isa.W},
	} {
		if err := mem.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	c := Arch{}.NewCore(mem, allFeatures)
	c.SetPC(codeBase + margin)
	stop := c.Run(nil, 1000*perBatch, isa.NoAddr)
	p.retired = c.Retired()
	if stop.Kind != isa.StopSystem {
		t.Fatalf("our core stopped at %#x (%v): %s", stop.PC, stop.Err, p.textAt(uint32(stop.PC)))
	}
	return data
}

func (p *program) textAt(pc uint32) string {
	for i := len(p.start) - 1; i >= 0; i-- {
		if p.start[i] <= pc {
			return p.draws[i].describe()
		}
	}
	return ""
}

func (p *program) compare(t *testing.T, ours, theirs []byte) {
	if len(ours) != len(theirs) {
		t.Fatalf("QEMU wrote %d bytes, want %d", len(theirs), len(ours))
	}
	bad := 0
	for i, d := range p.draws {
		a, b := ours[i*recordLen:(i+1)*recordLen], theirs[i*recordLen:(i+1)*recordLen]
		for _, rec := range [][]byte{a, b} { // N, Z, C, V, Q and GE only
			flags := binary.LittleEndian.Uint32(rec[60:])
			binary.LittleEndian.PutUint32(rec[60:], flags&0xf80f0000)
		}
		if bytes.Equal(a, b) {
			continue
		}
		for w := 0; w < recordLen; w += 4 {
			x, y := binary.LittleEndian.Uint32(a[w:]), binary.LittleEndian.Uint32(b[w:])
			if x != y {
				t.Errorf("%s:\nword %d is %08x, QEMU has %08x", d.describe(), w/4, x, y)
			}
		}
		if bad++; bad == 20 {
			return
		}
	}
}
