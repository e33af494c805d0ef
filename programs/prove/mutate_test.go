package prove

import (
	"bytes"
	"errors"
	"os"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"simrun/ciphers"
	"simrun/costmodel"
	"simrun/internal/bench"
	"simrun/isa"
	"simrun/programs/compile"
)

// compiled compiles a kernel of the catalogue or of a file; rolled keeps its outermost loop.
func compiled(t testing.TB, kernel, cpuName string, rolled bool) Job {
	t.Helper()
	cpu, err := costmodel.Load(cpuName)
	if err != nil {
		t.Fatal(err)
	}
	find := func() (ciphers.Entry, error) { return ciphers.Find(kernel) }
	if _, err := os.Stat(kernel); err == nil {
		find = func() (ciphers.Entry, error) {
			list, err := ciphers.FromFile(kernel)
			return list[0], err
		}
	}
	e, err := find()
	if err != nil {
		t.Fatal(err)
	}
	s, err := bench.NewSubject(e)
	if err != nil {
		t.Fatal(err)
	}
	c := bench.Cell{Subject: s, CPU: cpu, Build: bench.Build{Level: bench.O0}}
	if rolled {
		c.Build.Order = &compile.Order{Roll: 1}
	}
	p, err := c.Compile()
	if err != nil {
		t.Fatal(err)
	}
	if (p.Roll > 0) != rolled {
		t.Fatalf("%s on %s has %d levels of loops", kernel, cpuName, p.Roll)
	}
	return Job{Code: p.Code, Target: p.Target, Features: cpu.Features, Limit: 50_000}
}

const mix = "../../examples/mix.kir"

func jobs(t testing.TB) []Job {
	var list []Job
	for _, cpu := range []string{"cortex-m4", "sifive-e31", "x86-64-ssse3"} {
		list = append(list, compiled(t, "gift64/fixsliced", cpu, false), compiled(t, "gift64/fixsliced", cpu, true),
			compiled(t, mix, cpu, false), compiled(t, mix, cpu, true))
	}
	return list
}

// TestLoops proves code with loops and additions.
func TestLoops(t *testing.T) {
	for _, j := range jobs(t) {
		r, err := Kernel(j)
		if again, _ := Kernel(j); !reflect.DeepEqual(again, r) {
			t.Errorf("%s for %s: a second proof is another: %+v, %+v", j.Code.Kernel.Name, j.Target.Arch.Name(), again, r)
		}
		if err != nil || !r.Equal() {
			t.Errorf("%s for %s, loops %d: %+v, %v", j.Code.Kernel.Name, j.Target.Arch.Name(), j.Code.Roll, r, err)
		}
	}
}

// TestMutations changes one operand or one operation of the code. Code that gives other outputs than the text on any of
// 64 random inputs is never proven, and what is neither proven nor refused has a counterexample.
func TestMutations(t *testing.T) {
	list := jobs(t)
	outcomes := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		j := rapid.SampledFrom(list).Draw(t, "job")
		text, ok := mutate(t, &j)
		if !ok {
			t.Skip("no such instruction")
		}
		wrong := outputsDiffer(t, j)
		r, err := Kernel(j)
		switch {
		case err != nil && !errors.As(err, new(*Refusal)):
			t.Fatalf("%s: %v", text, err)
		case err != nil:
			outcomes["refused"]++
		case r.Counter != nil:
			outcomes["refuted"]++
		case r.Equal() && wrong:
			t.Fatalf("%s: proven, and the outputs differ", text)
		case r.Equal():
			outcomes["equal"]++
		default:
			t.Fatalf("%s: %d of %d bits proven and no counterexample", text, r.Proven, r.Bits)
		}
	})
	t.Log(outcomes)
	if outcomes["refuted"] == 0 || outcomes["refused"] == 0 {
		t.Errorf("the outcomes are %v: want some of each kind", outcomes)
	}
}

// mutate changes one instruction of the image, in place and of the same length.
func mutate(t *rapid.T, j *Job) (text string, ok bool) {
	arch := j.Target.Arch
	image := *j.Code.Image
	image.Segments = slices.Clone(image.Segments)
	seg := &image.Segments[0]
	seg.Data = bytes.Clone(seg.Data)
	symbol, _ := image.Lookup(j.Code.Block.Name)
	skip := rapid.IntRange(0, len(seg.Data)/4).Draw(t, "instruction")
	off := int(symbol.Addr - seg.Addr)
	for {
		in, n, err := arch.Decode(seg.Data[off:min(off+16, len(seg.Data))], seg.Addr+uint64(off))
		if err != nil {
			return "", false
		}
		if skip == 0 {
			other := change(t, arch, in)
			code, err := arch.Encode(other, seg.Addr+uint64(off))
			if err != nil || len(code) != n || bytes.Equal(code, seg.Data[off:off+n]) {
				return "", false
			}
			copy(seg.Data[off:], code)
			code2 := *j.Code
			code2.Image, j.Code = &image, &code2
			return arch.Print(in) + " became " + arch.Print(other), true
		}
		if in.Form.Flags&isa.Return != 0 {
			return "", false
		}
		off, skip = off+n, skip-1
	}
}

// change draws another operand, or another row with the same operands.
func change(t *rapid.T, arch isa.Arch, in isa.Inst) isa.Inst {
	slots := len(in.Form.Ops)
	slot := rapid.IntRange(0, slots).Draw(t, "slot")
	if slot < slots {
		if in.Form.Ops[slot].Kind == isa.KindReg {
			in.Args[slot] = in.Args[slot]&^15 | rapid.Int64Range(0, 15).Draw(t, "register")
			return in
		}
		in.Args[slot] ^= 1 << rapid.IntRange(0, 8).Draw(t, "bit")
		return in
	}
	var like []*isa.Form
	for _, f := range arch.Forms() {
		if slices.Equal(f.Ops, in.Form.Ops) && f.Feature == in.Form.Feature {
			like = append(like, f)
		}
	}
	in.Form = rapid.SampledFrom(like).Draw(t, "row")
	return in
}

// outputsDiffer runs code and text on 64 random inputs.
func outputsDiffer(t *rapid.T, j Job) bool {
	p := newProof(j, j.Target.Arch.(isa.Semantics))
	for pattern := range 64 {
		inputs := map[string][]byte{}
		for name, a := range p.buffers {
			inputs[name] = p.known(a.first, pattern)
		}
		for _, q := range p.outputs() {
			want, err := p.interpret(inputs, q.Name)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := p.execute(q.Name, pattern); err != nil || !bytes.Equal(got, want) {
				return true
			}
		}
	}
	return false
}
