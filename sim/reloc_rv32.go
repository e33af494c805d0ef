package sim

import (
	"debug/elf"
	"fmt"
)

// riscvRelocs are the relocations of "RISC-V ELF psABI", chapter "Relocations", that RV32 code of
// one object needs. Code is not relaxed: R_RISCV_RELAX and R_RISCV_ALIGN leave it as it is.
var riscvRelocs = relocTable{
	name: func(t uint32) string { return elf.R_RISCV(t).String() },
	kinds: map[uint32]relocKind{
		uint32(elf.R_RISCV_NONE):         {},
		uint32(elf.R_RISCV_RELAX):        {},
		uint32(elf.R_RISCV_ALIGN):        {},
		uint32(elf.R_RISCV_32):           {size: 4, apply: rvAbs32},
		uint32(elf.R_RISCV_BRANCH):       {size: 4, apply: rvBranch},
		uint32(elf.R_RISCV_JAL):          {size: 4, apply: rvJal},
		uint32(elf.R_RISCV_CALL):         {size: 8, apply: rvCall},
		uint32(elf.R_RISCV_CALL_PLT):     {size: 8, apply: rvCall},
		uint32(elf.R_RISCV_PCREL_HI20):   {size: 4, notes: true, apply: rvPCHigh},
		uint32(elf.R_RISCV_PCREL_LO12_I): {size: 4, apply: rvPCLow(rvSetI)},
		uint32(elf.R_RISCV_PCREL_LO12_S): {size: 4, apply: rvPCLow(rvSetS)},
		uint32(elf.R_RISCV_HI20):         {size: 4, apply: rvHigh},
		uint32(elf.R_RISCV_LO12_I):       {size: 4, apply: rvLow(rvSetI)},
		uint32(elf.R_RISCV_LO12_S):       {size: 4, apply: rvLow(rvSetS)},
		uint32(elf.R_RISCV_RVC_BRANCH):   {size: 2, apply: rvcBranch},
		uint32(elf.R_RISCV_RVC_JUMP):     {size: 2, apply: rvcJump},
		uint32(elf.R_RISCV_ADD8):         {size: 1, apply: rvSum(8, 1)},
		uint32(elf.R_RISCV_ADD16):        {size: 2, apply: rvSum(16, 1)},
		uint32(elf.R_RISCV_ADD32):        {size: 4, apply: rvSum(32, 1)},
		uint32(elf.R_RISCV_SUB8):         {size: 1, apply: rvSum(8, -1)},
		uint32(elf.R_RISCV_SUB16):        {size: 2, apply: rvSum(16, -1)},
		uint32(elf.R_RISCV_SUB32):        {size: 4, apply: rvSum(32, -1)},
	},
}

func rvAbs32(r *reloc) error {
	r.put32(0, uint32(r.target()))
	return nil
}

// rvSum adds to or subtracts from the value in the place: jump tables and debug information are
// differences of labels.
func rvSum(bits int, sign int64) func(*reloc) error {
	return func(r *reloc) error {
		var old uint64
		for i := range bits / 8 {
			old |= uint64(r.loc[i]) << (8 * i)
		}
		v := int64(old) + sign*r.target()
		for i := range bits / 8 {
			r.loc[i] = byte(v >> (8 * i))
		}
		return nil
	}
}

// rvBranch is the B format: imm[12|10:5] in bits 31:25, imm[4:1|11] in bits 11:7.
func rvBranch(r *reloc) error {
	d := r.distance()
	if err := reach(d, 13); err != nil {
		return err
	}
	v := uint32(d)
	r.put32(0, r.get32(0)&0x01fff07f|v>>12&1<<31|v>>5&0x3f<<25|v>>1&0xf<<8|v>>11&1<<7)
	return nil
}

// rvJal is the J format: imm[20|10:1|11|19:12] in bits 31:12.
func rvJal(r *reloc) error {
	d := r.distance()
	if err := reach(d, 21); err != nil {
		return err
	}
	v := uint32(d)
	r.put32(0, r.get32(0)&0xfff|v>>20&1<<31|v>>1&0x3ff<<21|v>>11&1<<20|v>>12&0xff<<12)
	return nil
}

// rvCall is AUIPC, JALR.
func rvCall(r *reloc) error {
	v := uint32(r.distance())
	r.put32(0, rvSetU(r.get32(0), v))
	r.put32(4, rvSetI(r.get32(4), v))
	return nil
}

func rvPCHigh(r *reloc) error {
	v := uint32(r.distance())
	r.high[r.p] = uint64(v)
	if r.last {
		r.put32(0, rvSetU(r.get32(0), v))
	}
	return nil
}

// rvPCLow takes the distance of the R_RISCV_PCREL_HI20 that its symbol points to.
func rvPCLow(set func(word, v uint32) uint32) func(*reloc) error {
	return func(r *reloc) error {
		v, ok := r.high[uint64(r.target())]
		if !ok {
			return fmt.Errorf("there is no R_RISCV_PCREL_HI20 at %#x", r.target())
		}
		r.put32(0, set(r.get32(0), uint32(v)))
		return nil
	}
}

func rvHigh(r *reloc) error {
	r.put32(0, rvSetU(r.get32(0), uint32(r.target())))
	return nil
}

func rvLow(set func(word, v uint32) uint32) func(*reloc) error {
	return func(r *reloc) error {
		r.put32(0, set(r.get32(0), uint32(r.target())))
		return nil
	}
}

// rvSetU puts the high 20 bits of v, rounded for the sign of the low 12, into bits 31:12.
func rvSetU(word, v uint32) uint32 { return word&0xfff | (v+0x800)&^0xfff }

// rvSetI puts v[11:0] into bits 31:20.
func rvSetI(word, v uint32) uint32 { return word&0xfffff | v<<20 }

// rvSetS puts v[11:5] into bits 31:25 and v[4:0] into bits 11:7.
func rvSetS(word, v uint32) uint32 { return word&0x01fff07f | v>>5&0x7f<<25 | v&0x1f<<7 }

// rvcBranch is the CB format: imm[8|4:3] in bits 12:10, imm[7:6|2:1|5] in bits 6:2.
func rvcBranch(r *reloc) error {
	d := r.distance()
	if err := reach(d, 9); err != nil {
		return err
	}
	v := uint32(d)
	r.put16(0, r.get16(0)&0xe383|v>>8&1<<12|v>>3&3<<10|v>>6&3<<5|v>>1&3<<3|v>>5&1<<2)
	return nil
}

// rvcJump is the CJ format: imm[11|4|9:8|10|6|7|3:1|5] in bits 12:2.
func rvcJump(r *reloc) error {
	d := r.distance()
	if err := reach(d, 12); err != nil {
		return err
	}
	v := uint32(d)
	r.put16(0, r.get16(0)&0xe003|v>>11&1<<12|v>>4&1<<11|v>>8&3<<9|v>>10&1<<8|v>>6&1<<7|v>>7&1<<6|v>>1&7<<3|v>>5&1<<2)
	return nil
}
