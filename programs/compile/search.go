package compile

import (
	"errors"
	"slices"

	"simrun/programs/ir"
)

// Searcher is an order search on one kernel, for a driver that stores its state, watches its progress and judges its
// results itself.
type Searcher struct {
	s    *searcher
	roll int
	hash string
}

// NewSearcher selects the code of a kernel and starts a search at the order of the text. o.Search.Tries is the number
// that the temperature falls over.
func NewSearcher(k *ir.Kernel, t *Target, o Options) (*Searcher, error) {
	roll, err := loopsToKeep(k, t, o)
	if err != nil {
		return nil, err
	}
	s := &state{kernel: k, target: t, opt: o, roll: roll}
	if err := s.runTo("select"); err != nil {
		return nil, err
	}
	hash := s.codeHash()
	return &Searcher{newSearcher(s.proc, t, &s.opt), roll, hash}, nil
}

// Run makes tries until n are done in all.
func (s *Searcher) Run(n int) { s.s.run(n) }

// State returns where the search stands.
func (s *Searcher) State() SearchState { return s.s.state() }

// Restore goes on from a state of a search with the same options on the same kernel.
func (s *Searcher) Restore(st SearchState) error {
	n := len(s.s.text)
	p := &Proc{Code: s.s.text, Regs: s.s.p.Regs}
	if len(st.Now) != n || len(st.Best) != n || !orderLegal(p, st.Now) || !orderLegal(p, st.Best) || st.Done < 0 {
		return errors.New("the state is of another kernel or compiler")
	}
	s.s.restore(st)
	return nil
}

// Best is the best order so far.
func (s *Searcher) Best() Order {
	return Order{Roll: s.roll, Code: s.hash, Places: slices.Clone(s.s.best)}
}

// Code is the hash of the code whose order is searched.
func (s *Searcher) Code() string { return s.hash }

// Operations is the number of instructions that no pass leaves out: all but loads and stores.
func (s *Searcher) Operations() int {
	n := 0
	for i := range s.s.text {
		if m := &s.s.text[i]; m.Kind == KindInst && !isMemory(m) {
			n++
		}
	}
	return n
}
