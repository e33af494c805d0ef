package bench

import (
	"simrun/costmodel"
	"simrun/isa"
	"simrun/sim/inorder"
	"simrun/sim/ooo"
)

// pipeline counts the cycles of the runs that it is told of.
type pipeline interface {
	isa.Listener
	isa.Clock
	Totals() costmodel.Totals
	SetSink(func(costmodel.Timed))
	Reset()
}

// newPipeline returns the pipeline that the CPU names. Here alone the program chooses between the kinds.
func newPipeline(cpu *costmodel.CPU, arch isa.Arch) (pipeline, error) {
	if cpu.Pipeline == ooo.Name {
		return ooo.New(cpu, arch)
	}
	return inorder.New(cpu, arch)
}
