package compile

import (
	"fmt"

	"simrun/isa"
	"simrun/programs/ir"
)

// Target is what the passes know of an ISA. Each isa/*/lower makes one.
type Target struct {
	Arch       isa.Arch
	SliceBits  int  // width of S
	FreeRotate int  // width of the words whose rotation by a constant costs nothing as an operand, 0 = none
	Vector     bool // words live in vector registers
	Widest     int  // bits of the widest word
	Lanes      func(k *ir.Kernel) int
	// Pick, if not nil, chooses the target for a kernel: one instruction set may have several ways to hold words.
	Pick func(k *ir.Kernel) *Target
	// Allocatable registers by class, preferred ones first. Saved ones cost a push in the prologue.
	Regs [2][]isa.Reg
	// SlotBytes is the size and alignment of a spill slot by class.
	SlotBytes [2]int
	// Context is true if the code takes one pointer to a context block and spills there; else
	// parameters come in ABI().Args and spills go to the stack.
	Context bool
	// PairLoads is true if a load directly behind a load is cheaper.
	PairLoads bool
	// Gates are the instructions that combine two registers bit by bit and do nothing else. Empty: no other definitions
	// are looked for.
	Gates []Gate
	// EarlyStores is true if stores of whole vectors are to stand right behind what makes their value.
	EarlyStores bool
	// Legal, if not nil, replaces an instruction that the registers it got have no encoding for.
	Legal func(in isa.Inst) []isa.Inst
	// NewSelector starts the selection of one kernel.
	NewSelector func(b *Builder) Selector

	// Move, Spill and Reload make single instructions on physical registers. off is in bytes from the
	// base of the frame (stack pointer or context).
	Move   func(c isa.RegClass, dst, src isa.Reg) isa.Inst
	Spill  func(c isa.RegClass, src isa.Reg, off int) isa.Inst
	Reload func(c isa.RegClass, dst isa.Reg, off int) isa.Inst
	// Fold, if not nil, is the instruction with its last register operand in memory: the spill slot at off. ok is false where
	// there is no such form. A copy of a spilled value is then a load too.
	Fold func(in isa.Inst, off int) (folded isa.Inst, ok bool)
	// Twin, if not nil, is an instruction of another class that does the same and is shorter; ok is false where there is none. It
	// is taken where the CPU does not charge more for it.
	Twin func(in isa.Inst) (twin isa.Inst, ok bool)
	// NearSlots is the offset up to which spill slots are reached by short instructions. Scratch arrays are laid behind it.
	NearSlots int
	// Anchors, if not nil, reach spill slots behind NearSlots.
	Anchors *Anchors
	// LoopBranch goes back to label while reg, just decremented by Decrement of the Selector, is not
	// zero; Guard skips to label if reg, a signed number, is not above zero.
	LoopBranch func(reg isa.Reg, label string) []isa.Inst
	Guard      func(reg isa.Reg, label string) []isa.Inst
	Jump       func(label string) isa.Inst
	// Far replaces a conditional branch that cannot reach its label; the label over stands behind the replacement. nil
	// where it reaches as far as code ever goes.
	Far func(in isa.Inst, over string) []isa.Inst
	// Shorten gives a shorter encoding of an instruction, which may write registers of free besides. Its label counts as
	// near. nil where there is none.
	Shorten func(in isa.Inst, free isa.RegSet) (isa.Inst, bool)
	// ShortFeature is what a CPU must have for shorter encodings, "" = nothing.
	ShortFeature string
	// ShortRegs are the registers that most shorter encodings can name.
	ShortRegs isa.RegSet
	// ShortIsFree is true if a long instruction costs nothing more where a short one before it has put it across a fetch
	// word, in the middle of a run at least.
	ShortIsFree bool
	// LoopAlign is the boundary in bytes that the first instruction of a loop must not cross, 0 = none.
	LoopAlign int
	// Fuse gives one instruction for loads, or stores, that stand side by side; nil where there is none.
	Fuse func(run []isa.Inst) (isa.Inst, bool)
	// MaxFrame is the largest frame or context in bytes that Spill and Reload can reach.
	MaxFrame int
	// StackBytes is what Entry takes of the stack; nil where there is a context.
	StackBytes func(used isa.RegSet, frame int) int
	// Entry and Exit are the prologue and epilogue for a frame of so many bytes, saving the used
	// callee-saved registers.
	Entry func(used isa.RegSet, frame int) []isa.Inst
	Exit  func(used isa.RegSet, frame int) []isa.Inst

	demand func(*isa.Form) Demand // see demanding
}

