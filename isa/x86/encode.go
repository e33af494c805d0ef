package x86

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/twitchyliquid64/golang-asm/obj"
	x86o "github.com/twitchyliquid64/golang-asm/obj/x86"
	"github.com/twitchyliquid64/golang-asm/objabi"
	"golang.org/x/arch/x86/x86asm"

	_ "simrun/internal/asmenv" // golang-asm aborts over environment variables
	"simrun/isa"
)

// A piece is the code of one instruction. If rip > 0 the four bytes there are the displacement
// of a RIP-relative operand.
type piece struct {
	code []byte
	rip  int
}

// initOnce fills the assembler's global tables, which it does not guard.
var initOnce sync.Once

// newLink returns a context of golang-asm whose complaints go to errs. IsAsm switches off
// the padding of jumps (Intel erratum SKX102), which would add instructions of its own.
func newLink(errs *[]string) *obj.Link {
	initOnce.Do(func() { x86o.Linkamd64.Init(newContext()) })
	ctxt := newContext()
	ctxt.DiagFunc = func(format string, args ...any) {
		*errs = append(*errs, fmt.Sprintf(format, args...))
	}
	return ctxt
}

func newContext() *obj.Link {
	ctxt := obj.Linknew(&x86o.Linkamd64)
	ctxt.Headtype = objabi.Hlinux
	ctxt.IsAsm = true
	return ctxt
}

// encodeAll encodes instructions in one run of the assembler, one piece each. Relative
// branches get an empty piece: their bytes depend on the layout.
func encodeAll(ins []*isa.Inst) ([]piece, error) {
	var errs []string
	ctxt := newLink(&errs)
	pieces := make([]piece, len(ins))
	progs := make([]*obj.Prog, len(ins)) // nil where the row encodes itself
	pool := make([]obj.Prog, len(ins))
	var last *obj.Prog
	for i, in := range ins {
		r := rowOf(in)
		if err := r.check(in); err != nil {
			return nil, err
		}
		switch {
		case r.relative():
		case r.own != nil:
			pieces[i] = r.own(r, in)
		default:
			progs[i] = &pool[i]
			r.fill(ctxt, progs[i], last, in)
			last = progs[i]
		}
	}
	code := &obj.LSym{Func: &obj.FuncInfo{Text: firstOf(progs)}}
	x86o.Linkamd64.Assemble(ctxt, code, ctxt.NewProg)
	if len(errs) > 0 {
		return nil, fmt.Errorf("the assembler refuses it: %s", strings.Join(errs, "; "))
	}
	cut(pieces, progs, code)
	for i, in := range ins {
		pieces[i].addPrefixes(rowOf(in), in)
	}
	return pieces, nil
}

func firstOf(progs []*obj.Prog) *obj.Prog {
	for _, p := range progs {
		if p != nil {
			return p
		}
	}
	return nil
}

// cut divides the assembled function into the pieces of its instructions.
func cut(pieces []piece, progs []*obj.Prog, code *obj.LSym) {
	relocs := code.R
	for i, p := range progs {
		if p == nil {
			continue
		}
		end := p.Pc + int64(p.Isize)
		pieces[i].code = code.P[p.Pc:end:end]
		if len(relocs) > 0 && int64(relocs[0].Off) < end {
			pieces[i].rip = int(int64(relocs[0].Off) - p.Pc)
			relocs = relocs[1:]
		}
	}
}

// addPrefixes puts LOCK or REP behind an operand size prefix and FS before all, as the GNU assembler does.
func (p *piece) addPrefixes(r *row, in *isa.Inst) {
	insert := func(at int, b byte) {
		p.code = slices.Insert(p.code, at, b)
		if p.rip > 0 {
			p.rip++
		}
	}
	if r.prefix != 0 {
		at := 0
		if p.code[0] == 0x66 {
			at = 1
		}
		insert(at, r.prefix)
	}
	if m := r.mem(); m >= 0 && in.Args[m+2]&SegFS != 0 {
		insert(0, 0x64)
	}
}

// relative reports whether the row is a branch relative to its own address.
func (r *row) relative() bool {
	return r.kind == kJmp || r.kind == kJcc || r.kind == kCall || r.kind == kJcount
}

// pcSymbol stands for every RIP-relative target; the layout fills in the distance.
var pcSymbol = &obj.LSym{Name: "target"}

// fill makes p the instruction that follows last. Operands go into Go order: sources first, except
// for CMP; an immediate of three operands comes first of all.
func (r *row) fill(ctxt *obj.Link, p, last *obj.Prog, in *isa.Inst) {
	p.Ctxt, p.As = ctxt, r.as
	if last != nil {
		last.Link = p
	}
	ops := make([]obj.Addr, len(r.operands))
	for i, o := range r.operands {
		ops[i] = r.addr(o, in)
	}
	switch {
	case len(ops) == 1 && sourceOnly[r.kind]:
		p.From = ops[0]
	case len(ops) == 1:
		p.To = ops[0]
	case len(ops) == 2 && r.Mnemonic == "cmp":
		p.From, p.To = ops[0], ops[1]
	case len(ops) == 2:
		p.From, p.To = ops[1], ops[0]
	case len(ops) == 3:
		p.From, p.RestArgs, p.To = ops[2], ops[1:2], ops[0]
	}
}

