package rv32

import (
	"fmt"
	"strings"

	"simrun/isa"
)

// aqrlSuffixes are the ordering suffixes of A rows by the value of the bits aq, rl.
var aqrlSuffixes = [4]string{"", ".rl", ".aq", ".aqrl"}

// fenceBits are the letters of FENCE's operand, highest bit first.
const fenceBits = "iorw"

// Print gives one instruction in GNU syntax without aliases: compressed forms by their own
// names, c.xor. Mode says what the assembler must be told to keep the size of others.
func (Arch) Print(in isa.Inst) string {
	e := entries[in.Form.Num]
	var b strings.Builder
	b.WriteString(in.Form.Mnemonic)
	if i := e.operandIndex(aqrl); i >= 0 {
		b.WriteString(aqrlSuffixes[in.Args[i]&3])
	}
	if in.Form.Syntax != "" {
		b.WriteByte(' ')
	}
	for _, word := range splitTemplate(in.Form.Syntax) {
		if i := e.operandIndex(word); i >= 0 {
			b.WriteString(operandText(in, i))
		} else {
			b.WriteString(word)
		}
	}
	return b.String()
}

// Mode returns the directive that must be in force where in stands, so that the assembler
// keeps its size: it compresses what it can under rvc and refuses c.* under norvc. "" if
// either will do.
func (Arch) Mode(in isa.Inst) string {
	if in.Form.Feature == "c" {
		return "\t.option rvc"
	}
	if _, ok := compressAnywhere(in); ok {
		return "\t.option norvc"
	}
	return ""
}

// splitTemplate cuts an operand template into words and punctuation.
func splitTemplate(t string) []string {
	var out []string
	for t != "" {
		n := strings.IndexAny(t, ",()")
		switch n {
		case -1:
			return append(out, t)
		case 0:
			n = 1
		}
		out = append(out, t[:n])
		t = t[n:]
	}
	return out
}

func (e *entry) operandIndex(name string) int {
	for i := range e.form.Ops {
		if e.form.Ops[i].Name == name {
			return i
		}
	}
	return -1
}

func operandText(in isa.Inst, i int) string {
	v, op := in.Args[i], &in.Form.Ops[i]
	switch {
	case op.Kind == isa.KindReg:
		return (Arch{}).RegName(isa.Reg(v))
	case in.Sym != "" && (op.Kind == isa.KindLabel || isReloc(in.Sym) && takesReloc(op.Name)):
		return in.Sym
	case op.Kind == isa.KindLabel:
		return fmt.Sprintf("0x%x", uint32(v))
	}
	switch op.Name {
	case "csr":
		return csrName(uint16(v))
	case "pred", "succ":
		return fenceText(v)
	case "upper", "nzupper", "shamt", "nzshamt":
		return fmt.Sprintf("0x%x", v)
	}
	return fmt.Sprint(v)
}

func fenceText(v int64) string {
	var b strings.Builder
	for i, c := range fenceBits {
		if v>>(3-i)&1 != 0 {
			b.WriteRune(c)
		}
	}
	return b.String()
}