// Takes reports whether the target has words as wide as those in the memory of k. A kernel on v128 is not for every target.
func (t *Target) Takes(k *ir.Kernel) bool {
	for _, p := range k.Params(t.SliceBits) {
		if p.Mem != nil && p.Mem.Width > t.Widest {
			return false
		}
	}
	return true
}

// of is the target that compiles k.
func (t *Target) of(k *ir.Kernel) *Target {
	if t.Pick == nil {
		return t
	}
	return t.Pick(k)
}

// Selector turns values into instructions on virtual registers. It is called in program order
// and may put cheap operations off until their result is needed in a register.
type Selector interface {
	// Value selects v.
	Value(v *Value)
	// Store selects a store.
	Store(s *Store)
	// Reg returns a virtual register that holds v exactly as it is.
	Reg(v *Value) int64
	// Define says that v is found in virtual register r.
	Define(v *Value, r int64)
	// Decrement emits r' = r - 1 so that LoopBranch can test it, and returns r'.
	Decrement(r int64) int64
	// Branch emits a jump to label taken if the comparison does NOT hold; it is the last instruction.
	Branch(c ir.Compare, a, b int64, label string)
	// Enter and Leave bracket a loop body or a branch: registers made in between for values from
	// outside are forgotten at Leave.
	Enter()
	Leave()
	// Flush emits what was put off and must not cross the end of a region: pending stores.
	Flush()
}

// VReg describes a virtual register.
type VReg struct {
	Class isa.RegClass
	// Remat, if not empty, computes the register from nothing but physical registers outside allocation:
	// constants, parameters of a context block. Args[0] is the register itself.
	Remat  []isa.Inst
	Prefer isa.RegSet // registers in which its users are shorter; only a wish
	Name   string     // for listings
}

// Kind tells machine code from structure.
type Kind uint8

const (
	KindInst Kind = iota
	KindLoopBegin
	KindLoopEnd
	KindCondBegin // behind the branch of a condition
	KindCondElse
	KindCondEnd
	KindPin   // defines the registers that parameters arrive in
	KindLabel // Note is a label

	kindNone // nothing: to be taken out
)

// MInst is one instruction on virtual registers, or a mark of structure.
type MInst struct {
	isa.Inst
	Kind Kind
	Tied int64 // register whose value the ReadWrite operand holds before; 0 = none
	Pos  ir.Pos
	Note string
	Slot int // 1 + offset of the spill slot accessed, 0 = none
	Loop *MLoop
	Cond *MCond
	Pins []Pin

	object *ir.Mem // what a load or store reaches; nil = not known
	ins    []int64 // virtual registers read, the tied one included
	outs   []int64 // virtual registers written
}

// Pin says that virtual register V is in physical register R, or in none, and whether it lies in a spill slot.
type Pin struct {
	V      int64
	R      isa.Reg
	Stored bool
}

// MLoop is a loop on virtual registers: Phis[i] holds Init[i], later Next[i]; Out[i] is it after the loop.
// Counter is the index of the turn counter among them.
type MLoop struct {
	Phis, Init, Next, Out []int64
	Counter               int
	Known                 bool // the count is a positive number: no guard
	Turns                 int  // the count if known, else a guess
	Top, Exit             string
	begin, end            int // positions of the marks
}

// MCond is a condition on virtual registers.
type MCond struct {
	Then, Else, Out []int64
	Otherwise, Exit string
	begin, mid, end int
}

// Proc is a kernel on virtual registers.
type Proc struct {
	Code  []MInst
	Regs  []VReg     // Regs[n] describes register isa.VirtBase + n
	Frame int        // bytes of scratch memory at the base of the frame
	Near  span       // of offsets: room for spill slots in front of scratch memory
	Data  []isa.Item // tables and constants behind the code

	alts  [][]alt    // by virtual register: other instructions that make the same value
	again bool       // the allocator may make a value again instead of loading it
	after []read     // reads behind the end: Code is a part of something longer
	used  isa.RegSet // registers written before the beginning, likewise
}

// Reg returns the description of virtual register v.
func (p *Proc) Reg(v int64) *VReg { return &p.Regs[v-isa.VirtBase] }

// isVirtual reports whether an argument is a virtual register.
func isVirtual(a int64) bool { return a >= isa.VirtBase }

// Builder collects the code of a kernel during selection.
type Builder struct {
	Proc    *Proc
	Graph   *Graph
	Target  *Target
	Context *Context // layout so far, nil if the target has none
	pos     ir.Pos
	scratch map[*ir.Mem]int
	consts  map[string]int64
	tables  map[*ir.Table]int // offset of each from the first; nil before one is needed
	labels  map[string]string // of constants behind the code, by contents
	objects map[int64]*ir.Mem // by virtual register: what it points to

	firstTable string // label
}

