package t32_test

import (
	"fmt"
	"os"

	"simrun/isa"
	"simrun/isa/t32"
)

// A function goes from text to bytes, runs, and is printed as a file for the GNU assembler.
func Example() {
	a := t32.New()
	blocks, err := a.Parse("mix.s", `
		.global mix
	mix:	eors r0, r1          @ 16 bits where they do
		add r0, r1, r0, ror #7
		bx lr`)
	if err != nil {
		fmt.Println(err)
		return
	}
	im, err := a.Assemble(blocks, 0x8000)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("% x\n", im.Segments[0].Data)

	mem := new(isa.Memory)
	if err := mem.Add(&isa.Region{Name: "code", Base: 0x8000, Data: im.Segments[0].Data, Perm: isa.R | isa.X}); err != nil {
		fmt.Println(err)
		return
	}
	c := a.NewCore(mem, nil)
	c.SetPC(im.Entry)
	c.SetReg(0, 0x80)
	c.SetReg(1, 1)
	c.SetReg(t32.LR, 0xf001)
	stop := c.Run(nil, 0, 0xf000)
	fmt.Printf("%#x, %d instructions, stopped at %#x\n", c.Reg(0), c.Retired(), stop.PC)

	blocks[0].Items[0].Note = "mixes"
	if err := isa.WriteGNU(os.Stdout, a, blocks); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 48 40 01 eb f0 10 70 47
	// 0x2000002, 3 instructions, stopped at 0xf000
	// 	.syntax unified
	// 	.cpu cortex-m4
	// 	.thumb
	// 	.text
	//
	// 	.global mix
	// 	.type mix, %function
	// mix:
	// 	eors	r0, r1	@ mixes
	// 	add.w	r0, r1, r0, ror #7
	// 	bx	lr
	// 	.size mix, . - mix
}
