package ir

import (
	"fmt"
	"strings"
)

// kind is the kind of a value.
type kind uint8

const (
	kNone   kind = iota
	kInt         // an integer: cell.c.Lo (two's complement) plus terms
	kBig         // an integer literal of more than 63 bits: cell.c; only a word type can take it
	kWord        // a word of width bits
	kArray       // arr; width 0: of integers
	kTuple       // tup
	kFn          // fn
	kSpoilt      // of a failed statement; using it is no mistake of its own
	kMem         // mem, from element cell.c.Lo plus terms on, with dims dimensions used up
)

// state says what a cell holds.
type state uint8

const (
	unset   state = iota
	running       // w, made by the domain
	known         // c, a constant that has not met the domain yet
)

// cell is one word or one compile-time integer.
type cell[V any] struct {
	w  V
	c  Word
	st state
}

// array is a value of dims elements, the last dimension running fastest.
type array[V any] struct {
	dims  []int
	cells []cell[V]
}

// value is what an expression gives.
type value[V any] struct {
	kind  kind
	width int // bits of the word or of the elements
	dims  int // kMem
	cell[V]
	terms []Term
	arr   *array[V]
	tup   []value[V]
	fn    *defDecl
	mem   *Mem
}

// maxCells bounds an array value; maxMemory bounds a memory object, in elements.
const (
	maxCells  = 1 << 16
	maxMemory = 1 << 20
)

func intValue[V any](n int64) value[V] {
	return value[V]{kind: kInt, cell: cell[V]{c: Word{Lo: uint64(n)}, st: known}}
}

func indexValue[V any](x Index) value[V] {
	v := intValue[V](x.Base)
	v.terms = x.Terms
	return v
}

func constant[V any](w int, c Word) value[V] {
	return value[V]{kind: kWord, width: w, cell: cell[V]{c: c, st: known}}
}

func wordValue[V any](w int, v V) value[V] {
	return value[V]{kind: kWord, width: w, cell: cell[V]{w: v, st: running}}
}

func (v *value[V]) index() Index { return Index{Base: int64(v.c.Lo), Terms: v.terms} }

// elem returns element i of an array as a scalar value.
func (v *value[V]) elem(i int) value[V] {
	k := kWord
	if v.width == 0 {
		k = kInt
	}
	return value[V]{kind: k, width: v.width, cell: v.arr.cells[i]}
}

// describe names the type of a value in a message.
func (v *value[V]) describe() string {
	switch v.kind {
	case kBig:
		return "a number of more than 63 bits"
	case kInt:
		if len(v.terms) > 0 {
			return "a public number"
		}
		return "a number"
	case kWord:
		return typeName(v.width, nil)
	case kArray:
		return typeName(v.width, v.arr.dims)
	case kTuple:
		return fmt.Sprintf("%d values", len(v.tup))
	case kFn:
		return "the def " + v.fn.name
	case kMem:
		return "memory " + v.mem.Name
	}
	return "nothing"
}

// typeName prints a type; width 0 stands for integers.
func typeName(width int, dims []int) string {
	var s strings.Builder
	switch width {
	case 0:
		s.WriteString("int")
	case 128:
		s.WriteString("v128")
	default:
		fmt.Fprintf(&s, "w%d", width)
	}
	for _, d := range dims {
		fmt.Fprintf(&s, "[%d]", d)
	}
	return s.String()
}

func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

func sameDims(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// clone copies an array value so that the copy can change by itself.
func (v value[V]) clone() value[V] {
	if v.kind != kArray {
		return v
	}
	v.arr = &array[V]{v.arr.dims, append([]cell[V](nil), v.arr.cells...)}
	return v
}
