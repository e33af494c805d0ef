package rv32_test

import (
	"fmt"

	"simrun/isa"
	"simrun/isa/rv32"
)

// Example assembles a function and calls it with the ilp32 convention.
func Example() {
	a := rv32.New()
	blocks, err := a.Parse("half.s", `
	.global half
half:	srli a0, a0, 1
	ret
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	im, err := a.Assemble(blocks, 0x20000000)
	if err != nil {
		fmt.Println(err)
		return
	}
	code := im.Segments[0]
	mem := &isa.Memory{}
	if err := mem.Add(&isa.Region{Name: "flash", Base: code.Addr, Data: code.Data, Perm: code.Perm}); err != nil {
		fmt.Println(err)
		return
	}
	const returnTo = 0xfffffff0
	c := a.NewCore(mem, []string{"m", "c"})
	c.SetPC(im.Entry)
	c.SetReg(rv32.A0, 84)
	c.SetReg(rv32.RA, returnTo)
	stop := c.Run(nil, 0, returnTo)
	fmt.Printf("% x: %d after %d instructions, stopped at %#x\n", code.Data, c.Reg(rv32.A0), c.Retired(), stop.PC)
	// Output: 05 81 82 80: 42 after 2 instructions, stopped at 0xfffffff0
}
