// Package targets is the explicit list of lowerings: which instruction sets kernels can be
// compiled for. It knows nothing of CPUs.
package targets

import (
	"fmt"

	rv32 "simrun/isa/rv32/lower"
	t32 "simrun/isa/t32/lower"
	x86 "simrun/isa/x86/lower"
	"simrun/programs/compile"
)

// All returns a target for each instruction set, in a fixed order.
func All() []*compile.Target {
	return []*compile.Target{t32.Target(), rv32.Target(), x86.Target()}
}

// For returns the target of the instruction set of that name.
func For(isaName string) (*compile.Target, error) {
	for _, t := range All() {
		if t.Arch.Name() == isaName {
			return t, nil
		}
	}
	return nil, fmt.Errorf("no compiler target for instruction set %q", isaName)
}
