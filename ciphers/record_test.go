package ciphers

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"testing"

	"simrun/programs/ir"
)

// program is a kernel written out as one straight line, for tests that run it thousands of
// times or look inside. It is an ir.Domain of value numbers; its own steps are what the
// kernel text says, one for one.
type program struct {
	steps  []step
	rounds []round // the turns of the outermost repeat loops
	depth  int     // of repeat loops around

	loops   int               // outermost ones so far
	scratch map[*ir.Mem][]int // the values that scratch arrays hold
}

// step makes value number i, i being its place in the list; a store makes a value that is
// not used.
type step struct {
	what  uint8 // stepOp, ..
	op    ir.Op
	width int
	args  []int // of an operation; of a store the word
	imm   ir.Imm
	word  ir.Word // stepConst
	mem   *ir.Mem
	index int
}

const (
	stepOp uint8 = iota
	stepConst
	stepLoad
	stepStore
)

// round is the start of a turn of a repeat loop.
type round struct {
	loop    int   // which of the loops
	i       int   // the loop variable
	carried []int // the words that pass from turn to turn
	scratch map[string][]int
}

func record(t *testing.T, k *ir.Kernel) *program {
	t.Helper()
	p := &program{scratch: map[*ir.Mem][]int{}}
	if err := ir.Eval(k, ir.Domain[int](p), 32); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *program) add(s step) int {
	p.steps = append(p.steps, s)
	return len(p.steps) - 1
}

func (p *program) At(ir.Pos) {}

func (p *program) Const(w int, c ir.Word) int {
	return p.add(step{what: stepConst, width: w, word: c})
}

func (p *program) Op(op ir.Op, w int, args []int, imm ir.Imm) int {
	return p.add(step{what: stepOp, op: op, width: w, args: append([]int(nil), args...), imm: imm})
}

func (p *program) Load(m *ir.Mem, i ir.Index) int {
	if m.Kind == ir.Scratch {
		return p.scratch[m][i.Base]
	}
	return p.add(step{what: stepLoad, mem: m, index: int(i.Base)})
}

func (p *program) Store(m *ir.Mem, i ir.Index, v int) {
	if m.Kind == ir.Scratch {
		if p.scratch[m] == nil {
			p.scratch[m] = make([]int, m.Len)
		}
		p.scratch[m][i.Base] = v
		return
	}
	p.add(step{what: stepStore, mem: m, index: int(i.Base), args: []int{v}})
}

func (p *program) Public(name string) ir.Index { panic("no kernel here takes " + name) }

func (p *program) Repeat(lo, hi ir.Index, by int64, carried []int, body func(ir.Index, []int) []int) []int {
	if p.depth == 0 {
		defer func() { p.loops++ }()
	}
	for i := lo.Base; i < hi.Base; i += by {
		if p.depth == 0 {
			held := map[string][]int{}
			for m, list := range p.scratch {
				held[m.Name] = slices.Clone(list)
			}
			p.rounds = append(p.rounds, round{p.loops, int(i), slices.Clone(carried), held})
		}
		p.depth++
		carried = body(ir.Index{Base: i}, carried)
		p.depth--
	}
	return carried
}

func (p *program) If(ir.Compare, ir.Index, ir.Index, []int, func([]int) []int, func([]int) []int) []int {
	panic("no kernel here has a public condition")
}

// run computes all values, all of 32 bits. mem is by parameter name, as for ir.Run.
func (p *program) run(mem map[string][]byte) []uint32 {
	v := make([]uint32, len(p.steps))
	for i := range p.steps {
		s := &p.steps[i]
		switch s.what {
		case stepConst:
			v[i] = uint32(s.word.Lo)
		case stepLoad:
			v[i] = order(s.mem).Uint32(mem[s.mem.Name][4*s.index:])
		case stepStore:
			order(s.mem).PutUint32(mem[s.mem.Name][4*s.index:], v[s.args[0]])
		default:
			v[i] = s.apply(v)
		}
	}
	return v
}

// wide computes all values, of any width.
func (p *program) wide(mem map[string][]byte) []ir.Word {
	v := make([]ir.Word, len(p.steps))
	for i := range p.steps {
		s := &p.steps[i]
		switch s.what {
		case stepConst:
			v[i] = s.word
		case stepLoad:
			size := s.mem.Width / 8
			v[i] = readWord(mem[s.mem.Name][size*s.index:][:size], s.mem.BigEndian)
		case stepOp:
			args := make([]ir.Word, len(s.args))
			for k, x := range s.args {
				args[k] = v[x]
			}
			v[i] = ir.Apply(s.op, s.width, args, s.imm)
		}
	}
	return v
}

