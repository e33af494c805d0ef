package bench

import (
	"fmt"

	"simrun/costmodel"
	"simrun/isa"
	"simrun/isa/all"
	"simrun/programs/compile"
	"simrun/programs/ir"
	"simrun/programs/targets"
	"simrun/sim"
)

// Program is a kernel compiled for a CPU.
type Program struct {
	*compile.Code
	CPU    *costmodel.CPU
	Arch   isa.Arch
	Target *compile.Target
	Blocks int // blocks of the cipher in one call, all lanes
	Bytes  int // bytes of message in one call, all lanes
}

// Compile compiles k for a CPU within its code budget. dump may be nil.
func Compile(k *ir.Kernel, cpu *costmodel.CPU, dump func(stage string, text func() string)) (*Program, error) {
	arch := all.Arch(cpu.ISA)
	if arch == nil {
		return nil, fmt.Errorf("%s: no instruction set %q", cpu.Name, cpu.ISA)
	}
	target, err := targets.For(cpu.ISA)
	if err != nil {
		return nil, err
	}
	code, err := compile.Compile(k, target, compile.Options{
		Level:   1,
		Budget:  cpu.CodeBudget.Value,
		Org:     cpu.Memory.Code.Base,
		Latency: cpu.Latency,
		Dump:    dump,
	})
	if err != nil {
		return nil, err
	}
	p := &Program{Code: code, CPU: cpu, Arch: arch, Target: target}
	p.Blocks = k.Blocks(target.SliceBits) * code.Lanes
	p.Bytes = messageBytes(code.Params) * code.Lanes
	return p, nil
}

// messageBytes is the size of the message of one call of one lane: the output, which every
// kernel has.
func messageBytes(params []ir.Param) int {
	n := 0
	for _, p := range params {
		if p.Mem != nil && (p.Mem.Kind == ir.Out || p.Mem.Kind == ir.InOut) {
			n += p.Mem.Bytes()
		}
	}
	return n
}

// bufferBytes is the size of a parameter's buffer: a key is shared by the lanes.
func (p *Program) bufferBytes(m *ir.Mem) int {
	if m.Kind == ir.Key {
		return m.Bytes()
	}
	return m.Bytes() * p.Lanes
}

// codeBytes is the size of the image: code and constants.
func codeBytes(im *isa.Image) int {
	n := 0
	for _, s := range im.Segments {
		n += len(s.Data)
	}
	return n
}

// areas is the memory map of the CPU file.
func areas(cpu *costmodel.CPU) []sim.Area {
	m := cpu.Memory
	return []sim.Area{
		{Name: "code", Base: m.Code.Base, Size: m.Code.Size, Perm: isa.R | isa.X},
		{Name: "data", Base: m.Data.Base, Size: m.Data.Size, Perm: isa.R | isa.W, Use: sim.Data},
		{Name: "stack", Base: m.Stack.Base, Size: m.Stack.Size, Perm: isa.R | isa.W, Use: sim.Stack},
	}
}
