package bench

import (
	"slices"

	"simrun/costmodel"
	"simrun/internal/result"
	"simrun/programs/native"
)

// hostProcessor is this computer's processor.
func hostProcessor() costmodel.Processor {
	h := native.ThisHost()
	return costmodel.Processor{Vendor: h.Vendor, Family: h.Family, Model: h.Model}
}

// HostCPU is the one of the CPUs whose code stands for a computer of that instruction set and processor: the model of it,
// else one without cycles, which is no model of any, else the first; nil if none has the instruction set.
func HostCPU(cpus []*costmodel.CPU, isa string, p costmodel.Processor) *costmodel.CPU {
	for _, fits := range []func(*costmodel.CPU) bool{
		func(c *costmodel.CPU) bool { return c.Models(p) },
		func(c *costmodel.CPU) bool { return !c.Timed() },
		func(*costmodel.CPU) bool { return true },
	} {
		if i := slices.IndexFunc(cpus, func(c *costmodel.CPU) bool { return c.ISA == isa && fits(c) }); i >= 0 {
			return cpus[i]
		}
	}
	return nil
}

// ThisCPU is HostCPU of this computer, nil if it can run nothing natively.
func ThisCPU(cpus []*costmodel.CPU) *costmodel.CPU {
	isa, err := HostISA()
	if err != nil {
		return nil
	}
	return HostCPU(cpus, isa, hostProcessor())
}

// measurable chooses one cell of each kernel to measure on a computer of that instruction set and processor.
func measurable(cells []Cell, isa string, p costmodel.Processor) []int {
	var chosen []int
	for _, group := range groupBySubject(cells) {
		var cpus []*costmodel.CPU
		for _, i := range group {
			cpus = append(cpus, cells[i].CPU)
		}
		if c := HostCPU(cpus, isa, p); c != nil {
			chosen = append(chosen, group[slices.Index(cpus, c)])
		}
	}
	return chosen
}

// judge puts the prediction beside what was measured of row's code, if its CPU is the model of the processor.
func judge(row *result.Row, cpu *costmodel.CPU, p costmodel.Processor) error {
	if cpu.Models(p) {
		row.Measured.Model = result.Name(cpu.Name)
		row.Measured.Judge(row.CyclesPerByte)
		return nil
	}
	name, err := costmodel.ModelOf(p)
	row.Measured.Model = result.Name(name)
	return err
}
