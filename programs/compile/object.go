package compile

import (
	"simrun/isa"
	"simrun/programs/ir"
)

// Which object of the text a load or store reaches follows from the register that its address begins with: a pointer
// comes from the base of one object, and no object overlaps another.

// Points notes that virtual register r points into m.
func (b *Builder) Points(r int64, m *ir.Mem) {
	if m != nil {
		b.objects[r] = m
	}
}

// follow notes what an instruction reaches, or what its result points to: what the only pointer that it computes with
// points to.
func (b *Builder) follow(m *MInst) {
	if isMemory(m) {
		m.object = b.pointer(m, func(op *isa.Operand) bool { return op.Addr })
		return
	}
	if p := b.pointer(m, func(op *isa.Operand) bool { return op.Role&isa.Read != 0 }); p != nil {
		for _, v := range m.outs {
			b.Points(v, p)
		}
	}
}

// pointer is what the operands that count point to; nil if there are several objects.
func (b *Builder) pointer(m *MInst, counts func(op *isa.Operand) bool) *ir.Mem {
	var found *ir.Mem
	several := false
	note := func(v int64) {
		p := b.objects[v]
		several = several || p != nil && found != nil && p != found
		if p != nil {
			found = p
		}
	}
	m.Uses(func(slot int, op *isa.Operand) {
		if counts(op) {
			note(m.Args[slot])
		}
	})
	if m.Tied != 0 && !isMemory(m) {
		note(m.Tied)
	}
	if several {
		return nil
	}
	return found
}
