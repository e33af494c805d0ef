package rv32

import "simrun/isa"

// kind is the semantics of a row: what the executor does with a step. The order matters:
// plain rows, which stay in the hot loop, stand before kBeq, rows that end a straight run from
// there on.
//
// In a step, D is rd (sink for x0), A is rs1, B is rs2, Imm the immediate as 32 bits (of
// branches and JAL: the target), Imm2 the address behind the instruction and C the address
// bits that must be zero in an access.
type kind uint16

const (
	kLui kind = iota // rd = Imm; AUIPC is this kind too once the PC is known
	kAuipc
	kAddi
	kSlti
	kSltiu
	kXori
	kOri
	kAndi
	kSlli
	kSrli
	kSrai
	kAdd
	kSub
	kSll
	kSlt
	kSltu
	kXor
	kSrl
	kSra
	kOr
	kAnd
	kMul
	kRori
	kLw
	kSw
	kLb
	kLh
	kLbu
	kLhu
	kSb
	kSh
	kMulh
	kMulhsu
	kMulhu
	kDiv
	kDivu
	kRem
	kRemu
	kLr
	kSc
	kAmoswap
	kAmoadd
	kAmoxor
	kAmoand
	kAmoor
	kAmomin
	kAmomax
	kAmominu
	kAmomaxu
	kSh1add
	kSh2add
	kSh3add
	kClz
	kCtz
	kCpop
	kMax
	kMaxu
	kMin
	kMinu
	kSextb
	kSexth
	kOrcb
	kAndn
	kOrn
	kXnor
	kRol
	kRor
	kRev8
	kZexth
	kPack
	kPackh
	kBrev8
	kZip
	kUnzip

	kBeq
	kBne
	kBlt
	kBge
	kBltu
	kBgeu
	kJal
	kJalr
	kCsrrw
	kCsrrs
	kCsrrc
	kCsrrwi
	kCsrrsi
	kCsrrci
	kFence
	kFenceI
	kEcall
	kEbreak
	kMret
	kWfi
)

func (k kind) endsRun() bool { return k >= kBeq }

// sink is the register file slot that takes writes to x0.
const sink = 63

// Timing classes that depend on the operands of JAL and JALR.
const (
	classCall    = "branch.call"
	classReturn  = "branch.return"
	classRegCall = "branch.reg.call"
)

// refine gives class and flags that a jump has because of its registers, by the hint convention
// of return-address stacks (manual section 2.5): JAL or JALR that links to x1 or x5 is a
// call, JALR from there without a link is a return. class is "" where nothing changes.
func refine(e *entry, args [isa.MaxArgs]int64) (class string, flags isa.FormFlags) {
	rd := isa.Reg(args[0])
	switch {
	case e.kind == kJal && isLink(rd):
		return classCall, isa.Call
	case e.kind == kJalr && isLink(rd):
		return classRegCall, isa.Call
	case e.kind == kJalr && rd == Zero && isLink(isa.Reg(args[2])):
		return classReturn, isa.Return
	}
	return "", 0
}

// newStep makes the executor's form of an instruction at pc. in is a base instruction, size the
// bytes of the code it came from. Misaligned accesses fault if aligned is set.
func newStep(in isa.Inst, pc uint32, size int, aligned bool) isa.Step {
	e := entries[in.Form.Num]
	s := isa.Step{
		Kind: uint16(e.kind), D: sink, Size: uint8(size),
		Imm2: pc + uint32(size), Num: uint16(in.Form.Num),
	}
	for i, op := range in.Form.Ops {
		v := in.Args[i]
		switch op.Name {
		case "rd":
			if v != 0 {
				s.D = uint8(v)
			}
		case "rs1":
			s.A = uint8(v)
		case "rs2":
			s.B = uint8(v)
		case "csr":
			s.Imm = uint64(v)
		case "uimm": // CSR rows
			s.A = uint8(v)
		case "upper":
			s.Imm = uint64(uint32(v) << 12)
		case "imm", "shamt", "offset":
			s.Imm = uint64(uint32(v))
		}
	}
	if e.kind == kAuipc {
		s.Kind, s.Imm = uint16(kLui), uint64(pc+uint32(s.Imm))
	}
	if n := accessSize(e.form.Flags, e.kind); aligned && n > 1 || e.form.Feature == "a" {
		s.C = uint8(n - 1)
	}
	return s
}

// accessSize is the number of bytes that a memory row moves, 0 for other rows.
func accessSize(flags isa.FormFlags, k kind) int {
	switch {
	case flags&(isa.Load|isa.Store) == 0:
		return 0
	case k == kLb || k == kLbu || k == kSb:
		return 1
	case k == kLh || k == kLhu || k == kSh:
		return 2
	}
	return 4
}

// classNum is the index of each name in classes.
var classNum = func() map[string]uint16 {
	m := make(map[string]uint16, len(classes))
	for i, c := range classes {
		m[c] = uint16(i)
	}
	return m
}()

// newStatic says what a pipeline may know of in, which expands to b.
func newStatic(in, b isa.Inst, pc uint32, size int) isa.Static {
	t := isa.Static{
		PC: uint64(pc), Form: in.Form, Size: uint8(size),
		Flags: in.Form.Flags, R: [4]isa.Reg{isa.NoReg, isa.NoReg, isa.NoReg, isa.NoReg},
		W: [2]isa.Reg{isa.NoReg, isa.NoReg},
	}
	class := in.Form.Class
	if c, flags := refine(entries[b.Form.Num], b.Args); c != "" {
		class = c
		t.Flags |= flags
	}
	t.Class = classNum[class]
	if t.Flags&(isa.Load|isa.Store) != 0 {
		t.Words = 1
	}
	nr := 0
	for i, op := range b.Form.Ops {
		switch {
		case op.Kind == isa.KindLabel:
			t.Imm = int64(int32(uint32(b.Args[i]) - pc))
		case op.Kind == isa.KindImm:
			t.Imm = b.Args[i]
		case b.Args[i] == 0: // x0 is no dependence
		case op.Role == isa.Write:
			t.W[0] = isa.Reg(b.Args[i])
			t.Dst = t.Dst.With(t.W[0])
		default:
			t.R[nr] = isa.Reg(b.Args[i])
			t.Src = t.Src.With(t.R[nr])
			if op.Addr {
				t.Addr = t.Addr.With(t.R[nr])
			}
			nr++
		}
	}
	return t
}
