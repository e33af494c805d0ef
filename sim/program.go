package sim

import (
	"fmt"
	"io"

	"simrun/isa"
	"simrun/sim/device"
	"simrun/sim/host"
)

// DefaultProgramLimit is the number of cycles, or of instructions where there is no clock, after which a
// program that was given no limit ends.
const DefaultProgramLimit = 1 << 32

// ProgramConfig describes a whole program on a machine.
type ProgramConfig struct {
	Config                   // Areas is the map for called functions; RAM grows to what the program needs
	Exact          bool      // RAM does not grow: the map is a chip's
	Stdin          io.Reader // nil = empty
	Stdout, Stderr io.Writer // nil = thrown away
	Dir            string    // folder whose files the program may read, "" = none
	Args           []string  // of its command line, its name first
	Limit          uint64    // cycles, or instructions without a clock; 0 = DefaultProgramLimit
}

// Program is a whole program on a machine, from its start to its exit.
type Program struct {
	*Machine
	host    *host.Host
	htif    *host.HTIF // nil = the program has none
	board   board
	world   world
	number  isa.Reg    // of a system call
	args    [6]isa.Reg // of a system call
	ring    ring
	vectors uint64 // address of the vector table, isa.NoAddr = started at the ELF entry
	limit   uint64
}

// Exit is the end of a program: its status, 0 to 255, and how it said so.
type Exit = host.Exit

// NewProgram puts a program on a machine, ready to execute its first instruction.
func NewProgram(c ProgramConfig) (*Program, error) {
	w, ok := worlds[c.Arch.Name()]
	if !ok {
		return nil, fmt.Errorf("whole programs do not run on %s: call a function with --call", c.Arch.Name())
	}
	listener := c.Listener
	c.Areas, c.Listener = plan(c.Areas, c.Image, c.Exact), nil
	if w.hosted {
		c.Areas = planHosted(c.Image)
	}
	m, err := New(c.Config)
	if err != nil {
		return nil, err
	}
	p := &Program{Machine: m, world: w, limit: c.Limit, vectors: m.findVectors()}
	if p.limit == 0 {
		p.limit = DefaultProgramLimit
	}
	p.SetListener(listener)
	p.host = host.New(host.Config{
		Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stderr, Dir: c.Dir, Args: c.Args, Now: p.Now, SetThread: p.setThread(),
	}, &m.mem, m.layout())
	p.findCallRegisters()
	if err := p.boot(c.Args); err != nil {
		return nil, err
	}
	return p, p.attach()
}

// findCallRegisters notes the registers of a system call.
func (p *Program) findCallRegisters() {
	p.number, _ = p.named(p.world.number)
	for i := range p.args {
		p.args[i] = p.abi.Args[0] + isa.Reg(i)
		if p.world.args != nil {
			p.args[i], _ = p.named(p.world.args[i])
		}
	}
}

// setThread returns what sets the address of the thread's data, or nil.
func (p *Program) setThread() func(addr uint64) {
	r, ok := p.named(p.world.thread)
	if !ok {
		return nil
	}
	return func(addr uint64) { p.core.SetReg(r, addr) }
}

// attach maps the devices. What the program loads at their addresses goes before them.
func (p *Program) attach() error {
	sys := device.System{Now: p.Now, Console: console{p.host}, End: p.host.End}
	var devices []*isa.Device
	p.board, devices = p.world.board(p, sys)
	for _, d := range devices {
		if err := p.mem.AddDevice(d); err != nil {
			return err
		}
	}
	return nil
}

// console writes to the program's standard output.
type console struct{ host *host.Host }

func (c console) Write(b []byte) (int, error) {
	c.host.Console(b)
	return len(b), nil
}

// SetListener replaces the listener from the next run on; nil stops reporting.
func (p *Program) SetListener(l isa.Listener) {
	p.Machine.SetListener(l)
	p.ring.to, p.listener = l, &p.ring
}

// Close closes the files that the program has open.
func (p *Program) Close() { p.host.Close() }

// RunTo runs until the instruction at addr is about to execute, where it may already be, and then
// returns nil; or until the program exits. addr may be isa.NoAddr. Any other end is an error of type
// *ProgramError.
func (p *Program) RunTo(addr uint64) (*Exit, error) {
	for {
		stop := p.core.Run(p.listener, p.chunk(), addr)
		if stop.Kind == isa.StopAddr {
			return nil, nil
		}
		if exit, err := p.handle(stop); exit != nil || err != nil {
			return exit, err
		}
	}
}

