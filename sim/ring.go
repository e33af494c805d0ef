package sim

import (
	"strings"

	"simrun/isa"
)

// ring remembers the straight runs that retired last, for the text of an error, and passes all on.
type ring struct {
	to   isa.Listener
	runs [16]past
	n    uint
}

// past is a run: steps retired from pc on, and the PC that followed.
type past struct {
	pc, next uint64
	steps    int
}

func (r *ring) Retire(e *isa.Retired) {
	p := &r.runs[r.n%uint(len(r.runs))]
	p.pc, p.next, p.steps = e.Code.PC, e.Next, e.N
	r.n++
	if r.to != nil {
		r.to.Retire(e)
	}
}

// spins reports whether the last two runs were the same single instruction, a jump to itself.
func (r *ring) spins() bool {
	if r.n < 2 {
		return false
	}
	a, b := r.runs[(r.n-1)%uint(len(r.runs))], r.runs[(r.n-2)%uint(len(r.runs))]
	return a == b && a.steps == 1 && a.next == a.pc
}

// last returns the texts of the instructions that retired last, n at most, in order.
func (m *Machine) last(r *ring, n int) []string {
	var texts []string
	for i := uint(1); i <= min(r.n, uint(len(r.runs))) && len(texts) < n; i++ {
		run := m.list(r.runs[(r.n-i)%uint(len(r.runs))], n-len(texts))
		texts = append(run, texts...)
	}
	return texts
}

// list prints the last n instructions of a run.
func (m *Machine) list(p past, n int) []string {
	var texts []string
	pc := p.pc
	for range p.steps {
		in, size, err := isa.DecodeAt(m.arch, &m.mem, pc)
		if err != nil {
			break
		}
		texts = append(texts, m.where(pc)+" "+strings.ReplaceAll(m.arch.Print(in), "\t", " "))
		pc += uint64(size)
	}
	return texts[max(0, len(texts)-n):]
}
