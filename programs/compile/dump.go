package compile

import (
	"fmt"
	"strings"

	"simrun/isa"
	"simrun/programs/ir"
)

var opNames = map[Op]string{
	ir.Xor: "xor", ir.And: "and", ir.Or: "or", ir.Not: "not", ir.Add: "add", ir.Sub: "sub", ir.Shl: "shl", ir.Shr: "shr",
	ir.Rotl: "rotl", ir.Perm: "perm", ir.Rev: "rev", ir.Rev16: "rev16", ir.Zext: "zext", ir.Trunc: "trunc",
	ir.Pack: "pack", ir.Lane: "lane", ir.Splat: "splat", ir.ZipLo: "ziplo", ir.ZipHi: "ziphi", ir.Lookup: "lookup",
	OpConst: "const", OpLoad: "load", OpPhi: "phi", OpMerge: "merge", OpBase: "base", OpPublic: "public",
	OpNumber: "number", OpAddr: "addr", OpScale: "scale", OpSum: "sum",
}

// graphText prints the value graph, one node a line: %ID = op args ; width, source line.
func graphText(s *state) string {
	var b strings.Builder
	writeRegion(&b, s.graph.Body, "")
	return b.String()
}

func writeRegion(b *strings.Builder, r *Region, indent string) {
	for _, n := range r.Nodes {
		switch n := n.(type) {
		case *Value:
			fmt.Fprintf(b, "%s%%%d = %s%s\n", indent, n.ID, opNames[n.Op], operands(n))
		case *Store:
			fmt.Fprintf(b, "%sstore %s+%d [%%%d] = %%%d\t; line %d\n", indent, n.Mem.Name, n.Off, n.Addr.ID, n.Val.ID, n.Pos.Line)
		case *Loop:
			fmt.Fprintf(b, "%sloop %%%d turns, carried%s from%s\t; line %d\n", indent, n.Count.ID, ids(n.Phis), ids(n.Init), n.Pos.Line)
			writeRegion(b, n.Body, indent+"  ")
			fmt.Fprintf(b, "%snext%s out%s\n", indent, ids(n.Next), ids(n.Out))
		case *Cond:
			fmt.Fprintf(b, "%sif %%%d %s %%%d\t; line %d\n", indent, n.A.ID, compareNames[n.Compare], n.B.ID, n.Pos.Line)
			writeRegion(b, n.Then, indent+"  ")
			fmt.Fprintf(b, "%sgives%s else\n", indent, ids(n.Then.Results))
			writeRegion(b, n.Else, indent+"  ")
			fmt.Fprintf(b, "%sgives%s out%s\n", indent, ids(n.Else.Results), ids(n.Out))
		}
	}
}

var compareNames = [...]string{ir.Eq: "==", ir.Ne: "!=", ir.Lt: "<", ir.Le: "<=", ir.Gt: ">", ir.Ge: ">="}

func ids(vs []*Value) string {
	s := ""
	for _, v := range vs {
		s += fmt.Sprintf(" %%%d", v.ID)
	}
	return s
}

func operands(v *Value) string {
	s := ids(v.Args)
	switch v.Op {
	case OpConst:
		if v.Width > 64 {
			s += fmt.Sprintf(" %#x_%016x", v.Const.Hi, v.Const.Lo)
		} else {
			s += fmt.Sprintf(" %#x", v.Const.Lo)
		}
	case OpLoad, OpBase:
		s += " " + v.Mem.Name
	case OpPublic:
		s += " " + v.Name
	case ir.Shl, ir.Shr, ir.Rotl, ir.Lane:
		s += fmt.Sprint(" ", v.Imm.N)
	case ir.Perm:
		s += fmt.Sprint(" ", v.Imm.Perm)
	case ir.Lookup:
		s += " " + v.Imm.Table.Name
	}
	if v.Off != 0 || v.Op == OpNumber {
		s += fmt.Sprintf(" %+d", v.Off)
	}
	return fmt.Sprintf("%s\t; w%d line %d", s, v.Width, v.Pos.Line)
}

// procText prints code on virtual or physical registers.
func procText(s *state, code []MInst) string {
	var b strings.Builder
	for i := range code {
		m := &code[i]
		switch m.Kind {
		case KindInst:
			fmt.Fprintf(&b, "\t%s\n", instText(s.target.Arch, m))
		case KindLabel:
			fmt.Fprintf(&b, "%s:\n", m.Note)
		case KindLoopBegin:
			fmt.Fprintf(&b, "loop carried%s from%s\n", regNames(m.Loop.Phis), regNames(m.Loop.Init))
		case KindLoopEnd:
			fmt.Fprintf(&b, "next%s out%s\n", regNames(m.Loop.Next), regNames(m.Loop.Out))
		case KindCondBegin:
			fmt.Fprintf(&b, "then\n")
		case KindCondElse:
			fmt.Fprintf(&b, "gives%s else\n", regNames(m.Cond.Then))
		case KindCondEnd:
			fmt.Fprintf(&b, "gives%s out%s\n", regNames(m.Cond.Else), regNames(m.Cond.Out))
		case KindPin:
			for _, p := range m.Pins {
				fmt.Fprintf(&b, "\tv%d in %s\n", idx(p.V), s.target.Arch.RegName(p.R))
			}
		}
	}
	return b.String()
}

func regNames(vs []int64) string {
	s := ""
	for _, v := range vs {
		s += fmt.Sprintf(" v%d", idx(v))
	}
	return s
}

// instText prints an instruction; virtual registers appear as vN in an operand list of our own.
func instText(a isa.Arch, m *MInst) string {
	virtual := false
	m.Uses(func(slot int, _ *isa.Operand) { virtual = virtual || isVirtual(m.Args[slot]) })
	if !virtual {
		return noted(a.Print(m.Inst), m.Note)
	}
	var args []string
	for i := range m.Form.Ops {
		op := &m.Form.Ops[i]
		switch x := m.Args[i]; {
		case op.Kind != isa.KindReg:
			args = append(args, fmt.Sprintf("%s=%d", op.Name, x))
		case isVirtual(x):
			args = append(args, fmt.Sprintf("%s=v%d", op.Name, idx(x)))
		default:
			args = append(args, fmt.Sprintf("%s=%s", op.Name, a.RegName(isa.Reg(x))))
		}
	}
	if m.Tied != 0 {
		args = append(args, fmt.Sprintf("before=v%d", idx(m.Tied)))
	}
	return noted(m.Form.Mnemonic+" "+strings.Join(args, " "), m.Note)
}

func noted(text, note string) string {
	if note == "" {
		return text
	}
	return text + "\t; " + note
}

// listing prints the finished block in GNU syntax.
func listing(s *state) string {
	var b strings.Builder
	if err := isa.WriteGNU(&b, s.target.Arch, []*isa.Block{s.block}); err != nil {
		return err.Error()
	}
	return b.String()
}

// OpName names an operation in messages.
func OpName(op Op) string { return opNames[op] }
