package isa

// Arch is an instruction set: its table, both directions of its code, its text, its
// calling convention and its executor. It knows no time.
type Arch interface {
	Name() string         // "t32", "rv32", "x86", "a64"
	Triple() string       // prefix of the public GNU tools: "arm-none-eabi-"
	Forms() []*Form       // the table, in manual order; Form.Num is the index
	Form(id string) *Form // nil if there is no such row
	Classes() []string    // the timing classes in use, sorted; Static.Class indexes it
	RegName(Reg) string   // as the GNU assembler prints it
	NumRegs() int         // registers, flags included; all below NoReg
	ABI() *ABI
	ELF() *ELF

	// Encode gives the bytes of one instruction at pc, labels resolved.
	Encode(in Inst, pc uint64) ([]byte, error)
	// Decode reads the instruction at the start of code. n is its length; err says what
	// the bytes are ("undefined", "truncated").
	Decode(code []byte, pc uint64) (in Inst, n int, err error)
	// Assemble lays blocks out from org, resolves labels and returns the image:
	// one executable segment and a symbol per block.
	Assemble(blocks []*Block, org uint64) (*Image, error)
	// Print gives one instruction in GNU syntax; a KindLabel prints Sym or its address.
	Print(in Inst) string
	// Parse reads GNU syntax of whole files (labels, the usual directives, comments) into blocks:
	// a block starts at each function or global label. Errors read file:line: what.
	Parse(file, text string) ([]*Block, error)

	// Prologue is the head of an assembler file: the directives that choose this
	// instruction set, lines without a final newline.
	Prologue() string
	// Comment starts a comment that runs to the end of the line: "@", "#", "//".
	Comment() string

	// NewCore returns an executor on mem. Instructions whose Feature is not listed are
	// undefined to it.
	NewCore(mem *Memory, features []string) Core
}

// Core executes code. Registers keep their values between runs.
type Core interface {
	Reg(Reg) uint64
	SetReg(Reg, uint64)
	Vec(Reg) [2]uint64 // 128-bit registers, low half first
	SetVec(Reg, [2]uint64)
	PC() uint64
	SetPC(uint64)
	// Run executes until a stop. It retires at most limit instructions (0 = no bound).
	// l may be nil: then nothing is reported. stopAt is an address at which to stop before
	// executing (the return address of a call); NoAddr = none.
	Run(l Listener, limit uint64, stopAt uint64) Stop
	// SetClock gives rows with the ReadsClock flag their clock. Before such a row runs, the
	// run so far is reported to the listener.
	SetClock(Clock)
	// Retired returns the number of instructions retired since the core was made.
	Retired() uint64
}

// Interrupts is what a Core adds if the machine can interrupt it.
type Interrupts interface {
	// SetPending sets the interrupt lines: bit n is the interrupt that the ISA numbers n. The
	// core takes an interrupt that the program has enabled before its next straight run, so
	// a listener may raise one.
	SetPending(lines uint64)
}

// Vectors is what a Core adds if a table in memory holds the addresses of its exception handlers, and
// registers of the machine say which exceptions are enabled and how urgent they are (Cortex-M).
// Interrupt lines and exceptions share their numbers.
type Vectors interface {
	Interrupts
	// SetVectors puts the table at addr in use. With NoAddr, as at first, there is none: what would
	// be an exception ends Run.
	SetVectors(addr uint64)
	// SetPriority gives exception n its priority; lower is more urgent.
	SetPriority(n int, priority uint8)
	// Pending returns the lines that still wait: taking an interrupt clears its line.
	Pending() uint64
	// Active returns the exceptions that have been taken and have not returned, bit n for exception n.
	Active() uint64
	// Fault returns the stop that last became an exception for faults; ok is false if there was none.
	Fault() (stop Stop, ok bool)
}

// Semihosting is what a Core adds if programs can call a debugger.
type Semihosting interface {
	// Semihosting reports whether the stop, a StopBreak, is such a call.
	Semihosting(s Stop) bool
}

// FloatSwitch is what a Core adds if a register of the machine switches its floating-point unit.
type FloatSwitch interface {
	SetFloat(on bool)
}

// NoAddr is no address.
const NoAddr = ^uint64(0)

// StopKind says why Run returned.
type StopKind uint8

const (
	StopAddr   StopKind = iota // reached stopAt
	StopLimit                  // instruction limit
	StopFault                  // memory fault: Stop.Err is a *Fault
	StopUndef                  // undefined instruction or one outside the features: Stop.Err
	StopBreak                  // BKPT, EBREAK, INT3: Stop.Code
	StopSystem                 // SVC, ECALL, SYSCALL: Stop.Code
	StopHalt                   // WFI and the like with nothing to wait for
	StopDevice                 // a store to a Device has executed; Run may go on
)

// Stop is the end of a Run. PC is the instruction that stopped; for StopBreak, StopSystem, StopHalt
// and StopDevice the core's own PC already points behind it.
type Stop struct {
	Kind StopKind
	PC   uint64
	Code uint32
	Err  error
}

// ABI is the C calling convention of an ISA, as far as calling a function needs it.
type ABI struct {
	Args        []Reg // integer and pointer arguments, in order
	Ret         Reg
	SP          Reg
	Link        Reg // NoReg: the return address is pushed on the stack
	StackAlign  uint64
	WordBytes   int    // size of a pointer
	CallerSaved RegSet // may be destroyed by a call, arguments included
	CalleeSaved RegSet
	Thumb       bool // code addresses carry bit 0
}

// Sized is what an Arch adds if the length of an instruction follows from its row.
type Sized interface {
	Size(*Form) int // bytes
}
