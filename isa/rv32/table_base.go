package rv32

import "simrun/isa"

const (
	branch = isa.Branch | isa.Cond
	amo    = isa.Load | isa.Store
	csr    = isa.ReadsClock | isa.System
)

// Chapter 24, RV32I base instruction set.
var rv32i = []row{
	{"LUI", "rd,upper", "upper[19:0] rd 0110111", "alu", 0, kLui, ""},
	{"AUIPC", "rd,upper", "upper[19:0] rd 0010111", "alu", 0, kAuipc, ""},
	{"JAL", "rd,offset", "offset[20|10:1|11|19:12] rd 1101111", "branch.jump", isa.Branch, kJal, ""},
	{"JALR", "rd,imm(rs1)", "imm[11:0] rs1 000 rd 1100111", "branch.reg", isa.Branch, kJalr, ""},
	{"BEQ", "rs1,rs2,offset", "offset[12|10:5] rs2 rs1 000 offset[4:1|11] 1100011", "branch.cond", branch | isa.Commute, kBeq, ""},
	{"BNE", "rs1,rs2,offset", "offset[12|10:5] rs2 rs1 001 offset[4:1|11] 1100011", "branch.cond", branch | isa.Commute, kBne, ""},
	{"BLT", "rs1,rs2,offset", "offset[12|10:5] rs2 rs1 100 offset[4:1|11] 1100011", "branch.cond", branch, kBlt, ""},
	{"BGE", "rs1,rs2,offset", "offset[12|10:5] rs2 rs1 101 offset[4:1|11] 1100011", "branch.cond", branch, kBge, ""},
	{"BLTU", "rs1,rs2,offset", "offset[12|10:5] rs2 rs1 110 offset[4:1|11] 1100011", "branch.cond", branch, kBltu, ""},
	{"BGEU", "rs1,rs2,offset", "offset[12|10:5] rs2 rs1 111 offset[4:1|11] 1100011", "branch.cond", branch, kBgeu, ""},
	{"LB", "rd,imm(rs1)", "imm[11:0] rs1 000 rd 0000011", "load.byte", isa.Load, kLb, ""},
	{"LH", "rd,imm(rs1)", "imm[11:0] rs1 001 rd 0000011", "load.half", isa.Load, kLh, ""},
	{"LW", "rd,imm(rs1)", "imm[11:0] rs1 010 rd 0000011", "load.word", isa.Load, kLw, ""},
	{"LBU", "rd,imm(rs1)", "imm[11:0] rs1 100 rd 0000011", "load.byte", isa.Load, kLbu, ""},
	{"LHU", "rd,imm(rs1)", "imm[11:0] rs1 101 rd 0000011", "load.half", isa.Load, kLhu, ""},
	{"SB", "rs2,imm(rs1)", "imm[11:5] rs2 rs1 000 imm[4:0] 0100011", "store.byte", isa.Store, kSb, ""},
	{"SH", "rs2,imm(rs1)", "imm[11:5] rs2 rs1 001 imm[4:0] 0100011", "store.half", isa.Store, kSh, ""},
	{"SW", "rs2,imm(rs1)", "imm[11:5] rs2 rs1 010 imm[4:0] 0100011", "store.word", isa.Store, kSw, ""},
	{"ADDI", "rd,rs1,imm", "imm[11:0] rs1 000 rd 0010011", "alu", 0, kAddi, ""},
	{"SLTI", "rd,rs1,imm", "imm[11:0] rs1 010 rd 0010011", "alu", 0, kSlti, ""},
	{"SLTIU", "rd,rs1,imm", "imm[11:0] rs1 011 rd 0010011", "alu", 0, kSltiu, ""},
	{"XORI", "rd,rs1,imm", "imm[11:0] rs1 100 rd 0010011", "alu", 0, kXori, ""},
	{"ORI", "rd,rs1,imm", "imm[11:0] rs1 110 rd 0010011", "alu", 0, kOri, ""},
	{"ANDI", "rd,rs1,imm", "imm[11:0] rs1 111 rd 0010011", "alu", 0, kAndi, ""},
	{"SLLI", "rd,rs1,shamt", "0000000 shamt[4:0] rs1 001 rd 0010011", "shift", 0, kSlli, ""},
	{"SRLI", "rd,rs1,shamt", "0000000 shamt[4:0] rs1 101 rd 0010011", "shift", 0, kSrli, ""},
	{"SRAI", "rd,rs1,shamt", "0100000 shamt[4:0] rs1 101 rd 0010011", "shift", 0, kSrai, ""},
	{"ADD", "rd,rs1,rs2", "0000000 rs2 rs1 000 rd 0110011", "alu", isa.Commute, kAdd, ""},
	{"SUB", "rd,rs1,rs2", "0100000 rs2 rs1 000 rd 0110011", "alu", 0, kSub, ""},
	{"SLL", "rd,rs1,rs2", "0000000 rs2 rs1 001 rd 0110011", "shift", 0, kSll, ""},
	{"SLT", "rd,rs1,rs2", "0000000 rs2 rs1 010 rd 0110011", "alu", 0, kSlt, ""},
	{"SLTU", "rd,rs1,rs2", "0000000 rs2 rs1 011 rd 0110011", "alu", 0, kSltu, ""},
	{"XOR", "rd,rs1,rs2", "0000000 rs2 rs1 100 rd 0110011", "alu", isa.Commute, kXor, ""},
	{"SRL", "rd,rs1,rs2", "0000000 rs2 rs1 101 rd 0110011", "shift", 0, kSrl, ""},
	{"SRA", "rd,rs1,rs2", "0100000 rs2 rs1 101 rd 0110011", "shift", 0, kSra, ""},
	{"OR", "rd,rs1,rs2", "0000000 rs2 rs1 110 rd 0110011", "alu", isa.Commute, kOr, ""},
	{"AND", "rd,rs1,rs2", "0000000 rs2 rs1 111 rd 0110011", "alu", isa.Commute, kAnd, ""},
	{"FENCE", "pred,succ", "0000 pred[3:0]!=0 succ[3:0]!=0 00000 000 00000 0001111", "fence", isa.System, kFence, ""},
	{"FENCE.TSO", "", "1000 0011 0011 00000 000 00000 0001111", "fence", isa.System, kFence, ""},
	{"ECALL", "", "000000000000 00000 000 00000 1110011", "system", isa.System, kEcall, ""},
	{"EBREAK", "", "000000000001 00000 000 00000 1110011", "system", isa.System, kEbreak, ""},
}

