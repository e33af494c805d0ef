package rv32

import (
	"debug/elf"
	"fmt"

	"simrun/isa"
)

// ELF returns the machine and its relocations.
func (Arch) ELF() *isa.ELF { return &elfKind }

// elfKind has the relocations of "RISC-V ELF psABI", chapter "Relocations", that RV32 code of
// one object needs. Code is not relaxed: R_RISCV_RELAX and R_RISCV_ALIGN leave it as it is.
var elfKind = isa.ELF{
	Machine: elf.EM_RISCV, Class: elf.ELFCLASS32,
	RelocName: func(t uint32) string { return elf.R_RISCV(t).String() },
	Relocs: map[uint32]isa.RelocKind{
		uint32(elf.R_RISCV_NONE):         {},
		uint32(elf.R_RISCV_RELAX):        {},
		uint32(elf.R_RISCV_ALIGN):        {},
		uint32(elf.R_RISCV_32):           {Size: 4, Apply: rvAbs32},
		uint32(elf.R_RISCV_BRANCH):       {Size: 4, Apply: rvBranch},
		uint32(elf.R_RISCV_JAL):          {Size: 4, Apply: rvJal},
		uint32(elf.R_RISCV_CALL):         {Size: 8, Apply: rvCall},
		uint32(elf.R_RISCV_CALL_PLT):     {Size: 8, Apply: rvCall},
		uint32(elf.R_RISCV_PCREL_HI20):   {Size: 4, Notes: true, Apply: rvPCHigh},
		uint32(elf.R_RISCV_PCREL_LO12_I): {Size: 4, Apply: rvPCLow(rvSetI)},
		uint32(elf.R_RISCV_PCREL_LO12_S): {Size: 4, Apply: rvPCLow(rvSetS)},
		uint32(elf.R_RISCV_HI20):         {Size: 4, Apply: rvHigh},
		uint32(elf.R_RISCV_LO12_I):       {Size: 4, Apply: rvLow(rvSetI)},
		uint32(elf.R_RISCV_LO12_S):       {Size: 4, Apply: rvLow(rvSetS)},
		uint32(elf.R_RISCV_RVC_BRANCH):   {Size: 2, Apply: rvcBranch},
		uint32(elf.R_RISCV_RVC_JUMP):     {Size: 2, Apply: rvcJump},
		uint32(elf.R_RISCV_ADD8):         {Size: 1, Apply: rvSum(8, 1)},
		uint32(elf.R_RISCV_ADD16):        {Size: 2, Apply: rvSum(16, 1)},
		uint32(elf.R_RISCV_ADD32):        {Size: 4, Apply: rvSum(32, 1)},
		uint32(elf.R_RISCV_SUB8):         {Size: 1, Apply: rvSum(8, -1)},
		uint32(elf.R_RISCV_SUB16):        {Size: 2, Apply: rvSum(16, -1)},
		uint32(elf.R_RISCV_SUB32):        {Size: 4, Apply: rvSum(32, -1)},
	},
}

func rvAbs32(r *isa.Reloc) error {
	r.Put32(0, uint32(r.Target()))
	return nil
}

// rvSum adds to or subtracts from the value in the place: jump tables and debug information are
// differences of labels.
func rvSum(bits int, sign int64) func(*isa.Reloc) error {
	return func(r *isa.Reloc) error {
		var old uint64
		for i := range bits / 8 {
			old |= uint64(r.Loc[i]) << (8 * i)
		}
		v := int64(old) + sign*r.Target()
		for i := range bits / 8 {
			r.Loc[i] = byte(v >> (8 * i))
		}
		return nil
	}
}

// rvBranch is the B format: imm[12|10:5] in bits 31:25, imm[4:1|11] in bits 11:7.
func rvBranch(r *isa.Reloc) error {
	v, err := r.Jump(13)
	if err != nil {
		return err
	}
	r.Put32(0, r.Get32(0)&0x01fff07f|v>>12&1<<31|v>>5&0x3f<<25|v>>1&0xf<<8|v>>11&1<<7)
	return nil
}

// rvJal is the J format: imm[20|10:1|11|19:12] in bits 31:12.
func rvJal(r *isa.Reloc) error {
	v, err := r.Jump(21)
	if err != nil {
		return err
	}
	r.Put32(0, r.Get32(0)&0xfff|v>>20&1<<31|v>>1&0x3ff<<21|v>>11&1<<20|v>>12&0xff<<12)
	return nil
}

// rvCall is AUIPC, JALR.
func rvCall(r *isa.Reloc) error {
	v := uint32(r.Distance())
	r.Put32(0, rvSetU(r.Get32(0), v))
	r.Put32(4, rvSetI(r.Get32(4), v))
	return nil
}

func rvPCHigh(r *isa.Reloc) error {
	v := uint32(r.Distance())
	r.High[r.P] = uint64(v)
	if r.Last {
		r.Put32(0, rvSetU(r.Get32(0), v))
	}
	return nil
}

// rvPCLow takes the distance of the R_RISCV_PCREL_HI20 that its symbol points to.
func rvPCLow(set func(word, v uint32) uint32) func(*isa.Reloc) error {
	return func(r *isa.Reloc) error {
		v, ok := r.High[uint64(r.Target())]
		if !ok {
			return fmt.Errorf("there is no R_RISCV_PCREL_HI20 at %#x", r.Target())
		}
		r.Put32(0, set(r.Get32(0), uint32(v)))
		return nil
	}
}

func rvHigh(r *isa.Reloc) error {
	r.Put32(0, rvSetU(r.Get32(0), uint32(r.Target())))
	return nil
}

func rvLow(set func(word, v uint32) uint32) func(*isa.Reloc) error {
	return func(r *isa.Reloc) error {
		r.Put32(0, set(r.Get32(0), uint32(r.Target())))
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
func rvcBranch(r *isa.Reloc) error {
	v, err := r.Jump(9)
	if err != nil {
		return err
	}
	r.Put16(0, r.Get16(0)&0xe383|v>>8&1<<12|v>>3&3<<10|v>>6&3<<5|v>>1&3<<3|v>>5&1<<2)
	return nil
}

// rvcJump is the CJ format: imm[11|4|9:8|10|6|7|3:1|5] in bits 12:2.
func rvcJump(r *isa.Reloc) error {
	v, err := r.Jump(12)
	if err != nil {
		return err
	}
	r.Put16(0, r.Get16(0)&0xe003|v>>11&1<<12|v>>4&1<<11|v>>8&3<<9|v>>10&1<<8|v>>6&1<<7|v>>7&1<<6|v>>1&7<<3|v>>5&1<<2)
	return nil
}
