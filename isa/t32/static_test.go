package t32

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"simrun/isa"
)

// What pipelines are told of an instruction: sources, destinations, address registers, class,
// words and flags, as one line.
func TestStatic(t *testing.T) {
	for _, c := range [][2]string{
		{"eor r0, r1, r2, ror #5", "alu.shift src r1 r2 dst r0 imm 5"},
		{"eor r0, r1, r2", "alu src r1 r2 dst r0"},
		{"eors r0, r1", "alu src r0 r1 dst r0 apsr"},
		{"eor r0, r1, r2, rrx", "alu.shift src r1 r2 apsr dst r0"},
		{"adcs r0, r1", "alu src r0 r1 apsr dst r0 apsr"},
		{"cmp r0, #3", "alu src r0 dst apsr imm 3"},
		{"lsls r0, r1", "alu.shiftreg src r0 r1 dst r0 apsr"},
		{"movw r0, #1", "mov.imm dst r0 imm 1"},
		{"movt r0, #1", "mov.imm src r0 dst r0 imm 1"},
		{"mla r0, r1, r2, r3", "mla src r1 r2 r3 dst r0"},
		{"umlal r0, r1, r2, r3", "mla.long src r0 r1 r2 r3 dst r0 r1"},
		{"ldr r0, [r1, #4]", "load.word src r1 dst r0 addr r1 words 1 imm 4 load"},
		{"ldr r0, [r1, r2]", "load.word.reg src r1 r2 dst r0 addr r1 r2 words 1 load"},
		{"ldr r0, [r1], #4", "load.word.index src r1 dst r0 r1 addr r1 words 1 imm 4 load"},
		{"str r0, [r1, r2]", "store.word.reg src r0 r1 r2 addr r1 r2 words 1 store"},
		{"ldr r0, [sp, #8]", "load.word src sp dst r0 addr sp words 1 imm 8 load"},
		{"ldrd r0, r1, [r2]", "load.double src r2 dst r0 r1 addr r2 words 2 load"},
		{"ldmia r0!, {r1, r2, r3}", "load.multiple src r0 dst r0 r1 r2 r3 addr r0 words 3 load"},
		{"push {r4, lr}", "store.multiple src r4 sp lr dst sp addr sp words 2 store"},
		{"pop {r4, pc}", "load.multiple src sp dst r4 sp pc addr sp words 2 load branch return"},
		{"ldr pc, [r0]", "load.word src r0 dst pc addr r0 words 1 load branch"},
		{"mov pc, r0", "branch.reg src r0 dst pc branch"},
		{"bx lr", "branch.reg src lr branch return"},
		{"bx r3", "branch.reg src r3 branch"},
		{"bl .", "branch.call dst lr branch call"},
		{"beq .", "branch.cond src apsr branch cond"},
		{"tbb [r0, r1]", "branch.table src r0 r1 addr r0 r1 words 1 load branch"},
		{"it eq; addeq r0, r1, r2", "alu src r1 r2 apsr dst r0 it"},
		{"add sp, #8", "alu src sp dst sp imm 8"},
		{"svc 1", "system imm 1 system"},
	} {
		blocks, err := Arch{}.Parse("s", c[0])
		if err != nil {
			t.Fatal(err)
		}
		items := blocks[0].Items
		in := items[len(items)-1].Inst
		in.Sym = ""
		st := encodings[in.Form.Num].static(&in, 0)
		if got := describeStatic(&st); got != c[1] {
			t.Errorf("%s:\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

func describeStatic(st *isa.Static) string {
	out := []string{classes[st.Class]}
	set := func(name string, s isa.RegSet) {
		if s == 0 {
			return
		}
		out = append(out, name)
		for r := range isa.Reg(numRegs) {
			if s.Has(r) {
				out = append(out, regNames[r])
			}
		}
	}
	set("src", st.Src)
	set("dst", st.Dst)
	set("addr", st.Addr)
	if st.Words != 0 {
		out = append(out, fmt.Sprintf("words %d", st.Words))
	}
	if st.Imm != 0 {
		out = append(out, fmt.Sprintf("imm %d", st.Imm))
	}
	for _, f := range []struct {
		flag isa.FormFlags
		name string
	}{{isa.Load, "load"}, {isa.Store, "store"}, {isa.Branch, "branch"}, {isa.Cond, "cond"}, {isa.Call, "call"},
		{isa.Return, "return"}, {isa.System, "system"}} {
		if st.Flags&f.flag != 0 {
			out = append(out, f.name)
		}
	}
	if st.IT != 0 {
		out = append(out, "it")
	}
	return strings.Join(out, " ")
}

// R and W list Src and Dst without gaps, as far as they have room.
func TestStaticOrder(t *testing.T) {
	r := seeded(5)
	for _, e := range encodings {
		in := randomInst(r, e, 0x1000)
		st := e.static(&in, 0x1000)
		checkOrder(t, e, "R", st.R[:], st.Src)
		checkOrder(t, e, "W", st.W[:], st.Dst)
		if st.Addr&^st.Src != 0 {
			t.Errorf("%s: address registers outside Src", e.form.ID)
		}
	}
}

func checkOrder(t *testing.T, e *encoding, name string, list []isa.Reg, set isa.RegSet) {
	t.Helper()
	listed := isa.Set(list...)
	room := bits.OnesCount64(uint64(set)) <= len(list)
	if listed&^set != 0 || room && listed != set {
		t.Errorf("%s: %s lists %b of %b", e.form.ID, name, listed, set)
	}
}

// Every class in use has the dotted form that CPU files name.
func TestClasses(t *testing.T) {
	documented := strings.Fields(`alu alu.shift alu.shiftreg alu.extend alu.rev mov.imm bitfield sat
		mul mla mul.long mla.long div branch branch.cond branch.call branch.reg branch.compare branch.table
		mov.fp mov.fp.double mov.fp.status load.word.fp load.double.fp load.multiple.fp
		store.word.fp store.double.fp store.multiple.fp alu.dsp sat.dsp mul.dsp mla.dsp mla.long.dsp it nop system load.literal load.exclusive store.exclusive load.multiple store.multiple
		load.double load.double.index store.double store.double.index
		load.word load.word.reg load.word.index store.word store.word.reg store.word.index
		load.half load.half.reg load.half.index store.half store.half.reg store.half.index
		load.byte load.byte.reg load.byte.index store.byte store.byte.reg store.byte.index`)
	known := map[string]bool{}
	for _, c := range documented {
		known[c] = true
	}
	for _, c := range classes {
		if !known[c] {
			t.Errorf("class %s is not documented", c)
		}
		delete(known, c)
	}
	for c := range known {
		t.Errorf("no row has class %s", c)
	}
}
