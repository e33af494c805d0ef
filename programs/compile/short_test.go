package compile_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"simrun/internal/foreign"
	"simrun/isa"
	"simrun/programs/compile"
	"simrun/programs/ir"
	"simrun/programs/targets"
)

// TestFlagsReachTheirReaders: whoever reads the flags in short code reads them of the instruction that wrote them in the
// same code in long encodings, for the catalogue and for random kernels.
func TestFlagsReachTheirReaders(t *testing.T) {
	t.Parallel()
	all := moderate(t)
	for seed := range uint64(foreign.Count(30, 2000)) {
		all = append(all, parse(t, fstest.MapFS{"random.kir": {Data: []byte(randomKernel(seed))}}, "random.kir")...)
	}
	readers := 0
	for _, k := range all {
		for _, tg := range targets.All() {
			if tg.Shorten != nil && tg.Far == nil && tg.Takes(k) { // RV32 has no flags
				readers += checkFlags(t, tg, k)
			}
		}
	}
	if readers < 100 {
		t.Errorf("only %d instructions read flags", readers)
	}
}

func checkFlags(t *testing.T, tg *compile.Target, k *ir.Kernel) (readers int) {
	t.Helper()
	short, long := instructions(inShort(t, tg, k)), instructions(inLong(t, tg, k))
	if len(short) != len(long) {
		t.Fatalf("%s on %s: %d instructions, %d in long encodings", k.Name, tg.Arch.Name(), len(short), len(long))
	}
	name := func(in isa.Inst) string { return strings.TrimSpace(tg.Arch.Print(in)) }
	writer := map[isa.Reg][2]int{}
	for i := range short {
		for _, r := range hidden(tg, short[i].Form.Reads|long[i].Form.Reads) {
			readers++
			if w := writer[r]; w[0] != w[1] {
				t.Errorf("%s on %s: %s reads what %s has written, not %s", k.Name, tg.Arch.Name(), name(short[i]), name(short[w[0]]), name(long[w[1]]))
			}
		}
		for form, in := range []isa.Inst{short[i], long[i]} {
			for _, r := range hidden(tg, in.Form.Writes) {
				w := writer[r]
				w[form] = i
				writer[r] = w
			}
		}
	}
	return readers
}

// hidden lists the registers of a set that are operands nowhere: the stack pointer is one of long encodings.
func hidden(tg *compile.Target, set isa.RegSet) []isa.Reg {
	var list []isa.Reg
	for r := isa.Reg(0); r < isa.NoReg; r++ {
		if set.Has(r) && r != tg.Arch.ABI().SP {
			list = append(list, r)
		}
	}
	return list
}

func instructions(c *compile.Code) []isa.Inst {
	var list []isa.Inst
	for _, it := range c.Block.Items {
		if it.Inst.Form != nil {
			list = append(list, it.Inst)
		}
	}
	return list
}

// inShort and inLong compile a kernel for size, and for size but in long encodings; the catalogue only once for all tests.
func inShort(t *testing.T, tg *compile.Target, k *ir.Kernel) *compile.Code {
	t.Helper()
	return compiled(t, tg, k, compile.Options{Level: 1, Short: compile.ShortEncodings | compile.ShortAccesses, Features: compressed})
}

func inLong(t *testing.T, tg *compile.Target, k *ir.Kernel) *compile.Code {
	t.Helper()
	return compiled(t, tg, k, compile.Options{Level: 1, Short: compile.ShortEncodings | compile.ShortAccesses, Features: compressed,
		Without: []string{"short-encodings"}})
}

// built is what has been compiled, by target, kernel and whether it is in long encodings.
var built sync.Map

type buildKey struct {
	tg   *compile.Target
	k    *ir.Kernel
	long bool
}

func compiled(t *testing.T, tg *compile.Target, k *ir.Kernel, o compile.Options) *compile.Code {
	t.Helper()
	make := sync.OnceValues(func() (*compile.Code, error) { return compile.Compile(k, tg, o) })
	once, _ := built.LoadOrStore(buildKey{tg, k, len(o.Without) > 0}, make)
	c, err := once.(func() (*compile.Code, error))()
	must(t, err)
	return c
}

// moderate is the catalogue without the kernels on slices, which are the same few operations in ten times the code.
func moderate(t *testing.T) []*ir.Kernel { return slices.Clone(moderateOnce(t)) }

var (
	moderateKernels []*ir.Kernel
	readModerate    sync.Once
)

func moderateOnce(t *testing.T) []*ir.Kernel {
	readModerate.Do(func() {
		moderateKernels = slices.DeleteFunc(kernels(t), func(k *ir.Kernel) bool { return k.Slice })
	})
	return moderateKernels
}

// TestShortIsShorter: short encodings shorten every kernel; without the feature that they need there are none.
func TestShortIsShorter(t *testing.T) {
	t.Parallel()
	for _, k := range moderate(t) {
		for _, tg := range targets.All() {
			if tg.Shorten == nil || !tg.Takes(k) {
				continue
			}
			size := func(c *compile.Code) int { return len(c.Image.Segments[0].Data) }
			long, short := size(inLong(t, tg, k)), size(inShort(t, tg, k))
			if short >= long {
				t.Errorf("%s on %s: %d bytes in short encodings, %d without", k.Name, tg.Arch.Name(), short, long)
			}
			if tg.ShortFeature == "" {
				continue
			}
			plain, err := compile.Compile(k, tg, compile.Options{Level: 1})
			must(t, err)
			without, err := compile.Compile(k, tg, compile.Options{Level: 1, Short: compile.ShortEncodings})
			must(t, err)
			if size(without) != size(plain) {
				t.Errorf("%s on %s: short encodings on a CPU without %s", k.Name, tg.Arch.Name(), tg.ShortFeature)
			}
		}
	}
}

// TestLoopsBeginInOneFetch: in short code no instruction at the top of a loop crosses a fetch word.
func TestLoopsBeginInOneFetch(t *testing.T) {
	t.Parallel()
	for _, k := range moderate(t) {
		for _, tg := range targets.All() {
			if tg.LoopAlign == 0 || !tg.Takes(k) {
				continue
			}
			c := inShort(t, tg, k)
			pc, top := 0, ""
			sized := tg.Arch.(isa.Sized)
			for _, it := range c.Block.Items {
				if strings.HasPrefix(it.Label, ".Lloop") {
					top = it.Label
				}
				if it.Inst.Form == nil {
					continue
				}
				n := sized.Size(it.Inst.Form)
				if top != "" && pc/tg.LoopAlign != (pc+n-1)/tg.LoopAlign {
					t.Errorf("%s on %s: %s begins at %s", k.Name, tg.Arch.Name(), top, fmt.Sprintf("%#x with %d bytes", pc, n))
				}
				pc, top = pc+n, ""
			}
		}
	}
}
