package x86

import (
	"errors"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simrun/isa"
)

// TestClassesDocumented compares the list in doc.go with the table.
func TestClassesDocumented(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(doc), "# Timing classes")
	words := regexp.MustCompile(`[a-z]+(\.[a-z0-9]+)*`).FindAllString(list, -1)
	for _, c := range New().Classes() {
		if !slices.Contains(words, c) {
			t.Errorf("class %s is not in the list of doc.go", c)
		}
	}
	for _, w := range words {
		if strings.Contains(w, ".") && !slices.Contains(New().Classes(), w) {
			t.Errorf("doc.go lists %s, which no form has", w)
		}
	}
}

// TestRows checks what every consumer of the table relies on.
func TestRows(t *testing.T) {
	for i, f := range New().Forms() {
		r := rows[i]
		if f.Num != i || New().Form(f.ID) != f {
			t.Errorf("%s is not row %d", f.ID, i)
		}
		if (r.as == 0) == (r.own == nil) {
			t.Errorf("%s: want one encoder", f.ID)
		}
		if int(r.kind) >= len(handlers) || handlers[r.kind] == nil && !inHotLoop[r.kind] {
			t.Errorf("%s: kind %d is not executed", f.ID, r.kind)
		}
		if r.mem() >= 0 && r.memSize() > 0 && r.Mnemonic != "nop" && f.Flags&(isa.Load|isa.Store) == 0 {
			t.Errorf("%s: a memory operand, but neither Load nor Store", f.ID)
		}
		if f.Flags&isa.Commute != 0 && (len(f.Ops) != 2 || f.Ops[1].Kind != isa.KindReg) {
			t.Errorf("%s: Commute, but not two registers", f.ID)
		}
	}
	if New().Form("PXOR") != nil {
		t.Error("a form without operands in its name")
	}
}

// allFeatures are those that rows name.
var allFeatures = []string{"sse3", "ssse3", "sse4.1"}

var inHotLoop = map[kind]bool{kPxor: true, kPand: true, kPor: true, kPandn: true, kVecMov: true, kVecRR: true, kVecI: true, kMovRR: true, kMovRI: true, kLea: true, kJcc: true}

// keepsFlags are the mnemonics that leave some flags as they were; see intTable.
var keepsFlags = []string{
	"inc", "dec", "rol", "ror", "shl", "shr", "sar", "shld", "shrd", "bt", "bts", "btr", "btc", "div", "idiv",
}

// TestRoles runs every row that has neither memory nor branch and wants that only registers of Static.Dst
// change, and that what they become depends on registers of Static.Src only.
func TestRoles(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for _, r := range rows {
		if r.memSize() != 0 || r.Flags&(isa.Branch|isa.System|isa.ReadsClock|isa.Load|isa.Store) != 0 {
			continue
		}
		for range 50 {
			in := randomInst(rng, r)
			st := static(&in, 0, 1)
			before := registers{}
			before.randomize(rng)
			after, ok := before.run(t, &in)
			if !ok {
				continue
			}
			for reg := range RFLAGS + 1 {
				if after[reg] != before[reg] && !st.Dst.Has(reg) {
					t.Fatalf("%s writes %s", New().Print(in), New().RegName(reg))
				}
			}
			other := before
			other.change(rng, ^st.Src)
			otherAfter, _ := other.run(t, &in)
			for reg := range RFLAGS + 1 {
				if reg == RFLAGS && slices.Contains(keepsFlags, r.Mnemonic) {
					continue
				}
				if st.Dst.Has(reg) && after[reg] != otherAfter[reg] {
					t.Fatalf("%s: %s depends on a register outside of Src", New().Print(in), New().RegName(reg))
				}
			}
		}
	}
}

// registers are the values of all registers by number, general ones in the low half.
type registers [RFLAGS + 1][2]uint64

func (s *registers) randomize(rng *rand.Rand) { s.change(rng, ^isa.RegSet(0)) }

func (s *registers) change(rng *rand.Rand, set isa.RegSet) {
	for r := range s {
		if !set.Has(isa.Reg(r)) {
			continue
		}
		s[r] = [2]uint64{rng.Uint64()}
		if r >= int(X0) && r <= int(X15) {
			s[r][1] = rng.Uint64()
		}
	}
	s[RFLAGS] = [2]uint64{s[RFLAGS][0]&flagsAll | 2}
}

// run executes one instruction on the registers; ok is false for a division that has no result.
func (s registers) run(t *testing.T, in *isa.Inst) (after registers, ok bool) {
	t.Helper()
	code, err := New().Encode(*in, 0x1000)
	if err != nil {
		t.Fatal(err)
	}
	mem := &isa.Memory{}
	if err := mem.Add(&isa.Region{Name: "code", Base: 0x1000, Data: code, Perm: isa.R | isa.X}); err != nil {
		t.Fatal(err)
	}
	c := New().NewCore(mem, allFeatures)
	for r := range s {
		c.SetReg(isa.Reg(r), s[r][0])
		if r >= int(X0) && r <= int(X15) {
			c.SetVec(isa.Reg(r), s[r])
		}
	}
	c.SetPC(0x1000)
	stop := c.Run(nil, 1, isa.NoAddr)
	if errors.Is(stop.Err, errDivide) {
		return s, false
	}
	if stop.Kind != isa.StopLimit {
		t.Fatalf("%s: %+v", New().Print(*in), stop)
	}
	for r := range s {
		s[r] = [2]uint64{c.Reg(isa.Reg(r))}
		if r >= int(X0) && r <= int(X15) {
			s[r] = c.Vec(isa.Reg(r))
		}
	}
	return s, true
}
