package costmodel_test

import (
	"fmt"

	"simrun/costmodel"
)

// What would a Cortex-M3 with a single-cycle MLA be?
func Example() {
	cpu, err := costmodel.Load("cortex-m3")
	if err != nil {
		fmt.Println(err)
		return
	}
	mla, _ := cpu.Class("mla")
	fmt.Println("MLA:", mla.Cycles, "cycles.", cpu.Rule(mla.Rule))
	if err := cpu.Set("mla", "1"); err != nil {
		fmt.Println(err)
		return
	}
	mla, _ = cpu.Class("mla")
	fmt.Println("now", mla.Cycles)
	fmt.Println(cpu.Set("mlaa", "1"))
	// Output:
	// MLA: 2 cycles. MLA and MLS take 2 cycles.
	// now 1
	// --set mlaa: cortex-m3 has no such parameter or timing class (did you mean mla?)
}