// New makes a virtual register.
func (b *Builder) New(c isa.RegClass, name string) int64 {
	b.Proc.Regs = append(b.Proc.Regs, VReg{Class: c, Name: name})
	return int64(isa.VirtBase + len(b.Proc.Regs) - 1)
}

// Remat makes a virtual register that is computed by the given instructions wherever it is needed.
// Equal keys give the same register. make gets the register.
func (b *Builder) Remat(c isa.RegClass, key string, make func(r int64) []isa.Inst) int64 {
	if r, ok := b.consts[key]; ok {
		return r
	}
	r := b.New(c, key)
	b.Proc.Reg(r).Remat = make(r)
	b.consts[key] = r
	return r
}

// Emit appends an instruction.
func (b *Builder) Emit(in isa.Inst) { b.EmitTied(in, 0) }

// EmitTied appends an instruction whose ReadWrite operand holds tied before.
func (b *Builder) EmitTied(in isa.Inst, tied int64) {
	m := MInst{Inst: in, Tied: tied, Pos: b.pos}
	in.Uses(func(slot int, op *isa.Operand) {
		v := in.Args[slot]
		switch {
		case !isVirtual(v):
		case op.Role&isa.Write != 0:
			m.outs = append(m.outs, v)
		default:
			m.ins = append(m.ins, v)
		}
	})
	if tied != 0 {
		m.ins = append(m.ins, tied)
	}
	b.follow(&m)
	b.Proc.Code = append(b.Proc.Code, m)
}

// Table returns where a constant table lies: off bytes behind the label of the first. All tables of the kernel stand side by
// side behind the code, so that one register can point to all.
func (b *Builder) Table(m *ir.Mem) (first string, off int) {
	if b.tables == nil {
		b.layTables()
	}
	return b.firstTable, b.tables[m.Table]
}

// TableLabel is the label of a constant table.
func (b *Builder) TableLabel(m *ir.Mem) string {
	b.Table(m)
	return tableLabel(m)
}

func tableLabel(m *ir.Mem) string { return ".Ltable_" + m.Name }

func (b *Builder) layTables() {
	b.tables = map[*ir.Table]int{}
	end := 0
	b.Graph.Body.Visit(func(r *Region) {
		for _, n := range r.Nodes {
			v, ok := n.(*Value)
			if !ok || v.Op != OpBase || v.Mem.Kind != ir.Rom {
				continue
			}
			if _, known := b.tables[v.Mem.Table]; known {
				continue
			}
			label := tableLabel(v.Mem)
			if b.firstTable == "" {
				b.firstTable = label
			}
			b.Proc.Data = append(b.Proc.Data, isa.Item{Label: label, Align: tableAlign}, isa.Item{Data: tableBytes(v.Mem), Note: v.Mem.Name})
			b.tables[v.Mem.Table] = end
			end = isa.AlignUp(end+v.Mem.Bytes(), tableAlign)
		}
	})
}

func tableBytes(m *ir.Mem) []byte {
	var data []byte
	for _, e := range m.Table.Entries {
		for i := 0; i < m.Width; i += 8 {
			data = append(data, byte(word(e, i)))
		}
	}
	return data
}

// Constant returns the label of 16 bytes behind the code; equal bytes share one.
func (b *Builder) Constant(data []byte) string {
	label, ok := b.labels[string(data)]
	if !ok {
		label = fmt.Sprintf(".Lconst%d", len(b.labels))
		b.labels[string(data)] = label
		b.Proc.Data = append(b.Proc.Data, isa.Item{Label: label, Align: tableAlign}, isa.Item{Data: data})
	}
	return label
}

const tableAlign = 16 // bytes: a vector

// word returns the bits of e from bit i on.
func word(e ir.Word, i int) uint64 {
	if i >= 64 {
		return e.Hi >> (i - 64)
	}
	return e.Lo >> i
}

// Scratch returns the offset in the frame of a scratch array.
func (b *Builder) Scratch(m *ir.Mem) int { return b.scratch[m] }

// Field returns the offset of a parameter in the context block.
func (b *Builder) Field(name string) int {
	for _, f := range b.Context.Fields {
		if f.Name == name {
			return f.Offset
		}
	}
	panic("compile: no parameter " + name + " in the context")
}

// Refuse stops the compilation: the target cannot do what the text asks at pos.
func (b *Builder) Refuse(pos ir.Pos, what, hint string) {
	panic(&ir.Error{Pos: pos, Msg: b.Target.Arch.Name() + ": " + what, Hint: hint})
}

// Make emits an instruction with a new register of class c in front and returns that register.
func (b *Builder) Make(c isa.RegClass, in func(d int64) isa.Inst) int64 {
	d := b.New(c, "")
	b.Emit(in(d))
	return d
}
