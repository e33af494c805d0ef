package t32

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simrun/isa"
)

// TestShortenCases: what has a short form, what has none, and what has one only where the flags are free.
func TestShortenCases(t *testing.T) {
	flags := isa.Set(Flags)
	for _, c := range []struct {
		text string
		free isa.RegSet
		want string // "" = none
	}{
		{"eor.w r0, r0, r1", flags, "eors r0, r1"},
		{"eor.w r0, r1, r0", flags, "eors r0, r1"},
		{"eor.w r0, r0, r1", 0, ""},
		{"eor.w r0, r1, r2", flags, ""},
		{"eor.w r0, r0, r1, ror #3", flags, ""},
		{"eor.w r8, r8, r1", flags, ""},
		{"bic.w r0, r0, r1", flags, "bics r0, r1"},
		{"bic.w r0, r1, r0", flags, ""},
		{"mvn.w r0, r1", flags, "mvns r0, r1"},
		{"mov.w r8, r1", 0, "mov r8, r1"},
		{"mov.w r0, #200", flags, "movs r0, #200"},
		{"mov.w r0, #200", 0, ""},
		{"movw r0, #200", flags, "movs r0, #200"},
		{"add.w r0, r0, r9", 0, "add r0, r9"},
		{"add.w r0, r1, r2", flags, "adds r0, r1, r2"},
		{"sub.w r0, r0, #1", flags, "subs r0, #1"},
		{"subs.w r0, r0, #1", 0, "subs r0, #1"},
		{"subs.w r8, r8, #1", flags, ""},
		{"lsl.w r0, r1, #3", flags, "lsls r0, r1, #3"},
		{"ror.w r0, r0, #3", flags, ""},
		{"ldr.w r0, [r1, #124]", 0, "ldr r0, [r1, #124]"},
		{"ldr.w r0, [r1, #128]", 0, ""},
		{"ldr.w r0, [sp, #1020]", 0, "ldr r0, [sp, #1020]"},
		{"str.w r8, [sp, #4]", 0, ""},
		{"uxtb.w r0, r1", 0, "uxtb r0, r1"},
		{"rev.w r0, r1", 0, "rev r0, r1"},
		{"cmp.w r0, #255", 0, "cmp r0, #255"},
		{"stmdb sp!, {r4, r5, lr}", 0, "push {r4, r5, lr}"},
		{"stmdb sp!, {r4, r8}", 0, ""},
		{"ldmia.w sp!, {r4, pc}", 0, "pop {r4, pc}"},
		{"str.w r4, [sp, #-4]!", 0, "push {r4}"},
		{"ldr.w r4, [sp], #4", 0, "pop {r4}"},
		{"sub.w sp, sp, #8", 0, "sub sp, #8"},
		{"addw r0, sp, #8", 0, "add r0, sp, #8"},
		{"bx lr", flags, ""},
	} {
		blocks, err := Arch{}.Parse("test.s", c.text)
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		short, ok := Shorten(blocks[0].Items[0].Inst, c.free)
		got := ""
		if ok {
			got = Arch{}.Print(short)
		}
		if want := c.want; got != tabbed(want) {
			t.Errorf("%s with %v free: %q, want %q", c.text, c.free, got, want)
		}
	}
}

// tabbed is text as Print gives it.
func tabbed(text string) string {
	for i := range text {
		if text[i] == ' ' {
			return text[:i] + "\t" + text[i+1:]
		}
	}
	return text
}

// TestShortenSameEffect runs random wide instructions and their short forms from the same state: registers and memory end
// the same, and the flags do if they are not free.
func TestShortenSameEffect(t *testing.T) {
	var rows []*encoding
	for _, e := range encodings {
		if e.size == 4 && e.form.Feature == "" && e.form.Flags&(isa.Branch|isa.System|isa.ReadsClock) == 0 && !hasLabel(&isa.Inst{Form: &e.form}) {
			rows = append(rows, e)
		}
	}
	shortened := map[string]bool{}
	rapid.Check(t, func(r *rapid.T) {
		for _, e := range rows {
			if in, ok := drawWide(r, e); ok && sameEffect(r, in) {
				shortened[e.form.ID] = true
			}
		}
	})
	if len(shortened) < 20 {
		t.Errorf("only %d rows were ever shortened: %v", len(shortened), shortened)
	}
}

// drawWide makes an instruction of a row, with few registers so that they often coincide.
func drawWide(r *rapid.T, e *encoding) (isa.Inst, bool) {
	in := isa.Inst{Form: &e.form}
	for i, op := range e.form.Ops {
		switch op.Kind {
		case isa.KindReg:
			in.Args[i] = int64(rapid.SampledFrom([]isa.Reg{1, 1, 2, 7, 8, SP}).Draw(r, op.Name))
		case isa.KindList:
			in.Args[i] = int64(rapid.IntRange(1, 0x1fff).Draw(r, op.Name))
		default:
			in.Args[i] = rapid.SampledFrom([]int64{0, 0, 1, 4, 8, 31, 124, 255, -4}).Draw(r, op.Name)
		}
	}
	_, err := Arch{}.Encode(in, testCode)
	return in, err == nil
}

// sameEffect compares an instruction with its short form, if it has one.
func sameEffect(r *rapid.T, in isa.Inst) bool {
	free := rapid.SampledFrom([]isa.RegSet{0, isa.Set(Flags)}).Draw(r, "free")
	short, ok := Shorten(in, free)
	if !ok {
		return false
	}
	values := rapid.SliceOfN(rapid.Uint32(), 13, 13).Draw(r, "values")
	want, got := after(r, in, values), after(r, short, values)
	if free.Has(Flags) {
		want.flags, got.flags = 0, 0
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(effect{})); diff != "" {
		r.Fatalf("%s and %s differ (-wide +short):\n%s", Arch{}.Print(in), Arch{}.Print(short), diff)
	}
	return true
}

// effect is the state behind an instruction, its address apart.
type effect struct {
	regs  [15]uint64
	flags uint64
	data  string
}

// after runs one instruction; address registers point into the data.
func after(t *rapid.T, in isa.Inst, values []uint32) effect {
	code, err := Arch{}.Encode(in, testCode)
	if err != nil {
		t.Fatalf("%s: %v", Arch{}.Print(in), err)
	}
	mem := new(isa.Memory)
	data := make([]byte, 4096)
	for i := range data {
		data[i] = byte(i * 7)
	}
	for _, r := range []*isa.Region{
		{Name: "code", Base: testCode, Data: append(code, make([]byte, 64)...), Perm: isa.R | isa.W | isa.X},
		{Name: "data", Base: testData, Data: data, Perm: isa.R | isa.W},
	} {
		if err := mem.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	c := Arch{}.NewCore(mem, allFeatures).(*Core)
	c.SetPC(testCode)
	for i, v := range values {
		c.SetReg(isa.Reg(i), uint64(v))
	}
	c.SetReg(SP, testData+1024)
	for i, op := range in.Form.Ops {
		if op.Addr {
			c.SetReg(in.Reg(i), testData+1024)
		}
	}
	c.Run(nil, 1, isa.NoAddr)
	e := effect{flags: c.Reg(Flags), data: string(data)}
	for i := range e.regs {
		e.regs[i] = c.Reg(isa.Reg(i))
	}
	return e
}
