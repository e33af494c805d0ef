package bench

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"simrun/costmodel"
	"simrun/programs/ir"
	"simrun/sim"
	"simrun/sim/ooo"
)

// bufferAlign is the alignment of every buffer in bytes, on the simulator and natively.
const bufferAlign = 64

// runner runs a program on memory given and returned by parameter name.
type runner interface {
	// set copies bytes to a parameter's buffer, get copies them out.
	set(name string, data []byte) error
	get(name string) ([]byte, error)
	call() error
}

// simulated is a program on the simulator.
type simulated struct {
	prog    *Program
	machine *sim.Machine
	entry   uint64
	args    []uint64
	buffers map[string]buffer
}

type buffer struct {
	addr uint64
	n    int
}

// simulate puts the program on a machine. public gives the values of public parameters.
func simulate(p *Program, public map[string]int64) (*simulated, error) {
	m, err := sim.New(sim.Config{Arch: p.Arch, Image: p.Image, Areas: areas(p.CPU), Features: p.CPU.Features})
	if err != nil {
		return nil, err
	}
	entry, err := m.Symbol(p.Block.Name)
	if err != nil {
		return nil, err
	}
	s := &simulated{prog: p, machine: m, entry: entry, buffers: map[string]buffer{}}
	words := map[string]uint64{}
	for _, param := range p.Params {
		word, err := s.place(param, public)
		if err != nil {
			return nil, err
		}
		words[param.Name] = word
		s.args = append(s.args, word)
	}
	if p.Context != nil {
		return s, s.placeContext(words)
	}
	return s, nil
}

// place allocates the buffer of a parameter and returns its address, or the value of a scalar.
func (s *simulated) place(param ir.Param, public map[string]int64) (uint64, error) {
	if param.Public {
		return publicValue(param.Name, public)
	}
	n := s.prog.bufferBytes(param.Mem)
	addr, err := s.machine.Alloc(n, bufferAlign)
	if err != nil {
		return 0, fmt.Errorf("parameter %s: %w", param.Name, err)
	}
	s.buffers[param.Name] = buffer{addr, n}
	return addr, nil
}

func publicValue(name string, public map[string]int64) (uint64, error) {
	v, ok := public[name]
	if !ok {
		return 0, fmt.Errorf("public parameter %s has no value: give --public %s=N", name, name)
	}
	return uint64(v), nil
}

// placeContext makes the context block, the only argument of such code.
func (s *simulated) placeContext(words map[string]uint64) error {
	block := make([]byte, s.prog.Context.Size)
	for _, f := range s.prog.Context.Fields {
		binary.LittleEndian.PutUint64(block[f.Offset:], words[f.Name])
	}
	addr, err := s.machine.Alloc(len(block), bufferAlign)
	if err != nil {
		return fmt.Errorf("context block: %w", err)
	}
	s.args = []uint64{addr}
	return s.machine.Write(addr, block)
}

func (s *simulated) set(name string, data []byte) error {
	b, ok := s.buffers[name]
	if !ok || len(data) > b.n {
		return fmt.Errorf("parameter %s: %d bytes for a buffer of %d", name, len(data), b.n)
	}
	return s.machine.Write(b.addr, data)
}

func (s *simulated) get(name string) ([]byte, error) {
	b, ok := s.buffers[name]
	if !ok {
		return nil, fmt.Errorf("no parameter %s", name)
	}
	return s.machine.Read(b.addr, b.n)
}

func (s *simulated) call() error {
	_, _, err := s.machine.Call(s.entry, s.args, 0)
	return err
}

// count measures the program on the memory of the last call. A kernel that does not change its input
// must give the same result after the measured calls as before.
func (s *simulated) count() (*counted, error) { return s.countOn(s.prog.CPU) }

// countOn is count with the pipeline of another CPU.
func (s *simulated) countOn(cpu *costmodel.CPU) (*counted, error) {
	before, err := s.outputs()
	if err != nil {
		return nil, err
	}
	n, err := count(s.machine, cpu, 0, s.call)
	if err != nil {
		return nil, err
	}
	after, err := s.outputs()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(before, after) {
		return nil, fmt.Errorf("the measured calls gave another result than the checked ones")
	}
	return n, nil
}

// outputs joins the contents of all parameters that are written and not read.
func (s *simulated) outputs() ([]byte, error) {
	var all []byte
	for _, p := range s.prog.Params {
		if p.Mem == nil || p.Mem.Kind != ir.Out {
			continue
		}
		data, err := s.get(p.Name)
		if err != nil {
			return nil, err
		}
		all = append(all, data...)
	}
	return all, nil
}

// window is the number n of calls of the measuring window: n and 2n calls. Out of order, calls overlap and it takes
// more of them until each is like the one before.
const (
	window           = 8
	windowOutOfOrder = 16
)

func windowOf(cpu *costmodel.CPU) int {
	if cpu.Pipeline == ooo.Name {
		return windowOutOfOrder
	}
	return window
}

// counted is what the measuring window gives, per call.
type counted struct {
	cycles, cold, instructions float64
	causes                     map[string]float64
}

// count measures warm and cold cycles of n and 2n calls; n = 0 is the usual window. A CPU without
// cycles gives instructions only.
func count(m *sim.Machine, cpu *costmodel.CPU, n int, call func() error) (*counted, error) {
	if n == 0 {
		n = windowOf(cpu)
	}
	if !cpu.Timed() {
		warm, _, err := sim.Window(call, m.Core().Retired, n)
		if err != nil {
			return nil, err
		}
		return &counted{instructions: warm, causes: map[string]float64{}}, nil
	}
	pipe, err := newPipeline(cpu, m.Arch())
	if err != nil {
		return nil, err
	}
	m.SetListener(pipe)
	defer m.SetListener(nil)
	warm, cold, err := sim.WindowTotals(call, func() []uint64 { return flatten(pipe.Totals()) }, n)
	if err != nil {
		return nil, err
	}
	if err := pipe.Totals().Check(); err != nil {
		return nil, err
	}
	c := &counted{instructions: warm[1], cold: float64(cold[0]), causes: map[string]float64{}}
	c.cycles = warm[0]
	for i, slots := range warm[2:] {
		if slots != 0 {
			c.causes[costmodel.Causes[i]] = slots
		}
	}
	c.inCycles(pipe)
	return c, nil
}

// inCycles turns slots into cycles.
func (c *counted) inCycles(pipe pipeline) {
	width := float64(max(pipe.Totals().Width, 1))
	c.cycles, c.cold = c.cycles/width, c.cold/width
	for k := range c.causes {
		c.causes[k] /= width
	}
}

// flatten lists slots, instructions and the slots by cause.
func flatten(t costmodel.Totals) []uint64 {
	return append([]uint64{t.Slots, t.Instructions}, t.By[:]...)
}
