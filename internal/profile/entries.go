package profile

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"simrun/costmodel"
)

// Entry is the cost of a function or of a line.
type Entry struct {
	Func       string
	File       string // "" = unknown
	Line       int    // of a line entry; 0 = unknown
	Own        costmodel.Totals
	Cumulative uint64 // of a function: slots with everything that it called
}

// Functions returns the cost of each function, the dearest first. Inlined code counts for the
// function that it was inlined into.
func (p *Profile) Functions(src *Source) []Entry {
	t := newTally[string]()
	outer := func(pc uint64) Frame {
		frames := src.Frames(pc)
		return frames[len(frames)-1]
	}
	for _, at := range p.places() {
		f := outer(at.pc)
		own := p.samples[at]
		e := t.entry(f.Func, Entry{Func: f.Func})
		add(&e.Own, own)
		e.Cumulative += own.Slots
		seen := map[string]bool{f.Func: true}
		for _, site := range p.calls.sites(at.path) {
			if c := outer(site); !seen[c.Func] {
				seen[c.Func] = true
				t.entry(c.Func, Entry{Func: c.Func}).Cumulative += own.Slots
			}
		}
	}
	return t.sorted()
}

// Lines returns the cost of each line, the dearest first. Inlined code counts for its own line.
func (p *Profile) Lines(src *Source) []Entry {
	type key struct {
		file string
		line int
		name string // where the line is unknown
	}
	t := newTally[key]()
	for _, at := range p.places() {
		f := src.Frames(at.pc)[0]
		k := key{f.File, f.Line, ""}
		if f.Line == 0 {
			k.name = f.Func
		}
		e := t.entry(k, Entry{Func: f.Func, File: f.File, Line: f.Line})
		add(&e.Own, p.samples[at])
	}
	return t.sorted()
}

func add(t, u *costmodel.Totals) {
	t.Slots += u.Slots
	t.Width = u.Width
	t.Instructions += u.Instructions
	for c, n := range u.By {
		t.By[c] += n
	}
}

// tally collects entries by key.
type tally[K comparable] struct{ entries map[K]*Entry }

func newTally[K comparable]() tally[K] { return tally[K]{map[K]*Entry{}} }

func (t tally[K]) entry(k K, first Entry) *Entry {
	e := t.entries[k]
	if e == nil {
		e = &first
		t.entries[k] = e
	}
	return e
}

// sorted lists the entries by cycles, then by name and place.
func (t tally[K]) sorted() []Entry {
	var list []Entry
	for _, e := range t.entries {
		list = append(list, *e)
	}
	slices.SortFunc(list, func(a, b Entry) int {
		return cmp.Or(
			cmp.Compare(b.Own.Slots, a.Own.Slots), cmp.Compare(b.Cumulative, a.Cumulative),
			cmp.Compare(a.Func, b.Func), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return list
}

// Place prints file and line; without them the function.
func (e *Entry) Place() string {
	if e.Line == 0 {
		return e.Func
	}
	return fmt.Sprintf("%s:%d", path.Base(e.File), e.Line)
}

// TopCause names the largest cause beside the slots of issue, with its share of the entry's cycles;
// "" if there is none.
func (e *Entry) TopCause() string {
	top, most := "", uint64(0)
	for c, n := range e.Own.By {
		if costmodel.Cause(c) != costmodel.Issue && n > most {
			top, most = costmodel.Causes[c], n
		}
	}
	if most == 0 {
		return ""
	}
	return fmt.Sprintf("%s %.1f %%", top, percent(most, e.Own.Slots))
}

func percent(n, of uint64) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}
