package prove

import (
	"fmt"
	"strings"

	"simrun/isa"
)

// machine runs code on symbolic bits. Addresses and conditions of branches must come out as constants.
type machine struct {
	g     *graph
	arch  isa.Arch
	sem   isa.Semantics
	image *isa.Image
	regs  map[isa.Reg]word
	first map[isa.Reg]word // what the registers held at first, of those that were read or given
	areas []*area
	limit int // of instructions
	entry uint64
	pc    uint64
	ret   uint64 // where the code returns to, as a branch takes it
	thumb bool   // code addresses carry bit 0

	decoded map[uint64]*instruction
}

// area is memory, one byte after the other. Areas do not overlap.
type area struct {
	name     string
	base     uint64
	bytes    []word // of eight bits
	first    []word // what they were before the run
	writable bool
}

const tooLarge = "the proof needs more than 4 million bits"

// reg is the value of a register. One that was never written holds anything.
func (m *machine) reg(r isa.Reg, width int) word {
	if m.regs[r] == nil {
		m.give(r, m.g.inputs(width))
	}
	return m.regs[r]
}

// give sets a register before the run.
func (m *machine) give(r isa.Reg, w word) { m.regs[r], m.first[r] = w, w }

type instruction struct {
	isa.Meaning
	size int
	text string
}

// A Refusal is code that does what no compiled kernel may do, or what no term says.
type Refusal struct {
	PC   uint64
	Text string // the instruction
	What string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%#x: %s: %s", r.PC, r.Text, r.What) }

// run executes from the entry to the return and counts instructions.
func (m *machine) run() (steps int, err error) {
	m.pc = m.entry
	for steps < m.limit {
		in, err := m.fetch()
		if err != nil {
			return steps, err
		}
		returned, err := m.step(in)
		if err != nil {
			return steps, &Refusal{m.pc, in.text, err.Error()}
		}
		steps++
		if returned {
			return steps, nil
		}
		if m.g.full() {
			return steps, &Refusal{m.pc, in.text, tooLarge}
		}
	}
	return steps, &Refusal{m.pc, "loop", fmt.Sprintf("no return after %d instructions", m.limit)}
}

// fetch decodes the instruction at the PC, once.
func (m *machine) fetch() (*instruction, error) {
	if in := m.decoded[m.pc]; in != nil {
		return in, nil
	}
	code := m.code(m.pc)
	in, n, err := m.arch.Decode(code, m.pc)
	if err != nil {
		return nil, &Refusal{m.pc, "no instruction", err.Error()}
	}
	text := strings.ReplaceAll(m.arch.Print(in), "\t", " ")
	meaning, err := m.sem.Meaning(in, m.pc, n)
	if err != nil {
		return nil, &Refusal{m.pc, text, err.Error()}
	}
	m.decoded[m.pc] = &instruction{meaning, n, text}
	return m.decoded[m.pc], nil
}

// longest is more than any instruction has bytes.
const longest = 16

// code is the bytes of the image from addr on.
func (m *machine) code(addr uint64) []byte {
	for _, s := range m.image.Segments {
		if off := addr - s.Addr; s.Perm&isa.X != 0 && off < uint64(len(s.Data)) {
			return s.Data[off:min(off+longest, uint64(len(s.Data)))]
		}
	}
	return nil
}

// step executes one instruction. Everything is computed before anything is written.
func (m *machine) step(in *instruction) (returned bool, err error) {
	sets := make([]word, len(in.Sets))
	for i, s := range in.Sets {
		if sets[i], err = m.term(s.Value); err != nil {
			return false, err
		}
	}
	values, places := make([]word, len(in.Stores)), make([][]word, len(in.Stores))
	for i, s := range in.Stores {
		if values[i], places[i], err = m.put(s); err != nil {
			return false, err
		}
	}
	next, err := m.next(in)
	if err != nil {
		return false, err
	}
	for i, s := range in.Sets {
		m.regs[s.Reg] = sets[i]
	}
	for i, v := range values {
		for k := range places[i] {
			places[i][k] = v[8*k : 8*k+8]
		}
	}
	if in.Next != nil && next == m.ret {
		return true, nil
	}
	if m.thumb {
		next &^= 1
	}
	m.pc = next
	return false, nil
}

// next is the address of the next instruction, as a branch takes it.
func (m *machine) next(in *instruction) (uint64, error) {
	if in.Next == nil {
		return m.pc + uint64(in.size), nil
	}
	w, err := m.term(in.Next)
	if err != nil {
		return 0, err
	}
	next, public := w.number()
	if !public {
		return 0, fmt.Errorf("the address of the next instruction depends on the data")
	}
	return next, nil
}

// put finds the value of a store and the bytes it goes to.
func (m *machine) put(s isa.Put) (value word, place []word, err error) {
	addr, err := m.term(s.Addr)
	if err != nil {
		return nil, nil, err
	}
	if value, err = m.term(s.Value); err != nil {
		return nil, nil, err
	}
	a, place, err := m.place(addr, len(value)/8, s.Align)
	if err == nil && !a.writable {
		err = fmt.Errorf("a store into %s", a.name)
	}
	return value, place, err
}

// load reads n bytes.
func (m *machine) load(addr word, n, align int) (word, error) {
	_, bytes, err := m.place(addr, n, align)
	if err != nil {
		return nil, err
	}
	w := make(word, 0, 8*n)
	for _, b := range bytes {
		w = append(w, b...)
	}
	return w, nil
}

// place finds the n bytes at an address.
func (m *machine) place(addr word, n, align int) (*area, []word, error) {
	at, public := addr.number()
	if !public {
		return nil, nil, fmt.Errorf("an address depends on the data")
	}
	if align > 1 && at%uint64(align) != 0 {
		return nil, nil, fmt.Errorf("an access at %#x, which is no multiple of %d", at, align)
	}
	for _, a := range m.areas {
		if off := at - a.base; off < uint64(len(a.bytes)) && uint64(n) <= uint64(len(a.bytes))-off {
			return a, a.bytes[off : off+uint64(n)], nil
		}
	}
	return nil, nil, fmt.Errorf("an access of %d bytes at %#x, outside its buffers, stack and code", n, at)
}

// constBytes is bytes of known value.
func constBytes(data []byte) []word {
	out := make([]word, len(data))
	for i, b := range data {
		out[i] = constWord(8, uint64(b), 0)
	}
	return out
}

func (g *graph) freeBytes(n int) []word {
	out := make([]word, n)
	for i := range out {
		out[i] = g.inputs(8)
	}
	return out
}
