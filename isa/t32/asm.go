package t32

import (
	"fmt"
	"strconv"
	"strings"

	"simrun/isa"
)

// Print gives one instruction in unified syntax, with the width suffix that makes the GNU assembler
// choose this row.
func (Arch) Print(in isa.Inst) string {
	e := encodings[in.Form.Num]
	if e.noText(&in) {
		if w, err := e.encode(&in, 0); err == nil {
			return fmt.Sprintf(".inst.%c\t0x%0*x", "nw"[e.size/4], 2*e.size, w)
		}
	}
	var b strings.Builder
	b.WriteString(e.mnemonic(&in))
	sep := "\t"
	for _, t := range e.syntax {
		if t.optional && in.Args[t.slot] == 0 {
			continue
		}
		b.WriteString(sep)
		sep = ""
		b.WriteString(t.text)
		if t.slot >= 0 {
			b.WriteString(e.printOperand(&in, t.slot))
		}
	}
	return b.String()
}

// noText reports the encodings that no assembly text stands for: an offset of -0 that the GNU
// assembler reads as +0, and ADD and SUB T1 where T2 takes it.
func (e *encoding) noText(in *isa.Inst) bool {
	if e == encAddT1 || e == encSubT1 {
		return in.Args[0] == in.Args[1]
	}
	i := e.slot('i')
	return i >= 0 && in.Args[i] == NegZero
}

// mnemonic joins name, condition and width. Of the rows that set the flags outside IT only, the
// "s" goes inside.
func (e *encoding) mnemonic(in *isa.Inst) string {
	base, width, wide := strings.Cut(e.form.Mnemonic, ".")
	switch {
	case e == encIT:
		return base + itPattern(uint8(in.Args[1]), uint8(in.Args[0]))
	case e.itFlag && in.Cond != 0:
		base = strings.TrimSuffix(base, "s")
	}
	if i := e.slot('c'); i >= 0 {
		base += condNames[in.Args[i]&15%15]
	}
	if in.Cond != 0 && in.Cond <= 1+AL {
		base += condNames[in.Cond-1]
	}
	if wide {
		base += "." + width
	}
	return base
}

// itPattern gives the letters behind "it": t where a mask bit equals bit 0 of the condition.
func itPattern(cond, mask uint8) string {
	s := ""
	for ; mask&7 != 0; mask = mask << 1 & 15 {
		if mask>>3 == cond&1 {
			s += "t"
		} else {
			s += "e"
		}
	}
	return s
}

// itMask is the reverse of itPattern.
func itMask(cond uint8, pattern string) (uint8, bool) {
	mask, bit := uint8(0), uint8(8)
	for _, c := range pattern {
		if c != 't' && c != 'e' || bit == 1 {
			return 0, false
		}
		if (c == 't') == (cond&1 != 0) {
			mask |= bit
		}
		bit >>= 1
	}
	return mask | bit, true
}

var shiftNames = [4]string{"lsl", "lsr", "asr", "ror"}

func (e *encoding) printOperand(in *isa.Inst, slot int) string {
	op, v := &e.form.Ops[slot], in.Args[slot]
	if p := printers[op.Name]; p != nil {
		return p(e, v)
	}
	switch op.Kind {
	case isa.KindReg:
		if v >= isa.VirtBase {
			return fmt.Sprintf("v%d", v-isa.VirtBase)
		}
		if op.Class == isa.FPR {
			return e.floatName(slot, isa.Reg(v))
		}
		return regName(isa.Reg(v))
	case isa.KindList:
		return printList(v)
	case isa.KindLabel:
		if in.Sym != "" {
			return in.Sym
		}
		return fmt.Sprintf("%#x", v&^negZeroLabel)
	}
	return printNumber(v)
}

// printNumber writes large numbers in hexadecimal.
func printNumber(v int64) string {
	if v > 4095 {
		return fmt.Sprintf("%#x", v)
	}
	return strconv.FormatInt(v, 10)
}

func printList(v int64) string {
	var names []string
	for r := range isa.Reg(16) {
		if v>>r&1 != 0 {
			names = append(names, regNames[r])
		}
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// printers are the operands that are not plain numbers, by name.
var printers = map[string]func(e *encoding, v int64) string{
	"shift":    func(_ *encoding, v int64) string { return printShift(v) },
	"satshift": func(_ *encoding, v int64) string { return printShift(v) },
	"rotate":   func(_ *encoding, v int64) string { return fmt.Sprintf(", ror #%d", v) },
	"lsl":      func(_ *encoding, v int64) string { return fmt.Sprintf(", lsl #%d", v) },
	"barrier":  func(_ *encoding, v int64) string { return barrierNames[v&15] },
	"sync": func(_ *encoding, v int64) string {
		if v == 15 {
			return "sy"
		}
		return fmt.Sprintf("#%d", v)
	},
	"iflags": func(_ *encoding, v int64) string { return [4]string{"", "f", "i", "if"}[v&3] },
	"sysm": func(e *encoding, v int64) string {
		name := sysNames[uint8(v)]
		if e.form.ID == "MSR_T1" && strings.HasSuffix(name, "psr") && v < 4 {
			name += "_nzcvq"
		}
		return name
	},
	"psr_g":      func(_ *encoding, v int64) string { return sysNames[uint8(v)] + "_g" },
	"psr_nzcvqg": func(_ *encoding, v int64) string { return sysNames[uint8(v)] + "_nzcvqg" },
	"slist":      printFloatList("s", 1),
	"dlist":      printFloatList("d", 2),
	"fpconst":    printFloat,
	"firstcond":  func(_ *encoding, v int64) string { return condNames[v&15%15] },
}

func printShift(v int64) string {
	typ, n := unpackShift(v)
	if typ == typeROR && n == 0 {
		return ", rrx"
	}
	return fmt.Sprintf(", %s #%d", shiftNames[typ], n)
}

var barrierNames = [16]string{"#0", "#1", "oshst", "osh", "#4", "#5", "unst", "un", "#8", "#9", "ishst", "ish",
	"#12", "#13", "st", "sy"}
