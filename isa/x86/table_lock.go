package x86

import (
	"slices"

	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

// lockable are the operations that the LOCK prefix may stand before, with the class of the locked forms.
var lockable = map[x86asm.Op]string{
	x86asm.ADD: "lock.alu", x86asm.SUB: "lock.alu", x86asm.ADC: "lock.alu", x86asm.SBB: "lock.alu",
	x86asm.AND: "lock.alu", x86asm.OR: "lock.alu", x86asm.XOR: "lock.alu",
	x86asm.INC: "lock.alu", x86asm.DEC: "lock.alu", x86asm.NEG: "lock.alu", x86asm.NOT: "lock.alu",
	x86asm.BTS: "lock.bit", x86asm.BTR: "lock.bit", x86asm.BTC: "lock.bit",
	x86asm.XADD: "lock.xadd", x86asm.XCHG: "xchg.mem", x86asm.CMPXCHG: "lock.cmpxchg",
	x86asm.CMPXCHG8B: "lock.cmpxchg.wide", x86asm.CMPXCHG16B: "lock.cmpxchg.wide",
}

// lockTable: the read-modify-write forms again, with the LOCK prefix. One core runs at a time, so they do the same.
var lockTable = lockFamilies()

func lockFamilies() []family {
	var table []family
	for _, f := range slices.Concat(moveTable, intTable, shiftTable, highTable) {
		class, ok := lockable[f.op]
		if !ok {
			continue
		}
		f.name, f.prefix, f.class = "LOCK "+f.name, prefixLock, class
		var forms []form
		for _, fm := range f.forms {
			if (f.flags|fm.flags)&rmw == rmw {
				fm.class = ""
				forms = append(forms, fm)
			}
		}
		if f.forms = forms; len(forms) > 0 {
			f.flags &^= isa.Commute
			table = append(table, f)
		}
	}
	return table
}
