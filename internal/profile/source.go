package profile

import (
	"cmp"
	"slices"
	"sort"

	"simrun/isa"
)

// Unknown is the function of code outside every function.
const Unknown = "[no symbol]"

// Frame is a place in the source.
type Frame struct {
	Func  string // Unknown if there is no symbol
	File  string // "" if there is no line table
	Line  int    // 0 = unknown
	Start int    // line at which Func begins, 0 = unknown
}

// Source says what stands at an address: by the symbols and lines of an image, and by the debugging
// information of an ELF file.
type Source struct {
	image    *isa.Image
	segments []span     // by address, disjoint
	funcs    []function // by address, disjoint
	debug    *debug     // nil = none
}

type function struct {
	span
	name string
}

// span is the addresses from lo up to hi.
type span struct{ lo, hi uint64 }

// at gives lists of anything with a span to disjoint and find.
func (s *span) at() *span { return s }

// NewSource returns the source of an image.
func NewSource(im *isa.Image) *Source {
	s := &Source{image: im}
	for _, g := range im.Segments {
		s.segments = append(s.segments, span{g.Addr, g.Addr + max(g.Size, uint64(len(g.Data)))})
	}
	slices.SortFunc(s.segments, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	s.segments = disjoint(s.segments, (*span).at)
	s.funcs = s.functions()
	return s
}

// functions lists the functions of the image. One without a size reaches to the next symbol or to the
// end of its segment; of functions that overlap, the one that begins first has the bytes.
func (s *Source) functions() []function {
	var list []function
	for _, f := range s.image.Symbols {
		if !f.Func {
			continue
		}
		hi := f.Addr + f.Size
		if f.Size == 0 {
			hi = s.unsizedEnd(f.Addr)
		}
		list = append(list, function{span{f.Addr, hi}, f.Name})
	}
	slices.SortStableFunc(list, func(a, b function) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(b.hi, a.hi))
	})
	return disjoint(list, (*function).at)
}

// unsizedEnd is where a symbol at lo ends that has no size.
func (s *Source) unsizedEnd(lo uint64) uint64 {
	symbols := s.image.Symbols
	end := s.segmentEnd(lo)
	later := sort.Search(len(symbols), func(i int) bool { return symbols[i].Addr > lo })
	if later < len(symbols) {
		end = min(end, symbols[later].Addr)
	}
	return end
}

// segmentEnd returns the end of the segment of addr, or addr if it lies in none.
func (s *Source) segmentEnd(addr uint64) uint64 {
	if g := find(s.segments, addr, (*span).at); g != nil {
		return g.hi
	}
	return addr
}

// disjoint takes from each span of a list sorted by lo what earlier ones cover, and drops the empty.
func disjoint[T any](list []T, at func(*T) *span) []T {
	var end uint64
	kept := list[:0]
	for _, x := range list {
		s := at(&x)
		s.lo = max(s.lo, end)
		if s.lo < s.hi {
			end = s.hi
			kept = append(kept, x)
		}
	}
	return kept
}

// find returns the element of a disjoint sorted list that covers pc, or nil.
func find[T any](list []T, pc uint64, at func(*T) *span) *T {
	i := sort.Search(len(list), func(i int) bool { return at(&list[i]).hi > pc })
	if i < len(list) && at(&list[i]).lo <= pc {
		return &list[i]
	}
	return nil
}

// Frames returns the place of the instruction at pc, then the places that it was inlined into. There
// is always one.
func (s *Source) Frames(pc uint64) []Frame {
	name := Unknown
	if f := find(s.funcs, pc, (*function).at); f != nil {
		name = f.name
	}
	var frames []Frame
	if s.debug != nil {
		frames = s.debug.frames(pc)
	}
	if frames == nil {
		frames = []Frame{s.line(pc)}
	}
	if outer := &frames[len(frames)-1]; name != Unknown || outer.Func == "" {
		outer.Func = name
	}
	return frames
}

// line reads the lines of the image; the zero Frame if it has none for pc.
func (s *Source) line(pc uint64) Frame {
	lines := s.image.Lines
	i := sort.Search(len(lines), func(i int) bool { return lines[i].Addr > pc })
	if i == 0 || s.segmentEnd(pc) == pc || lines[i-1].Line == 0 {
		return Frame{}
	}
	f := Frame{File: lines[i-1].File, Line: lines[i-1].Line}
	if f.File == "" {
		f.File = s.image.Source
	}
	return f
}