// sourceOnly are the kinds whose only operand is a source to golang-asm.
var sourceOnly = [kLast]bool{
	kNop: true, kPush: true, kPushImm: true, kPushM: true, kMulR: true, kMulM: true, kImulR: true, kImulM: true,
	kDivR: true, kDivM: true, kIdivR: true, kIdivM: true, kLdmxcsr: true, kFldcw: true,
}

func (r *row) addr(o operand, in *isa.Inst) obj.Addr {
	switch o.what {
	case opCL:
		return obj.Addr{Type: obj.TYPE_REG, Reg: x86o.REG_CX}
	case opOne:
		return obj.Addr{Type: obj.TYPE_CONST, Offset: 1}
	case opX0:
		return obj.Addr{Type: obj.TYPE_REG, Reg: x86o.REG_X0}
	}
	v := in.Args[o.slot]
	switch o.what {
	case opReg:
		if o.size == 1 && isa.Reg(v) == RAX { // else it misses the short forms for AL; it knows no name for SPL
			return obj.Addr{Type: obj.TYPE_REG, Reg: x86o.REG_AL}
		}
		return obj.Addr{Type: obj.TYPE_REG, Reg: x86o.REG_AX + int16(v)}
	case opHigh:
		return obj.Addr{Type: obj.TYPE_REG, Reg: x86o.REG_AH + int16(v)}
	case opXmm:
		return obj.Addr{Type: obj.TYPE_REG, Reg: x86o.REG_X0 + int16(v) - int16(X0)}
	case opMem:
		return memAddr(in.Args[o.slot:])
	}
	if r.kind == kVecI || signedByte[r.op] {
		v = int64(int8(v))
	}
	return obj.Addr{Type: obj.TYPE_CONST, Offset: v}
}

// signedByte are the instructions, besides vector shifts, whose byte golang-asm wants signed.
var signedByte = map[x86asm.Op]bool{x86asm.SHLD: true, x86asm.SHRD: true, x86asm.BT: true, x86asm.BTS: true, x86asm.BTR: true, x86asm.BTC: true}

func memAddr(m []int64) obj.Addr {
	base, index, scale, disp := isa.Reg(m[0]), isa.Reg(m[1]), m[2]&^SegFS, m[3]
	if base == RIP {
		return obj.Addr{Type: obj.TYPE_MEM, Name: obj.NAME_EXTERN, Sym: pcSymbol}
	}
	a := obj.Addr{Type: obj.TYPE_MEM, Offset: disp}
	if base != isa.NoReg {
		a.Reg = x86o.REG_AX + int16(base)
	}
	if index != isa.NoReg {
		a.Index, a.Scale = x86o.REG_AX+int16(index), int16(scale)
	}
	return a
}

func rowOf(in *isa.Inst) *row { return rows[in.Form.Num] }

// checkForm refuses instructions of another table.
func checkForm(in *isa.Inst) error {
	switch f := in.Form; {
	case f == nil:
		return errors.New("no instruction")
	case f.Num >= len(rows) || f != forms[f.Num]:
		return fmt.Errorf("%s is no x86 form", f.ID)
	}
	return nil
}

// Encode needs labels resolved: Sym must be empty. A branch takes the short form if the
// distance from pc allows it.
func (*arch) Encode(in isa.Inst, pc uint64) ([]byte, error) {
	if err := checkForm(&in); err != nil {
		return nil, err
	}
	if in.Sym != "" {
		return nil, fmt.Errorf("%s: label %s has no address; assemble the whole program", in.Form.ID, in.Sym)
	}
	r := rowOf(&in)
	if r.relative() {
		if err := r.checkDistance(uint64(in.Args[0]) - pc - uint64(r.branchSize(true))); err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, err)
		}
		return relative(r, &in, pc), nil
	}
	pieces, err := encodeAll([]*isa.Inst{&in})
	if err != nil {
		return nil, err
	}
	p := pieces[0]
	if p.rip > 0 {
		binary.LittleEndian.PutUint32(p.code[p.rip:], uint32(in.Args[r.mem()+3]))
	}
	return p.code, nil
}

// checkDistance takes the distance from the end of the instruction.
func (r *row) checkDistance(d uint64) error {
	if r.kind == kJcount && int64(d) != int64(int8(d)) {
		return fmt.Errorf("target is %d bytes away, more than 8 bits reach", int64(d))
	}
	if int64(d) != int64(int32(d)) {
		return fmt.Errorf("target is %d bytes away, more than 32 bits reach", int64(d))
	}
	return nil
}
