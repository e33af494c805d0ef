package compile

import (
	"simrun/isa"
	"simrun/programs/ir"
)

// Options steer a compilation. The zero value is -O0 with every loop kept.
type Options struct {
	Level    int                    // 0 source order, 1 default
	Search   Search                 // for a better order; the zero value searches for none
	Order    *Order                 // a known order; Search and Budget are then ignored
	Budget   int                    // bytes of code up to which loops are unrolled (the CPU file's code budget); 0 = never
	Keep     int                    // levels of loops kept even if the code would fit without
	Short    Short                  // what may cost cycles for the sake of size
	Features []string               // of the CPU: without one that shorter encodings need there are none
	Without  []string               // optional passes to leave out, see Optional
	Org      uint64                 // address of the image
	Latency  func(class string) int // result latency in cycles, nil = 1 for all
	// SameCost says whether two instruction classes cost the same; nil = not known: encodings are as selected.
	SameCost func(a, b string) bool
	Dump     func(stage string, text func() string) // told of every stage, in order; may be nil
	// Demand says what an instruction takes of an out-of-order core; nil = the CPU executes in order.
	Demand func(*isa.Form) Demand
	// Meter measures the code by which settle judges; nil = there is no settling.
	Meter func(*Code) (Meter, error)
}

// Short says what is done for small code although it may cost cycles. What costs none is always done.
type Short uint8

const (
	ShortEncodings Short = 1 << iota // every instruction in its shortest encoding, wherever that puts the next one
	ShortAccesses                    // neighbouring loads and stores fused
)

// Order is a schedule: how many levels of loops are kept, and for each place in the selected code the index of the
// instruction in the order of the text; no places = the order of the text.
type Order struct {
	Roll   int
	Code   string // hash of the selected code that the order is of
	Places []int32
	Gates  []Choice // other definitions than the text's

	Settled *Settled // of the code behind the allocator; nil = as it is
}

// Code is a compiled kernel.
type Code struct {
	Kernel     *ir.Kernel
	Params     []ir.Param // as the code takes them, in order
	Block      *isa.Block
	Image      *isa.Image
	StackBytes int      // of the stack, and of the context block if there is one
	Lanes      int      // independent calls side by side: 1 on t32 and rv32, 4 for w32 kernels on x86
	Context    *Context // x86 and a64: the block that the only argument points to; nil where parameters are C arguments
	Roll       int      // levels of loops kept
	Depth      int      // levels of loops in the text

	state *state // for Explore
}

// Context is the layout of the context block of a kernel that takes one pointer.
// The block must be 64-byte aligned. Every in, out, inout, key and public parameter has a field
// of 8 bytes (pointer or number); the rest is space for spills.
type Context struct {
	Size   int
	Fields []Field
}

// Field is one pointer or number of a Context.
type Field struct {
	Name   string
	Offset int
}