var zifencei = []row{
	{"FENCE.I", "", "000000000000 00000 001 00000 0001111", "fence", isa.System, kFenceI, ""},
}

// Every CSR row counts as reading the clock: which CSR it names is an operand.
var zicsr = []row{
	{"CSRRW", "rd,csr,rs1", "csr[11:0] rs1 001 rd 1110011", "csr", csr, kCsrrw, ""},
	{"CSRRS", "rd,csr,rs1", "csr[11:0] rs1 010 rd 1110011", "csr", csr, kCsrrs, ""},
	{"CSRRC", "rd,csr,rs1", "csr[11:0] rs1 011 rd 1110011", "csr", csr, kCsrrc, ""},
	{"CSRRWI", "rd,csr,uimm", "csr[11:0] uimm[4:0] 101 rd 1110011", "csr", csr, kCsrrwi, ""},
	{"CSRRSI", "rd,csr,uimm", "csr[11:0] uimm[4:0] 110 rd 1110011", "csr", csr, kCsrrsi, ""},
	{"CSRRCI", "rd,csr,uimm", "csr[11:0] uimm[4:0] 111 rd 1110011", "csr", csr, kCsrrci, ""},
}

var rv32m = []row{
	{"MUL", "rd,rs1,rs2", "0000001 rs2 rs1 000 rd 0110011", "mul", isa.Commute, kMul, ""},
	{"MULH", "rd,rs1,rs2", "0000001 rs2 rs1 001 rd 0110011", "mul", isa.Commute, kMulh, ""},
	{"MULHSU", "rd,rs1,rs2", "0000001 rs2 rs1 010 rd 0110011", "mul", 0, kMulhsu, ""},
	{"MULHU", "rd,rs1,rs2", "0000001 rs2 rs1 011 rd 0110011", "mul", isa.Commute, kMulhu, ""},
	{"DIV", "rd,rs1,rs2", "0000001 rs2 rs1 100 rd 0110011", "div", 0, kDiv, ""},
	{"DIVU", "rd,rs1,rs2", "0000001 rs2 rs1 101 rd 0110011", "div", 0, kDivu, ""},
	{"REM", "rd,rs1,rs2", "0000001 rs2 rs1 110 rd 0110011", "div", 0, kRem, ""},
	{"REMU", "rd,rs1,rs2", "0000001 rs2 rs1 111 rd 0110011", "div", 0, kRemu, ""},
}

// The two bits aq and rl are one operand, printed as a suffix of the mnemonic: see aqrlSuffixes.
var rv32a = []row{
	{"LR.W", "rd,(rs1)", "00010 aqrl[1:0] 00000 rs1 010 rd 0101111", "amo.lr", isa.Load, kLr, ""},
	{"SC.W", "rd,rs2,(rs1)", "00011 aqrl[1:0] rs2 rs1 010 rd 0101111", "amo.sc", isa.Store, kSc, ""},
	{"AMOSWAP.W", "rd,rs2,(rs1)", "00001 aqrl[1:0] rs2 rs1 010 rd 0101111", "amo.swap", amo, kAmoswap, ""},
	{"AMOADD.W", "rd,rs2,(rs1)", "00000 aqrl[1:0] rs2 rs1 010 rd 0101111", "amo.add", amo, kAmoadd, ""},
	{"AMOXOR.W", "rd,rs2,(rs1)", "00100 aqrl[1:0] rs2 rs1 010 rd 0101111", "amo.logic", amo, kAmoxor, ""},
	{"AMOAND.W", "rd,rs2,(rs1)", "01100 aqrl[1:0] rs2 rs1 010 rd 0101111", "amo.logic", amo, kAmoand, ""},
	{"AMOOR.W", "rd,rs2,(rs1)", "01000 aqrl[1:0] rs2 rs1 010 rd 0101111", "amo.logic", amo, kAmoor, ""},
	{"AMOMIN.W", "rd,rs2,(rs1)", "10000 aqrl[1:0] rs2 rs1 010 rd 0101111", "amo.minmax", amo, kAmomin, ""},
	{"AMOMAX.W", "rd,rs2,(rs1)", "10100 aqrl[1:0] rs2 rs1 010 rd 0101111", "amo.minmax", amo, kAmomax, ""},
	{"AMOMINU.W", "rd,rs2,(rs1)", "11000 aqrl[1:0] rs2 rs1 010 rd 0101111", "amo.minmax", amo, kAmominu, ""},
	{"AMOMAXU.W", "rd,rs2,(rs1)", "11100 aqrl[1:0] rs2 rs1 010 rd 0101111", "amo.minmax", amo, kAmomaxu, ""},
}

// Volume II, section 3.3.
var privileged = []row{
	{"MRET", "", "0011000 00010 00000 000 00000 1110011", "system", isa.System | isa.Branch, kMret, ""},
	{"WFI", "", "0001000 00101 00000 000 00000 1110011", "system", isa.System, kWfi, ""},
}