// RunOn is RunTo, but executes at least one instruction.
func (p *Program) RunOn(addr uint64) (*Exit, error) {
	stop := p.core.Run(p.listener, 1, isa.NoAddr)
	if exit, err := p.handle(stop); exit != nil || err != nil {
		return exit, err
	}
	return p.RunTo(addr)
}

// chunk is how many instructions to run before looking at the clock again.
func (p *Program) chunk() uint64 {
	now := p.Now()
	n := allowance(p.limit - min(p.limit, now))
	if at, ok := p.board.Deadline(now); ok {
		n = min(n, (at-now)/8+1)
	}
	if p.htif != nil && p.htif.Waiting() {
		n = min(n, htifPatience)
	}
	return n
}

// htifPatience is the number of instructions in which a program writes the other half of tohost.
const htifPatience = 16

// handle deals with the end of a run; exit is set at the end of the program.
func (p *Program) handle(stop isa.Stop) (exit *Exit, err error) {
	switch stop.Kind {
	case isa.StopLimit:
		err = p.pause(stop)
	case isa.StopDevice:
		p.board.Update(p.Now())
	case isa.StopBreak:
		p.breakpoint(stop)
	case isa.StopSystem:
		err = p.systemCall(stop)
	case isa.StopHalt:
		err = p.wait(stop)
	default:
		err = p.failed(stop, problem(stop))
	}
	if err != nil {
		return nil, err
	}
	return p.host.Exited(), nil
}

// pause is the end of a chunk.
func (p *Program) pause(stop isa.Stop) error {
	now := p.Now()
	if p.htif != nil && p.htif.Waiting() {
		p.htif.Settle()
	}
	if p.host.Exited() != nil {
		return nil
	}
	waits := p.board.Update(now)
	if now >= p.limit {
		return p.failed(stop, fmt.Sprintf("no exit after %d %s: raise the limit with --limit", p.limit, p.unit()))
	}
	if _, ok := p.board.Deadline(now); !ok && !waits && p.ring.spins() {
		return p.stuck(stop)
	}
	return nil
}

// wait lets WFI end at once, as the architectures allow, if an interrupt will come.
func (p *Program) wait(stop isa.Stop) error {
	now := p.Now()
	waits := p.board.Update(now)
	if _, ok := p.board.Deadline(now); !ok && !waits {
		return p.failed(stop, "waits for an interrupt, and none is set up")
	}
	return nil
}

// breakpoint is a semihosting call or the end of the program, with the number of the breakpoint as status.
func (p *Program) breakpoint(stop isa.Stop) {
	if c, ok := p.core.(isa.Semihosting); !ok || !c.Semihosting(stop) {
		p.host.End(int(stop.Code&0xff), "breakpoint")
		return
	}
	op, arg := p.abi.Args[0], p.abi.Args[1]
	if v, ok := p.host.Semihost(uint32(p.core.Reg(op)), uint32(p.core.Reg(arg))); ok {
		p.core.SetReg(p.abi.Ret, uint64(v))
		return
	}
	p.core.SetReg(p.abi.Ret, p.wordMask())
}

// systemCall does a Linux system call.
func (p *Program) systemCall(stop isa.Stop) error {
	var args [6]uint64
	for i, r := range p.args {
		args[i] = p.core.Reg(r)
	}
	v, err := p.world.linux(p.host, p.core.Reg(p.number), args)
	if err != nil {
		return p.failed(stop, err.Error())
	}
	p.core.SetReg(p.abi.Ret, v&p.wordMask())
	return nil
}

// stackGap is how many untouched bytes in a row are taken for the end of the stack.
const stackGap = 1024

// StackUsed returns the deepest stack so far, in bytes below the SP at the start. It sees what was written, down to the first gap
// of stackGap bytes: below it other memory may begin. It is 0 for a program that moves its stack elsewhere.
func (p *Program) StackUsed() int {
	ram := p.inside(p.entrySP-1, 1)
	if ram == nil {
		return 0
	}
	data := ram.Data[:p.entrySP-ram.Base]
	deepest, untouched := 0, 0
	for i := len(data) - 1; i >= int(min(ram.used, uint64(len(data)))) && untouched < stackGap; i-- {
		untouched++
		if data[i] != fill {
			deepest, untouched = len(data)-i, 0
		}
	}
	return deepest
}
