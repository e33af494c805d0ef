package ir

import (
	"math/bits"
	"sync"
)

// Kernel is a checked kernel or keys function, ready for Eval.
type Kernel struct {
	Name  string  // "aes128/fixsliced"; of a keys function "aes128/fixsliced:keys"
	Leaky bool    // table look-ups by secret index are allowed
	Slice bool    // uses S: Eval needs the width of the target's widest word
	Keys  *Kernel // the keys function that makes its key parameter, nil if none
	Pos   Pos

	file *File
	decl *kernelDecl

	mu      sync.Mutex
	layouts map[int]*layout // by width of S; 0 if the kernel does not use it
}

// IsKeys reports whether k is a keys function.
func (k *Kernel) IsKeys() bool { return k.decl.keys }

// Works reports whether the kernel loads, stores or computes words of so many bits. S counts with both
// widths that kernels are checked for.
func (k *Kernel) Works(bits int) bool {
	return k.decl.widths&widthSet(0).with(bits) != 0
}

// widthSet is a set of word widths: 8 is bit 0, 16 bit 1 and so on.
type widthSet uint8

func (s widthSet) with(width int) widthSet { return s | 1<<(bits.Len(uint(width))-4) }

// Param is a parameter of a kernel, in the order of the text. A keys function has two:
// "in" its argument and "out" its result.
type Param struct {
	Name   string
	Mem    *Mem // nil for a public scalar
	Public bool
	Lo, Hi int64 // of a public scalar with a range: Lo <= value < Hi; else both 0
}

// layout is the parameters of a kernel for one width of S.
type layout struct {
	slice  int // 0 if the kernel does not use S
	params []Param
	blocks int
}

// Params returns the parameters for a slice width, which a kernel without S ignores. The
// same width gives the same *Mem, the ones that Eval hands to its domain. The result must
// not be changed. It is nil for a width that the kernel cannot have.
func (k *Kernel) Params(sliceBits int) []Param {
	lay, err := k.layout(sliceBits)
	if err != nil {
		return nil
	}
	return lay.params
}

// Blocks returns the number of message blocks of one call: the first dimension of the in,
// out and inout parameters that have two or more, the width of sliced ones, else 1.
func (k *Kernel) Blocks(sliceBits int) int {
	lay, err := k.layout(sliceBits)
	if err != nil {
		return 0
	}
	return lay.blocks
}

// layout computes the parameters for one width of S, once.
func (k *Kernel) layout(sliceBits int) (*layout, *Error) {
	if !k.Slice {
		sliceBits = 0
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if lay := k.layouts[sliceBits]; lay != nil {
		return lay, nil
	}
	var lay *layout
	err := catch(func() { lay = k.decl.layout(sliceBits) })
	if err != nil {
		return nil, err
	}
	if k.layouts == nil {
		k.layouts = map[int]*layout{}
	}
	k.layouts[sliceBits] = lay
	return lay, nil
}

// typeSteps bounds the operations that compute the dimensions of the parameters.
const typeSteps = 1000

func (d *kernelDecl) layout(slice int) *layout {
	if d.slice {
		checkSlice(d.pos, slice)
	}
	e := newEvaluator[Word](&memory{}, slice, typeSteps)
	lay := &layout{slice: slice, blocks: 1}
	counted := ""
	for i := range d.params {
		p := &d.params[i]
		if p.public {
			lay.params = append(lay.params, e.publicParam(p))
			continue
		}
		m := e.memParam(p)
		lay.params = append(lay.params, Param{Name: p.name, Mem: m})
		if m.Kind == Key || len(m.Dims) < 2 && !m.Sliced {
			continue
		}
		if counted != "" && m.Blocks != lay.blocks {
			fail(p.pos, "the first dimension counts blocks", "%s has %d blocks, but %s has %d", p.name, m.Blocks, counted, lay.blocks)
		}
		lay.blocks, counted = m.Blocks, p.name
	}
	return lay
}

func checkSlice(p Pos, bits int) {
	switch bits {
	case 8, 16, 32, 64, 128:
		return
	}
	fail(p, "", "S of %d bits: expected 8, 16, 32, 64 or 128", bits)
}

func (e *evaluator[V]) memParam(p *param) *Mem {
	width, dims := e.typ(p.typ)
	m := e.memory(p.name, p.kind, width, dims, p.pos)
	m.BigEndian, m.Sliced = p.big, p.sliced
	switch {
	case p.kind == Key:
	case p.sliced:
		if m.Blocks = width; m.Len%8 != 0 {
			fail(p.pos, "slices of whole bytes: 8 for each byte of a block", "%s has %d slices", p.name, m.Len)
		}
	case len(dims) > 1:
		m.Blocks = dims[0]
	default:
		m.Blocks = 1
	}
	return m
}

func (e *evaluator[V]) publicParam(p *param) Param {
	out := Param{Name: p.name, Public: true}
	if p.lo == nil {
		return out
	}
	out.Lo, out.Hi = e.number(p.lo, "a bound of "+p.name), e.number(p.hi, "a bound of "+p.name)
	if out.Lo >= out.Hi {
		fail(p.pos, "", "the range %d..%d of %s is empty", out.Lo, out.Hi, p.name)
	}
	return out
}
