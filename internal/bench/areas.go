package bench

import (
	"simrun/costmodel"
	"simrun/isa"
	"simrun/sim"
)

// areas is the memory map of the CPU file, and of a board the memories beside it: a second SRAM, core-coupled
// memory, ITIM. Windows that hold more than a machine may have (the 512 MiB of a serial flash) are left out; what a
// program loads there gets memory of its own.
func areas(cpu *costmodel.CPU) []sim.Area {
	m := cpu.Memory
	list := []sim.Area{
		{Name: "code", Base: m.Code.Base, Size: m.Code.Size, Perm: isa.R | isa.X},
		{Name: "data", Base: m.Data.Base, Size: m.Data.Size, Perm: isa.R | isa.W, Use: sim.Data},
		{Name: "stack", Base: m.Stack.Base, Size: m.Stack.Size, Perm: isa.R | isa.W, Use: sim.Stack},
	}
	free := uint64(sim.MaxMemory) - min(sim.MaxMemory, m.Code.Size+m.Data.Size+m.Stack.Size)
	for i := range cpu.Regions {
		r := &cpu.Regions[i]
		if r.Size > free || overlaps(list, r) {
			continue
		}
		list = append(list, sim.Area{Name: r.Name, Base: r.Base, Size: r.Size, Perm: regionPerms[r.Kind]})
		free -= r.Size
	}
	return list
}

// regionPerms says what each kind of memory of a board is for.
var regionPerms = map[string]isa.Perm{
	"flash": isa.R | isa.X,
	"qspi":  isa.R | isa.X,
	"sram":  isa.R | isa.W | isa.X,
	"ccm":   isa.R | isa.W,
	"dtim":  isa.R | isa.W,
	"itim":  isa.R | isa.W | isa.X,
}

// overlaps reports whether a byte of the region is in one of the areas.
func overlaps(list []sim.Area, r *costmodel.Region) bool {
	for _, a := range list {
		if a.Base < r.Base+r.Size && r.Base < a.Base+a.Size {
			return true
		}
	}
	return false
}
