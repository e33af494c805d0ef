package prove

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"simrun/isa"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// maxMemory bounds the memory that a proof begins with, in bytes.
const maxMemory = 64 << 10

// memoryBytes is how much that is.
func memoryBytes(c *compile.Code) int {
	n := c.StackBytes
	for _, q := range c.Params {
		if q.Mem != nil {
			n += q.Mem.Bytes() * c.Lanes
		}
	}
	return n
}

// Places of the code's data, away from every image. The proof is for these addresses: code gets them
// in registers and only adds to them.
const (
	bufferBase  = 0x5000_0000
	bufferAlign = 64
	stackTop    = 0x6000_0000
	returnTo    = 0x7000_0000
)

func newProof(j Job, sem isa.Semantics) *proof {
	if j.Limit == 0 {
		j.Limit = DefaultLimit
	}
	rng := rand.New(rand.NewPCG(1, 2))
	g := newGraph(rng.Uint64)
	abi := j.Target.Arch.ABI()
	p := &proof{Job: j, g: g, buffers: map[string]*area{}, wanted: map[string][]word{}}
	p.m = &machine{
		g: g, arch: j.Target.Arch, sem: sem, image: j.Code.Image, thumb: abi.Thumb,
		limit: j.Limit, regs: map[isa.Reg]word{}, first: map[isa.Reg]word{}, decoded: map[uint64]*instruction{},
	}
	for _, s := range j.Code.Image.Segments {
		p.place("the code", s.Addr, constBytes(s.Data), false)
	}
	symbol, _ := j.Code.Image.Lookup(j.Code.Block.Name)
	p.m.entry = symbol.Addr
	args := p.placeParams()
	if c := j.Code.Context; c != nil {
		args = []uint64{p.placeContext(c, args)}
	}
	p.enter(abi, args)
	return p
}

// add puts memory behind that of before.
func (p *proof) add(name string, bytes []word, writable bool) *area {
	base := uint64(bufferBase)
	for _, a := range p.m.areas {
		if end := a.base + uint64(len(a.bytes)); end > base {
			base = (end + 2*bufferAlign - 1) &^ (bufferAlign - 1) // a gap between buffers
		}
	}
	return p.place(name, base, bytes, writable)
}

func (p *proof) place(name string, base uint64, bytes []word, writable bool) *area {
	a := &area{name: name, base: base, bytes: bytes, first: slices.Clone(bytes), writable: writable}
	p.m.areas = append(p.m.areas, a)
	return a
}

// placeParams makes the buffers and returns the arguments.
func (p *proof) placeParams() []uint64 {
	var args []uint64
	for _, param := range p.Code.Params {
		if param.Public {
			args = append(args, uint64(p.Public[param.Name]))
			continue
		}
		m := param.Mem
		n := m.Bytes()
		if m.Kind != ir.Key {
			n *= p.Code.Lanes
		}
		a := p.add(param.Name, p.g.freeBytes(n), m.Kind == ir.Out || m.Kind == ir.InOut)
		p.buffers[param.Name] = a
		args = append(args, a.base)
	}
	return args
}

// placeContext makes the context block; args are the values of its fields by parameter.
func (p *proof) placeContext(c *compile.Context, args []uint64) uint64 {
	p.context = p.add("the context block", p.g.freeBytes(c.Size), true)
	for _, f := range c.Fields {
		i := slices.IndexFunc(p.Code.Params, func(q ir.Param) bool { return q.Name == f.Name })
		copy(p.context.bytes[f.Offset:], constBytes(binary.LittleEndian.AppendUint64(nil, args[i])))
	}
	p.context.first = slices.Clone(p.context.bytes)
	return p.context.base
}

// enter sets registers and stack as a call does.
func (p *proof) enter(abi *isa.ABI, args []uint64) {
	m, width := p.m, 8*abi.WordBytes
	m.ret = returnTo
	if abi.Thumb {
		m.ret |= 1
	}
	for i, a := range args {
		m.give(abi.Args[i], constWord(width, a, 0))
	}
	sp := uint64(stackTop)
	size := p.Code.StackBytes
	if c := p.Code.Context; c != nil { // what the figure counts besides the block
		size -= c.Size
	}
	stack := p.g.freeBytes(size)
	if abi.Link == isa.NoReg {
		sp -= uint64(abi.WordBytes)
		stack = append(stack, constBytes(binary.LittleEndian.AppendUint64(nil, m.ret))...)
	} else {
		m.give(abi.Link, constWord(width, m.ret, 0))
	}
	p.place("the stack", stackTop-uint64(len(stack)), stack, true)
	m.give(abi.SP, constWord(width, sp, 0))
}
