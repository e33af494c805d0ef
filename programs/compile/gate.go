package compile

import (
	"fmt"

	"simrun/isa"
	"simrun/programs/ir"
)

// Gate is an instruction that combines two registers bit by bit. Bit 2*a+b of Truth is the result for bits a of the first
// operand and b of the second.
type Gate struct {
	Truth uint8
	Make  func(d, a, b int64) isa.Inst
}

// Binary is a Gate's Make for a form whose first operands are result, first and second source; rest follows them.
func Binary(mk func(id string, args ...any) isa.Inst, id string, rest ...any) func(d, a, b int64) isa.Inst {
	return func(d, a, b int64) isa.Inst { return mk(id, append([]any{d, a, b}, rest...)...) }
}

const xorTruth = 0b0110

// symmetric reports whether operands of a gate may be exchanged.
func symmetric(truth uint8) bool { return truth>>1&1 == truth>>2&1 }

// asGate reads an instruction as a gate of the target: its number and operands.
func asGate(t *Target, m *MInst) (g int, a, b int64, ok bool) {
	if m.Kind != KindInst || len(m.outs) != 1 || len(m.ins) != 2 || m.Tied != 0 {
		return 0, 0, 0, false
	}
	for g := range t.Gates {
		if t.Gates[g].Make(m.outs[0], m.ins[0], m.ins[1]) == m.Inst {
			return g, m.ins[0], m.ins[1], true
		}
	}
	return 0, 0, 0, false
}

// table is the truth table of a value over eight inputs: bit i is the value for the inputs that are the bits of i. In a
// linear window it is the set of the inputs whose xor the value is.
type table [4]uint64

const mostInputs = 8

// inputTable is the truth table of input i.
func inputTable(i int) (t table) {
	for j := range 256 {
		if j>>i&1 != 0 {
			t[j/64] |= 1 << (j % 64)
		}
	}
	return t
}

// gateTable combines two truth tables by a gate.
func gateTable(truth uint8, a, b *table) (t table) {
	for i := range t {
		t[i] = gateWord(truth, a[i], b[i])
	}
	return t
}

func gateWord(truth uint8, a, b uint64) uint64 {
	var w uint64
	if truth&1 != 0 {
		w |= ^a & ^b
	}
	if truth&2 != 0 {
		w |= ^a & b
	}
	if truth&4 != 0 {
		w |= a & ^b
	}
	if truth&8 != 0 {
		w |= a & b
	}
	return w
}

// alt is an instruction that makes the value of a virtual register, another one than that in the text.
type alt struct {
	truth uint8
	a, b  int64
	in    isa.Inst
	ins   []int64
}

func newAlt(t *Target, g int, d, a, b int64) alt {
	return alt{t.Gates[g].Truth, a, b, t.Gates[g].Make(d, a, b), []int64{a, b}}
}

// as gives m the definition of x; its place in the text stays.
func (x *alt) as(m *MInst) {
	m.Inst, m.ins, m.Tied = x.in, x.ins, 0
}

// truthName is the gate with this truth table as an operation of the text, for listings.
func truthName(truth uint8) string {
	if name, ok := truthNames[truth]; ok {
		return name
	}
	return fmt.Sprintf("gate %04b", truth)
}

var truthNames = map[uint8]string{
	xorTruth: OpName(ir.Xor), 0b1000: OpName(ir.And), 0b1110: OpName(ir.Or), 0b0100: OpName(ir.And) + " not", 0b1101: OpName(ir.Or) + " not",
}