func readWord(b []byte, big bool) ir.Word {
	var full [16]byte
	copy(full[:], b)
	if big {
		slices.Reverse(full[:len(b)])
	}
	return ir.Word{Lo: binary.LittleEndian.Uint64(full[:]), Hi: binary.LittleEndian.Uint64(full[8:])}
}

func order(m *ir.Mem) binary.ByteOrder {
	if m.BigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// apply is ir.Apply, with the commonest operations of width 32 done in place.
func (s *step) apply(v []uint32) uint32 {
	a := v[s.args[0]]
	switch s.op {
	case ir.Xor:
		for _, b := range s.args[1:] {
			a ^= v[b]
		}
		return a
	case ir.And:
		return a & v[s.args[1]]
	case ir.Or:
		return a | v[s.args[1]]
	case ir.Shl:
		return a << s.imm.N
	case ir.Shr:
		return a >> s.imm.N
	case ir.Rotl:
		return bits.RotateLeft32(a, s.imm.N)
	}
	args := make([]ir.Word, len(s.args))
	for i, x := range s.args {
		args[i].Lo = uint64(v[x])
	}
	return uint32(ir.Apply(s.op, s.width, args, s.imm).Lo)
}

// straight runs an entry by its recorded programs, with the round keys of the last key kept.
type straight struct {
	kernel, keys *program
	shape        Shape
	in, out      string // parameters of the keys function
	rkBytes      int
	key          string
	rk           []byte
}

func newStraight(t *testing.T, e Entry) *straight {
	t.Helper()
	shape, err := ShapeOf(e.Kernel, 32)
	if err != nil {
		t.Fatal(err)
	}
	p := e.Kernel.Keys.Params(32)
	return &straight{
		kernel: record(t, e.Kernel), keys: record(t, e.Kernel.Keys), shape: shape,
		in: p[0].Name, out: p[1].Name, rkBytes: p[1].Mem.Bytes(),
	}
}

// call returns the output and all values of the kernel. The words of the kernel are of 32 bits.
func (s *straight) call(b *Batch) ([]byte, []uint32) {
	if s.rk == nil || s.key != string(b.Key) {
		s.key, s.rk = string(b.Key), make([]byte, s.rkBytes)
		s.keys.run(map[string][]byte{s.in: b.Key, s.out: s.rk})
	}
	mem := s.shape.Memory(b)
	mem[s.shape.Key] = s.rk
	v := s.kernel.run(mem)
	return s.shape.Read(mem[s.shape.Out]), v
}

// runner checks batches by the recorded program where all words have 32 bits, else by the interpreter.
type runner struct {
	t     *testing.T
	entry Entry
	shape Shape
	fast  *straight // nil: there are other words
}

func newRunner(t *testing.T, e Entry) *runner {
	t.Helper()
	shape, err := ShapeOf(e.Kernel, 32)
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{t: t, entry: e, shape: shape}
	if s := newStraight(t, e); s.kernel.narrow() && s.keys.narrow() {
		r.fast = s
	}
	return r
}

// narrow reports whether all words have 32 bits.
func (p *program) narrow() bool {
	for i := range p.steps {
		if s := &p.steps[i]; s.what < stepLoad && s.width != 32 || s.what >= stepLoad && s.mem.Width != 32 {
			return false
		}
	}
	return true
}

func (r *runner) check(batches []Batch) {
	r.t.Helper()
	if r.fast == nil {
		interpreted(r.t, r.entry, r.shape, 32, batches)
		return
	}
	for i := range batches {
		b := &batches[i]
		got, _ := r.fast.call(b)
		err := b.Check(got)
		if err == nil && i%97 == 0 {
			err = checkInterpreter(r.entry, b)
		}
		if err != nil {
			r.t.Fatalf("%s: key %x: %v", r.entry.File, b.Key, err)
		}
	}
}

// checkInterpreter runs a batch by ir.Run, which is the same text by another way.
func checkInterpreter(e Entry, b *Batch) error {
	got, err := e.Interpret(32, b)
	if err != nil {
		return err
	}
	return b.Check(got)
}

// interpreted checks batches with slices of the given width.
func interpreted(t *testing.T, e Entry, s Shape, sliceBits int, batches []Batch) {
	t.Helper()
	mem, err := e.memories(s, sliceBits, batches)
	if err == nil {
		err = ir.RunMany(e.Kernel, sliceBits, mem, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range batches {
		if err := batches[i].Check(s.Read(mem[i][s.Out])); err != nil {
			t.Fatalf("%s with slices of %d bits: key %x: %v", e.File, sliceBits, batches[i].Key, err)
		}
	}
}

// widthOf is the number of bits of value x.
func (p *program) widthOf(x int) int {
	if s := &p.steps[x]; s.mem != nil {
		return s.mem.Width
	}
	return p.steps[x].width
}
