package sim

import (
	"bytes"
	"fmt"

	"simrun/isa"
)

// MaxMemory bounds the memory of a machine, in bytes: areas and image together.
const MaxMemory = 64 << 20

// fill is what unused stack holds; see [Machine.StackUsed].
const fill = 0xa5

// Use says what the machine itself does with an area.
type Use uint8

const (
	Plain Use = iota // nothing: code, devices
	Data             // Alloc takes from here
	Stack            // calls put their stack at its upper end
)

// Area is one entry of the memory map.
type Area struct {
	Name string
	Base uint64
	Size uint64 // bytes
	Perm isa.Perm
	Use  Use
}

// Config describes a machine.
type Config struct {
	Arch  isa.Arch
	Image *isa.Image
	// Areas is the memory map. Segments of the image that lie in an area are copied into it,
	// others get memory of their own. One area must have Use Stack.
	Areas    []Area
	Features []string     // extensions that the core has, see isa.Form.Feature
	Listener isa.Listener // told of what retires; nil = functional run. If it is an isa.Clock, programs read it.
}

// Machine is a memory with an image in it and a core on it. It is not safe for concurrent use.
type Machine struct {
	arch     isa.Arch
	abi      *isa.ABI
	image    *isa.Image
	features map[string]bool
	mem      isa.Memory
	core     isa.Core
	listener isa.Listener
	clock    isa.Clock // nil = there is none

	parts   []*part
	stack   *part
	data    *part
	callers map[uint64]caller // by entry
	entrySP uint64            // SP at the entry of the last call
}

// part is a region with the end of what is in use in it.
type part struct {
	isa.Region
	used uint64 // bytes from Base
}

func (p *part) end() uint64 { return p.Base + uint64(len(p.Data)) }

// New builds the machine: maps the areas, loads the image, makes the core.
func New(c Config) (*Machine, error) {
	m := &Machine{
		arch: c.Arch, abi: c.Arch.ABI(), image: c.Image,
		features: map[string]bool{"": true},
		callers:  map[uint64]caller{},
	}
	for _, f := range c.Features {
		m.features[f] = true
	}
	if c.Image.Arch != c.Arch.Name() {
		return nil, fmt.Errorf("image is for %s, the machine is %s: choose a CPU of that instruction set", c.Image.Arch, c.Arch.Name())
	}
	if worlds[c.Arch.Name()].hosted {
		c.Areas = yield(c.Areas, c.Image)
	}
	if err := m.mapAreas(c.Areas); err != nil {
		return nil, err
	}
	if m.stack == nil {
		return nil, fmt.Errorf("memory map has no stack: give one area the use Stack")
	}
	for i := range m.stack.Data {
		m.stack.Data[i] = fill
	}
	if err := m.load(c.Image); err != nil {
		return nil, err
	}
	m.entrySP = m.stackTop()
	m.core = c.Arch.NewCore(&m.mem, c.Features)
	m.setGlobalPointer()
	m.SetListener(c.Listener)
	return m, nil
}

// setGlobalPointer gives gp the value that linked RISC-V code expects: start-up code would do it.
func (m *Machine) setGlobalPointer() {
	s, ok := m.image.Lookup("__global_pointer$")
	if !ok {
		return
	}
	if gp, ok := m.named("gp"); ok {
		m.core.SetReg(gp, s.Addr)
	}
}

// SetListener replaces the listener from the next call on; nil stops reporting.
func (m *Machine) SetListener(l isa.Listener) {
	m.listener = l
	m.clock, _ = l.(isa.Clock)
	if m.clock != nil {
		m.core.SetClock(m.clock)
	}
}

// Now returns the cycles of the clock, or the instructions retired where there is none.
func (m *Machine) Now() uint64 {
	if m.clock != nil {
		return m.clock.Now()
	}
	return m.core.Retired()
}

// unit is what Now counts.
func (m *Machine) unit() string {
	if m.clock != nil {
		return "cycles"
	}
	return "instructions"
}

// Arch returns the instruction set.
func (m *Machine) Arch() isa.Arch { return m.arch }

// Image returns the loaded image.
func (m *Machine) Image() *isa.Image { return m.image }

// Core returns the executor.
func (m *Machine) Core() isa.Core { return m.core }

// Memory returns the memory.
func (m *Machine) Memory() *isa.Memory { return &m.mem }

// Alloc reserves n bytes of the data area at a multiple of align (a power of two; 0 = 1)
// and returns their address. The bytes are as the image left them, else zero.
func (m *Machine) Alloc(n int, align uint64) (uint64, error) {
	if m.data == nil {
		return 0, fmt.Errorf("no memory for buffers: give one area the use Data")
	}
	if align == 0 {
		align = 1
	}
	if n < 0 || align&(align-1) != 0 {
		return 0, fmt.Errorf("buffer of %d bytes aligned to %d: size must not be negative, alignment a power of two", n, align)
	}
	d := m.data
	start := (d.Base+d.used+align-1)&-align - d.Base
	if start > uint64(len(d.Data)) || uint64(n) > uint64(len(d.Data))-start {
		return 0, fmt.Errorf("buffer of %d bytes does not fit: %d of the %d bytes of %s are in use", n, d.used, len(d.Data), d.Name)
	}
	d.used = start + uint64(n)
	return d.Base + start, nil
}

// Write copies p to addr, whatever the permissions.
func (m *Machine) Write(addr uint64, p []byte) error { return m.mem.Write(addr, p) }

// Read returns a copy of the n bytes at addr.
func (m *Machine) Read(addr uint64, n int) ([]byte, error) {
	if n < 0 {
		return nil, fmt.Errorf("read of %d bytes at %#x: the size is negative", n, addr)
	}
	return m.mem.Read(addr, n)
}

// StackUsed returns the deepest stack of all calls so far, in bytes below the stack pointer at
// the entry of the last called function. It sees what was written, not what was reserved.
func (m *Machine) StackUsed() int {
	s := m.stack
	low := len(s.Data) - len(bytes.TrimLeft(s.Data, string([]byte{fill})))
	if used := int64(m.entrySP) - int64(s.Base) - int64(low); used > 0 {
		return int(used)
	}
	return 0
}

func (m *Machine) stackTop() uint64 { return m.stack.end() &^ (m.abi.StackAlign - 1) }
