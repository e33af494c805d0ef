package ciphers

import (
	"encoding/binary"
	"math/bits"
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
	i       int   // the loop variable
	carried []int // the words that pass from turn to turn
}

func record(t *testing.T, k *ir.Kernel) *program {
	t.Helper()
	p := &program{}
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
	return p.add(step{what: stepLoad, mem: m, index: int(i.Base)})
}

func (p *program) Store(m *ir.Mem, i ir.Index, v int) {
	p.add(step{what: stepStore, mem: m, index: int(i.Base), args: []int{v}})
}

func (p *program) Public(name string) ir.Index { panic("no kernel here takes " + name) }

func (p *program) Repeat(lo, hi ir.Index, by int64, carried []int, body func(ir.Index, []int) []int) []int {
	for i := lo.Base; i < hi.Base; i += by {
		if p.depth == 0 {
			p.rounds = append(p.rounds, round{int(i), append([]int(nil), carried...)})
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

// call returns the output and all values of the kernel.
func (s *straight) call(key, in []byte) ([]byte, []uint32) {
	if s.rk == nil || s.key != string(key) {
		s.key, s.rk = string(key), make([]byte, s.rkBytes)
		s.keys.run(map[string][]byte{s.in: key, s.out: s.rk})
	}
	out := make([]byte, len(in))
	v := s.kernel.run(map[string][]byte{s.shape.Key: s.rk, s.shape.In: in, s.shape.Out: out})
	return out, v
}
