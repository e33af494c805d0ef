package rv32

// Chapter 16, "C" standard extension for compressed instructions, by quadrant as in its
// instruction listings, without the forms of F, D, RV64 and RV128.
//
// Rows that differ from another only in operands excluded there are hints (table 16.4):
// they execute as their expansion, which changes nothing. C.SLLI64, C.SRLI64 and C.SRAI64
// are the shifts by 0, hints on RV32.
var rv32c = []row{
	// Quadrant 0
	{id: "C.ADDI4SPN", syntax: "rd',sp,nzuimm", bits: "000 nzuimm[5:4|9:6|2|3] rd' 00", as: "ADDI rd' sp nzuimm"},
	{id: "C.LW", syntax: "rd',uimm(rs1')", bits: "010 uimm[5:3] rs1' uimm[2|6] rd' 00", as: "LW rd' uimm rs1'"},
	{id: "C.SW", syntax: "rs2',uimm(rs1')", bits: "110 uimm[5:3] rs1' uimm[2|6] rs2' 00", as: "SW rs2' uimm rs1'"},

	// Quadrant 1
	{id: "C.NOP", syntax: "", bits: "000 0 00000 00000 01", as: "ADDI zero zero 0"},
	{id: "C.NOP_HINT", syntax: "nzimm", bits: "000 nzimm[5] 00000 nzimm[4:0] 01", as: "ADDI zero zero nzimm"},
	{id: "C.ADDI", syntax: "rd/rs1,imm", bits: "000 imm[5] rd/rs1!=0 imm[4:0] 01", as: "ADDI rd/rs1 rd/rs1 imm"},
	{id: "C.JAL", syntax: "offset", bits: "001 offset[11|4|9:8|10|6|7|3:1|5] 01", as: "JAL ra offset"},
	{id: "C.LI", syntax: "rd,imm", bits: "010 imm[5] rd imm[4:0] 01", as: "ADDI rd zero imm"},
	{id: "C.ADDI16SP", syntax: "sp,nzimm", bits: "011 nzimm[9] 00010 nzimm[4|6|8:7|5] 01", as: "ADDI sp sp nzimm"},
	{id: "C.LUI", syntax: "rd,nzupper", bits: "011 nzupper[5] rd!=2 nzupper[4:0] 01", as: "LUI rd nzupper"},
	{id: "C.SRLI", syntax: "rd'/rs1',nzshamt", bits: "100 0 00 rd'/rs1' nzshamt[4:0] 01", as: "SRLI rd'/rs1' rd'/rs1' nzshamt"},
	{id: "C.SRLI64", syntax: "rd'/rs1'", bits: "100 0 00 rd'/rs1' 00000 01", as: "SRLI rd'/rs1' rd'/rs1' 0"},
	{id: "C.SRAI", syntax: "rd'/rs1',nzshamt", bits: "100 0 01 rd'/rs1' nzshamt[4:0] 01", as: "SRAI rd'/rs1' rd'/rs1' nzshamt"},
	{id: "C.SRAI64", syntax: "rd'/rs1'", bits: "100 0 01 rd'/rs1' 00000 01", as: "SRAI rd'/rs1' rd'/rs1' 0"},
	{id: "C.ANDI", syntax: "rd'/rs1',imm", bits: "100 imm[5] 10 rd'/rs1' imm[4:0] 01", as: "ANDI rd'/rs1' rd'/rs1' imm"},
	{id: "C.SUB", syntax: "rd'/rs1',rs2'", bits: "100 0 11 rd'/rs1' 00 rs2' 01", as: "SUB rd'/rs1' rd'/rs1' rs2'"},
	{id: "C.XOR", syntax: "rd'/rs1',rs2'", bits: "100 0 11 rd'/rs1' 01 rs2' 01", as: "XOR rd'/rs1' rd'/rs1' rs2'"},
	{id: "C.OR", syntax: "rd'/rs1',rs2'", bits: "100 0 11 rd'/rs1' 10 rs2' 01", as: "OR rd'/rs1' rd'/rs1' rs2'"},
	{id: "C.AND", syntax: "rd'/rs1',rs2'", bits: "100 0 11 rd'/rs1' 11 rs2' 01", as: "AND rd'/rs1' rd'/rs1' rs2'"},
	{id: "C.J", syntax: "offset", bits: "101 offset[11|4|9:8|10|6|7|3:1|5] 01", as: "JAL zero offset"},
	{id: "C.BEQZ", syntax: "rs1',offset", bits: "110 offset[8|4:3] rs1' offset[7:6|2:1|5] 01", as: "BEQ rs1' zero offset"},
	{id: "C.BNEZ", syntax: "rs1',offset", bits: "111 offset[8|4:3] rs1' offset[7:6|2:1|5] 01", as: "BNE rs1' zero offset"},

	// Quadrant 2
	{id: "C.SLLI", syntax: "rd/rs1,nzshamt", bits: "000 0 rd/rs1 nzshamt[4:0] 10", as: "SLLI rd/rs1 rd/rs1 nzshamt"},
	{id: "C.SLLI64", syntax: "rd/rs1", bits: "000 0 rd/rs1 00000 10", as: "SLLI rd/rs1 rd/rs1 0"},
	{id: "C.LWSP", syntax: "rd,uimm(sp)", bits: "010 uimm[5] rd!=0 uimm[4:2|7:6] 10", as: "LW rd uimm sp"},
	{id: "C.JR", syntax: "rs1", bits: "100 0 rs1!=0 00000 10", as: "JALR zero 0 rs1"},
	{id: "C.MV", syntax: "rd,rs2", bits: "100 0 rd rs2!=0 10", as: "ADD rd zero rs2; ADDI rd rs2 0"},
	{id: "C.EBREAK", syntax: "", bits: "100 1 00000 00000 10", as: "EBREAK"},
	{id: "C.JALR", syntax: "rs1", bits: "100 1 rs1!=0 00000 10", as: "JALR ra 0 rs1"},
	{id: "C.ADD", syntax: "rd/rs1,rs2", bits: "100 1 rd/rs1 rs2!=0 10", as: "ADD rd/rs1 rd/rs1 rs2"},
	{id: "C.SWSP", syntax: "rs2,uimm(sp)", bits: "110 uimm[5:2|7:6] rs2 10", as: "SW rs2 uimm sp"},
}
