package isa

// Step is a decoded instruction as the hot loop of an ISA's exec.go wants it.
// Kind and the parameters mean what that exec.go says; 24 bytes.
type Step struct {
	Kind       uint16
	D, A, B, C uint8 // register numbers, sizes, shift amounts
	Flags      uint8
	Size       uint8 // bytes of code
	Imm        uint64
	Imm2       uint32
	Num        uint16 // Form.Num, for rows whose semantics are a function
	_          uint16
}

// Static is what a pipeline may know of an instruction before it runs. The ISA derives it
// from the Form once, when it decodes.
type Static struct {
	PC    uint64
	Src   RegSet // registers read, implicit ones included
	Dst   RegSet // registers written, implicit ones included
	Addr  RegSet // subset of Src that forms a memory address
	R     [4]Reg // the first four of Src in operand order, NoReg-padded
	W     [2]Reg // the first two of Dst, NoReg-padded
	Form  *Form
	Class uint16 // index into Arch.Classes()
	Flags FormFlags
	Size  uint8 // bytes of code
	Words uint8 // data words transferred (LDM/STM/LDRD: n; other loads and stores: 1; else 0)
	IT    uint8 // t32: 1 if inside an IT block, so it may be skipped
	Imm   int64 // displacement or shift where a rule asks for it

	// x86 only.
	Index  RegSet // subset of Addr that is scaled or added to a base
	Traits Traits
	Groups FlagGroups
}

// Traits are what an encoded instruction is beside its form, as front ends and renamers ask.
type Traits uint8

const (
	ZeroIdiom    Traits = 1 << iota // its result is a constant, whatever its registers hold
	RegMove                         // copies one whole register to another
	LengthChange                    // has a prefix that changes the length of its immediate
	NarrowWrite                     // writes 8 or 16 bits of a general register and keeps the rest
	HighWrite                       // a NarrowWrite of a second byte (AH)
	NarrowMove                      // a NarrowWrite that does not read what it overwrites
	NarrowRead                      // reads 8 or 16 bits of its registers that are no address
	RIPImmediate                    // has an address relative to RIP, and an immediate
)

// FlagGroups are groups of flags that are renamed apart: three bits for those written, three for those read.
type FlagGroups uint8

const (
	CarryWritten FlagGroups = 1 << iota
	OverflowWritten
	OthersWritten
	CarryRead
	OverflowRead
	OthersRead
	AllFlagsWritten = CarryWritten | OverflowWritten | OthersWritten
)

// Straight is a straight-line run of decoded code: entered only at the top, left at the
// end (or earlier by a fault or a limit). Steps and Time have the same length.
type Straight struct {
	PC    uint64
	Steps []Step
	Time  []Static
	Memo  any // the listener's own, nil at first
}

// Access is one data access of a retired run.
type Access struct {
	Addr  uint64
	Step  uint16 // index into Straight.Steps
	Size  uint8  // bytes
	Store bool
}

// Hint carries operand-dependent timing of one step: the value's meaning belongs to the
// timing class (div: significant quotient bits + 1; long mul: significant operand bits).
type Hint struct {
	Step  uint16
	Value uint8
}

// Retired is the event a pipeline sees: one straight run that has executed.
// It is reused by the core; a listener keeps nothing of it.
type Retired struct {
	Code    *Straight
	N       int      // steps retired; < len(Steps) after a fault or at a limit, 0 only with Trap
	Next    uint64   // the PC that follows
	Taken   bool     // the last step changed the PC (else execution fell through)
	Data    []Access // in program order
	Skipped []uint16 // steps not executed because their IT condition failed
	Hints   []Hint
	Return  bool   // the last step returned from an exception (t32)
	Trap    uint32 // nonzero: an exception was taken after step N-1; its number (rv32: mcause + 1)
}

// Listener is a pipeline (or a trace). It computes no values; it sees events only.
type Listener interface {
	Retire(*Retired)
}

// Clock answers the one question that a machine may ask of a pipeline.
type Clock interface {
	// Now returns the current cycle, everything reported so far having retired.
	Now() uint64
}
