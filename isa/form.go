package isa

// Reg is a register number local to one ISA, dense from 0. Every ISA keeps its
// registers below [NoReg], so a set of registers is one uint64.
//
//	t32    r0-r15 = 0-15, APSR flags = 16
//	rv32   x0-x31 = 0-31
//	x86    rax.. (encoding order) = 0-15, xmm0-15 = 16-31, RFLAGS = 32, RIP = 33
type Reg uint8

// NoReg stands for an absent register (no index, unused source). It is also the
// highest number, so tables indexed by Reg have NoReg+1 entries.
const NoReg Reg = 63

// VirtBase is the lowest virtual register number in Inst.Args before register
// allocation. Physical registers are below it.
const VirtBase = 1 << 16

// RegSet is a set of registers, bit r = register r.
type RegSet uint64

// Set returns the set of the given registers; NoReg is left out.
func Set(rs ...Reg) RegSet {
	var s RegSet
	for _, r := range rs {
		s = s.With(r)
	}
	return s
}

// Has reports whether r is in s.
func (s RegSet) Has(r Reg) bool { return s>>r&1 != 0 }

// With returns s with r added; NoReg is ignored.
func (s RegSet) With(r Reg) RegSet {
	if r == NoReg {
		return s
	}
	return s | 1<<r
}

// OperandKind says how a slot of Inst.Args is to be read.
type OperandKind uint8

const (
	KindReg   OperandKind = iota // a register number
	KindImm                      // an immediate, already sign- or zero-extended as the manual says
	KindList                     // a register list (RegSet) of LDM/STM/PUSH/POP
	KindLabel                    // an absolute address; Inst.Sym names it before assembling
)

// Role says what an instruction does with a register operand.
type Role uint8

const (
	Read      Role = 1
	Write     Role = 2
	ReadWrite Role = Read | Write
)

// RegClass is a kind of register file.
type RegClass uint8

const (
	GPR RegClass = iota
	Vec          // 128-bit vector registers
	FPR          // 32-bit floating-point registers
)

// Operand describes one slot of Inst.Args.
type Operand struct {
	Name  string // as in the manual: Rd, Rn, imm12, ...
	Kind  OperandKind
	Role  Role
	Class RegClass
	Addr  bool // takes part in forming a memory address
}

// FormFlags are the facts about a form that schedulers and pipelines ask for.
type FormFlags uint16

const (
	Load       FormFlags = 1 << iota // reads data memory
	Store                            // writes data memory
	Branch                           // may change the PC (ends a straight run)
	Cond                             // a branch that may fall through
	Call                             // leaves a return address in the link register or on the stack
	Return                           // the usual form of a return
	Commute                          // the two source registers may be swapped
	ReadsClock                       // reads a cycle counter: everything before it must have retired
	System                           // traps, barriers, breakpoints: handled outside the hot loop
)

// Form is one row of an ISA's table: it is the instruction. Encoder, decoder,
// printer, parser, scheduler, allocator and simulator all read this row.
type Form struct {
	ID       string // unique in its ISA, the manual's name of the encoding: "EOR_reg_T2", "XOR", "PXOR_xmm_m128"
	Mnemonic string // as the GNU assembler prints it: "eor.w", "xor", "pxor"
	Syntax   string // operand template of the GNU syntax, read by the ISA's asm.go
	Bits     string // bit pattern, most significant bit first (t32, rv32); empty where a library encodes
	Ops      []Operand
	Class    string // dotted timing class: "alu", "load.word", "vec.logic"
	Feature  string // extension that must be present ("" = base): "m", "c", "dsp"; "zbb or zbkb" = one of them
	Flags    FormFlags
	Reads    RegSet // registers read that are no operand (flags, SP)
	Writes   RegSet // registers written that are no operand
	Num      int    // index in the ISA's table, set by it
}

// MaxArgs is the largest number of operands of a form.
const MaxArgs = 6

// Inst is one instruction, the same type in both directions: lowering produces it, the
// encoder consumes it, the decoder produces it, printer and simulator read it.
type Inst struct {
	Form *Form
	Args [MaxArgs]int64 // by slot of Form.Ops; see OperandKind
	Sym  string         // symbolic value of the KindLabel slot before assembling, "" after
	Cond uint8          // 0, or 1 + condition code when executed under a predicate (IT block)
}

// Reg returns argument i as a register.
func (in *Inst) Reg(i int) Reg { return Reg(in.Args[i]) }

// Uses calls f for each register operand with its slot; implicit registers are not visited.
func (in *Inst) Uses(f func(slot int, op *Operand)) {
	for i := range in.Form.Ops {
		if in.Form.Ops[i].Kind == KindReg {
			f(i, &in.Form.Ops[i])
		}
	}
}
