package lower

import (
	"simrun/isa"
	"simrun/isa/x86"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// scalarTarget is x86-64 with words of up to 64 bits in general registers, one call at a time; words of
// 128 bits stay in xmm registers. Callee-saved registers are pushed.
func scalarTarget() *compile.Target {
	t := vectorTarget()
	t.Vector = false
	t.Lanes = func(*ir.Kernel) int { return 1 }
	t.Regs[isa.GPR] = append(t.Regs[isa.GPR], x86.RBX, x86.RBP, x86.R12, x86.R13, x86.R14, x86.R15)
	t.NewSelector = newScalar
	t.Legal = legalHigh
	return t
}

// withHigh are the registers whose second byte has a name.
var withHigh = isa.Set(x86.RAX, x86.RCX, x86.RDX, x86.RBX)

// besideHigh are those that can stand in one instruction with a second byte.
var besideHigh = withHigh.With(x86.RSI).With(x86.RBP)

// legalHigh takes the second byte of a register in two instructions where one has no encoding: AH to BH are
// those of the first four registers, and cannot stand beside R8 to R15.
func legalHigh(in isa.Inst) []isa.Inst {
	if in.Form.ID != "MOVZX_r32_h8" || withHigh.Has(isa.Reg(in.Args[1])) && isa.Reg(in.Args[0]) < x86.R8 {
		return []isa.Inst{in}
	}
	d, s := in.Args[0], in.Args[1]
	return []isa.Inst{mk("MOVZX_r32_r16", d, s), mk("SHR_r32_imm8", d, 8)}
}
