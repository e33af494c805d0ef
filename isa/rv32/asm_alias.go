package rv32

import (
	"fmt"

	"simrun/isa"
)

// aliases are the manual's pseudoinstructions (tables 25.2 and 25.3) and the GNU assembler's
// further spellings, by name and number of operands. They are tried after the real rows.
var aliases = map[string]string{
	"nop/0": "addi zero,zero,0",
	"not/2": "xori $1,$2,-1", "neg/2": "sub $1,zero,$2",
	"zext.b/2": "andi $1,$2,255",
	"seqz/2":   "sltiu $1,$2,1", "snez/2": "sltu $1,zero,$2",
	"sltz/2": "slt $1,$2,zero", "sgtz/2": "slt $1,zero,$2",
	"sgt/3": "slt $1,$3,$2", "sgtu/3": "sltu $1,$3,$2",

	"beqz/2": "beq $1,zero,$2", "bnez/2": "bne $1,zero,$2",
	"blez/2": "bge zero,$1,$2", "bgez/2": "bge $1,zero,$2",
	"bltz/2": "blt $1,zero,$2", "bgtz/2": "blt zero,$1,$2",
	"bgt/3": "blt $2,$1,$3", "ble/3": "bge $2,$1,$3",
	"bgtu/3": "bltu $2,$1,$3", "bleu/3": "bgeu $2,$1,$3",

	"j/1": "jal zero,$1", "jal/1": "jal ra,$1",
	"jr/1": "jalr zero,0($1);jalr zero,$1", "jr/2": "jalr zero,$2($1)", "ret/0": "jalr zero,0(ra)",
	"jalr/1": "jalr ra,0($1);jalr ra,$1", "jalr/2": "jalr $1,0($2)", "jalr/3": "jalr $1,$3($2)",

	"add/3": "addi $1,$2,$3", "and/3": "andi $1,$2,$3", "or/3": "ori $1,$2,$3",
	"xor/3": "xori $1,$2,$3", "slt/3": "slti $1,$2,$3", "sltu/3": "sltiu $1,$2,$3",
	"sll/3": "slli $1,$2,$3", "srl/3": "srli $1,$2,$3", "sra/3": "srai $1,$2,$3",
	"ror/3": "rori $1,$2,$3",

	"fence/0": "fence iorw,iorw", "sbreak/0": "ebreak", "scall/0": "ecall",

	"csrr/2": "csrrs $1,$2,zero", "csrw/2": "csrrw zero,$1,$2;csrrwi zero,$1,$2",
	"csrs/2":  "csrrs zero,$1,$2;csrrsi zero,$1,$2",
	"csrc/2":  "csrrc zero,$1,$2;csrrci zero,$1,$2",
	"csrwi/2": "csrrwi zero,$1,$2", "csrsi/2": "csrrsi zero,$1,$2", "csrci/2": "csrrci zero,$1,$2",
	"csrrw/3": "csrrwi $1,$2,$3", "csrrs/3": "csrrsi $1,$2,$3", "csrrc/3": "csrrci $1,$2,$3",
	"rdcycle/1": "csrrs $1,cycle,zero", "rdcycleh/1": "csrrs $1,cycleh,zero",
	"rdtime/1": "csrrs $1,time,zero", "rdtimeh/1": "csrrs $1,timeh,zero",
	"rdinstret/1": "csrrs $1,instret,zero", "rdinstreth/1": "csrrs $1,instreth,zero",
}

// uncompressed are the spellings that the GNU assembler never compresses, though their aliases
// j, jr, ret and jalr with one operand it does. Immediates written as a 32-bit pattern, such as
// 0xffffffff, are the other case.
var uncompressed = map[string]bool{"jal/1": true, "jal/2": true, "jalr/2": true, "jalr/3": true}

