package compile_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
	"simrun/programs/compile"
	"simrun/programs/ir"
	"simrun/programs/targets"
	"simrun/sim"
)

const catalogue = "../../ciphers"

// kernels parses every kernel file of the catalogue.
func kernels(t testing.TB) []*ir.Kernel {
	t.Helper()
	var all []*ir.Kernel
	files, err := filepath.Glob(catalogue + "/*/*.kir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no kernels: %v", err)
	}
	for _, f := range files {
		rel, err := filepath.Rel(catalogue, f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, parse(t, os.DirFS(catalogue), rel)...)
	}
	return all
}

// parse returns the kernels of a file and their keys functions.
func parse(t testing.TB, fsys fs.FS, name string) []*ir.Kernel {
	t.Helper()
	file, err := ir.ParseFile(fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	var all []*ir.Kernel
	for _, k := range file.Kernels() {
		all = append(all, k)
		if k.Keys != nil {
			all = append(all, k.Keys)
		}
	}
	return all
}

// buffers makes random contents for the memory parameters of code, for all its lanes.
func buffers(rng *rand.Rand, c *compile.Code) map[string][]byte {
	mem := map[string][]byte{}
	for _, p := range c.Params {
		if p.Mem == nil {
			continue
		}
		n := p.Mem.Bytes()
		if p.Mem.Kind != ir.Key {
			n *= c.Lanes
		}
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		mem[p.Name] = b
	}
	return mem
}

// interpret runs the kernel once for each lane.
func interpret(t testing.TB, c *compile.Code, sliceBits int, mem map[string][]byte, public map[string]int64) {
	t.Helper()
	for lane := range c.Lanes {
		part := map[string][]byte{}
		for _, p := range c.Params {
			if p.Mem == nil {
				continue
			}
			part[p.Name] = mem[p.Name]
			if p.Mem.Kind != ir.Key {
				n := p.Mem.Bytes()
				part[p.Name] = mem[p.Name][lane*n : (lane+1)*n]
			}
		}
		if err := ir.Run(c.Kernel, sliceBits, part, public); err != nil {
			t.Fatal(err)
		}
	}
}

// execute runs the machine code on the functional simulator; outputs are written back to mem.
func execute(t testing.TB, tg *compile.Target, c *compile.Code, mem map[string][]byte, public map[string]int64) {
	t.Helper()
	m, err := sim.New(sim.Config{Arch: tg.Arch, Image: c.Image, Features: []string{"m", "c", "ssse3"}, Areas: []sim.Area{
		{Name: "data", Base: 0x20000000, Size: 1 << 20, Perm: isa.R | isa.W, Use: sim.Data},
		{Name: "stack", Base: 0x30000000, Size: 1 << 16, Perm: isa.R | isa.W, Use: sim.Stack},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var args []uint64
	at := map[string]uint64{}
	for _, p := range c.Params {
		if p.Mem == nil {
			args = append(args, uint64(public[p.Name]))
			continue
		}
		addr, err := m.Alloc(len(mem[p.Name]), 64)
		if err != nil {
			t.Fatal(err)
		}
		must(t, m.Write(addr, mem[p.Name]))
		at[p.Name] = addr
		args = append(args, addr)
	}
	if c.Context != nil {
		args = []uint64{context(t, m, c, args)}
	}
	if _, _, err := m.Call(c.Image.Symbols[0].Addr, args, 0); err != nil {
		t.Fatalf("%s on %s: %v", c.Kernel.Name, tg.Arch.Name(), err)
	}
	for _, p := range c.Params {
		if p.Mem != nil {
			b, err := m.Read(at[p.Name], len(mem[p.Name]))
			must(t, err)
			copy(mem[p.Name], b)
		}
	}
}

// context writes the context block of a kernel that takes one pointer.
func context(t testing.TB, m *sim.Machine, c *compile.Code, args []uint64) uint64 {
	t.Helper()
	block, err := m.Alloc(c.Context.Size, 64)
	must(t, err)
	for i, f := range c.Context.Fields {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], args[i])
		must(t, m.Write(block+uint64(f.Offset), b[:]))
	}
	return block
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// difference runs compiled code and interpreter on the same random inputs and says where they
// first differ; "" = nowhere.
func difference(t testing.TB, tg *compile.Target, k *ir.Kernel, o compile.Options, times int, public map[string]int64) string {
	t.Helper()
	c, err := compile.Compile(k, tg, o)
	if err != nil {
		t.Fatalf("%s: %v", tg.Arch.Name(), err)
	}
	return differs(t, tg, c, o, times, public)
}

// differs is difference for compiled code.
func differs(t testing.TB, tg *compile.Target, c *compile.Code, o compile.Options, times int, public map[string]int64) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for range times {
		want := buffers(rng, c)
		got := map[string][]byte{}
		for n, b := range want {
			got[n] = bytes.Clone(b)
		}
		interpret(t, c, tg.SliceBits, want, public)
		execute(t, tg, c, got, public)
		for n := range want {
			if !bytes.Equal(want[n], got[n]) {
				return fmt.Sprintf("%s on %s (budget %d): %s is %x, the interpreter says %x",
					c.Kernel.Name, tg.Arch.Name(), o.Budget, n, got[n], want[n])
			}
		}
	}
	return ""
}

// forms are the ways in which every kernel is compiled: unrolled, with loops, without the optimising passes, and for size.
var forms = []compile.Options{{Level: 1, Budget: 1 << 20}, {Level: 1}, {Level: 0},
	{Level: 1, Budget: 1 << 20, Short: compile.ShortEncodings | compile.ShortAccesses, Features: compressed},
	{Level: 1, Short: compile.ShortEncodings, Features: compressed}}

// compressed is the feature of CPUs with short encodings of RV32.
var compressed = []string{"c"}

// searched are more ways, for small kernels: after searches for other orders and gates, with values made again and without.
var searched = []compile.Options{{Level: 1, Budget: 1 << 20, Search: compile.Search{Tries: 40, Seed: 1}},
	{Level: 1, Search: compile.Search{Tries: 40, Seed: 2}},
	{Level: 1, Budget: 1 << 20, Without: []string{"recompute"}, Search: compile.Search{Tries: 40, Seed: 3}}}

// TestCatalogue compares every kernel and keys function on every target with the interpreter.
func TestCatalogue(t *testing.T) {
	for _, k := range kernels(t) {
		for _, tg := range targets.All() {
			if !tg.Takes(k) {
				continue
			}
			t.Run(k.Name+"@"+tg.Arch.Name(), func(t *testing.T) {
				t.Parallel()
				for i, o := range forms {
					inputs := foreign.Count(1, 3)
					if i == 0 {
						inputs = foreign.Count(inputs, 10000)
					}
					if d := difference(t, tg, k, o, inputs, nil); d != "" {
						t.Error(d)
					}
				}
			})
		}
	}
}
