package rv32

import "simrun/isa"

// Bit manipulation ISA extensions, version 1.0.0 (Zba, Zbb), and scalar cryptography extensions,
// version 1.0.1 (Zbkb): the forms of RV32, by extension, then as in the listings.

var zba = []row{
	{"SH1ADD", "rd,rs1,rs2", "0010000 rs2 rs1 010 rd 0110011", "alu.shadd", 0, kSh1add, ""},
	{"SH2ADD", "rd,rs1,rs2", "0010000 rs2 rs1 100 rd 0110011", "alu.shadd", 0, kSh2add, ""},
	{"SH3ADD", "rd,rs1,rs2", "0010000 rs2 rs1 110 rd 0110011", "alu.shadd", 0, kSh3add, ""},
}

var zbb = []row{
	{"CLZ", "rd,rs1", "0110000 00000 rs1 001 rd 0010011", "alu.count", 0, kClz, ""},
	{"CTZ", "rd,rs1", "0110000 00001 rs1 001 rd 0010011", "alu.count", 0, kCtz, ""},
	{"CPOP", "rd,rs1", "0110000 00010 rs1 001 rd 0010011", "alu.count", 0, kCpop, ""},
	{"MAX", "rd,rs1,rs2", "0000101 rs2 rs1 110 rd 0110011", "alu.minmax", isa.Commute, kMax, ""},
	{"MAXU", "rd,rs1,rs2", "0000101 rs2 rs1 111 rd 0110011", "alu.minmax", isa.Commute, kMaxu, ""},
	{"MIN", "rd,rs1,rs2", "0000101 rs2 rs1 100 rd 0110011", "alu.minmax", isa.Commute, kMin, ""},
	{"MINU", "rd,rs1,rs2", "0000101 rs2 rs1 101 rd 0110011", "alu.minmax", isa.Commute, kMinu, ""},
	{"SEXT.B", "rd,rs1", "0110000 00100 rs1 001 rd 0010011", "alu.extend", 0, kSextb, ""},
	{"SEXT.H", "rd,rs1", "0110000 00101 rs1 001 rd 0010011", "alu.extend", 0, kSexth, ""},
	{"ORC.B", "rd,rs1", "001010000111 rs1 101 rd 0010011", "alu.permute", 0, kOrcb, ""},
}

// zbbOrZbkb are the rows that both extensions have. In Zbkb ZEXT.H is PACK of x0, which has no
// name of its own there.
var zbbOrZbkb = []row{
	{"ANDN", "rd,rs1,rs2", "0100000 rs2 rs1 111 rd 0110011", "alu", 0, kAndn, ""},
	{"ORN", "rd,rs1,rs2", "0100000 rs2 rs1 110 rd 0110011", "alu", 0, kOrn, ""},
	{"XNOR", "rd,rs1,rs2", "0100000 rs2 rs1 100 rd 0110011", "alu", isa.Commute, kXnor, ""},
	{"ROL", "rd,rs1,rs2", "0110000 rs2 rs1 001 rd 0110011", "shift.rotate", 0, kRol, ""},
	{"ROR", "rd,rs1,rs2", "0110000 rs2 rs1 101 rd 0110011", "shift.rotate", 0, kRor, ""},
	{"RORI", "rd,rs1,shamt", "0110000 shamt[4:0] rs1 101 rd 0010011", "shift.rotate", 0, kRori, ""},
	{"REV8", "rd,rs1", "011010011000 rs1 101 rd 0010011", "alu.permute", 0, kRev8, ""},
	{"ZEXT.H", "rd,rs1", "0000100 00000 rs1 100 rd 0110011", "alu.extend", 0, kZexth, ""},
}

var zbkb = []row{
	{"PACK", "rd,rs1,rs2", "0000100 rs2!=0 rs1 100 rd 0110011", "alu.pack", 0, kPack, ""},
	{"PACKH", "rd,rs1,rs2", "0000100 rs2 rs1 111 rd 0110011", "alu.pack", 0, kPackh, ""},
	{"BREV8", "rd,rs1", "011010000111 rs1 101 rd 0010011", "alu.permute", 0, kBrev8, ""},
	{"ZIP", "rd,rs1", "0000100 01111 rs1 001 rd 0010011", "alu.permute", 0, kZip, ""},
	{"UNZIP", "rd,rs1", "0000100 01111 rs1 101 rd 0010011", "alu.permute", 0, kUnzip, ""},
}