// specials are the aliases that make several instructions or depend on a value.
var specials = map[string]func(p *parser, args []string) error{
	"mv":   (*parser).mv,
	"move": (*parser).mv,
	"li":   (*parser).li,
	"la":   (*parser).la,
	"lla":  (*parser).la,
	"call": (*parser).call,
	"tail": (*parser).tail,
	"pack": (*parser).pack,
}

// mv is ADDI, compressed unless the source is x0.
func (p *parser) mv(args []string) error {
	rd, ok := regArg(args, 2)
	rs, isReg := regByName[last(args)]
	if !ok || !isReg {
		return errShape
	}
	p.exact = rs == Zero
	p.emit(Make("ADDI", int64(rd), int64(rs), 0))
	return nil
}

// pack is ZEXT.H if it packs x0: the rows share those words.
func (p *parser) pack(args []string) error {
	e := byID["PACK"]
	if last(args) == regNames[Zero] || last(args) == "x0" {
		e, args = byID["ZEXT.H"], args[:len(args)-1]
	}
	in, err := p.operands(e, args, 0)
	if err == nil {
		p.emit(in)
	}
	return err
}

func (p *parser) li(args []string) error {
	rd, ok := regArg(args, 2)
	if !ok {
		return errShape
	}
	v, err := p.eval(args[1])
	if err != nil {
		return err
	}
	if v < -1<<31 || v >= 1<<32 {
		return fmt.Errorf("%d does not fit 32 bits", v)
	}
	p.exact = v >= 1<<31 && hi20(uint32(v))&upperMask == 0
	for _, in := range LoadConst(rd, uint32(v)) {
		p.emit(in)
	}
	return nil
}

// LoadConst returns the one or two instructions that put v into rd, as li does.
func LoadConst(rd isa.Reg, v uint32) []isa.Inst {
	hi, lo := hi20(v)&upperMask, lo12(v)
	switch {
	case hi == 0:
		return []isa.Inst{Make("ADDI", int64(rd), int64(Zero), lo)}
	case lo == 0:
		return []isa.Inst{Make("LUI", int64(rd), int64(hi))}
	}
	return []isa.Inst{
		Make("LUI", int64(rd), int64(hi)),
		Make("ADDI", int64(rd), int64(rd), lo),
	}
}

func (p *parser) la(args []string) error {
	rd, ok := regArg(args, 2)
	if !ok {
		return errShape
	}
	return p.pcrel(rd, args[1], Make("ADDI", int64(rd), int64(rd), 0))
}

func (p *parser) call(args []string) error {
	switch len(args) {
	case 1:
		return p.pcrel(RA, args[0], Make("JALR", int64(RA), 0, int64(RA)))
	case 2:
		if rd, ok := regArg(args, 2); ok {
			return p.pcrel(T1, args[1], Make("JALR", int64(rd), 0, int64(T1)))
		}
	}
	return errShape
}

func (p *parser) tail(args []string) error {
	if len(args) != 1 {
		return errShape
	}
	return p.pcrel(T1, args[0], Make("JALR", int64(Zero), 0, int64(T1)))
}

// pcrel emits AUIPC rd and low, which takes the low part of the distance to sym. Neither is
// compressed, since the linker sets their immediates.
func (p *parser) pcrel(rd isa.Reg, sym string, low isa.Inst) error {
	sym, err := p.symbol(sym)
	if err != nil {
		return err
	}
	at := p.makeLabel("pcrel")
	high := Make("AUIPC", int64(rd), 0)
	high.Sym = "%pcrel_hi(" + sym + ")"
	low.Sym = "%pcrel_lo(" + at + ")"
	p.sec.inst(high, false, p.line)
	p.sec.inst(low, false, p.line)
	return nil
}

// regArg returns the register that stands first among n arguments.
func regArg(args []string, n int) (isa.Reg, bool) {
	if len(args) != n {
		return 0, false
	}
	r, ok := regByName[args[0]]
	return r, ok
}

// last is the last argument, "" if there is none.
func last(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[len(args)-1]
}
