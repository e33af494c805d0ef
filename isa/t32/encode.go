package t32

import (
	"encoding/binary"
	"fmt"
	"strings"

	"simrun/isa"
)

// Encode gives the bytes of one instruction. A 32-bit encoding is two halfwords, the one with the
// opcode first, each little-endian.
func (a Arch) Encode(in isa.Inst, pc uint64) ([]byte, error) {
	if in.Form == nil {
		return nil, fmt.Errorf("no instruction at %#x", pc)
	}
	e := encodings[in.Form.Num]
	w, err := e.encode(&in, uint32(pc))
	if err != nil {
		return nil, err
	}
	if e.size == 2 {
		return binary.LittleEndian.AppendUint16(nil, uint16(w)), nil
	}
	b := binary.LittleEndian.AppendUint16(nil, uint16(w>>16))
	return binary.LittleEndian.AppendUint16(b, uint16(w)), nil
}

func (e *encoding) encode(in *isa.Inst, pc uint32) (uint32, error) {
	w := e.fixed
	x := context{pc: pc, args: &in.Args}
	for i, op := range e.ops {
		x.slot, x.width = i, e.fields[i].width
		raw, ok := op.codec.enc(in.Args[i], &x)
		if !ok {
			return 0, e.refuse(in, i)
		}
		w |= e.fields[i].put(raw)
		if op.letter == 'm' {
			w |= e.twin.put(raw)
		}
	}
	if bad := e.conflict(in); bad != "" {
		return 0, fmt.Errorf("%s: %s", e.form.ID, bad)
	}
	return w, nil
}

// refuse says which operand cannot be coded.
func (e *encoding) refuse(in *isa.Inst, slot int) error {
	op, v := e.form.Ops[slot], in.Args[slot]
	switch {
	case op.Kind == isa.KindReg && v >= isa.VirtBase:
		return fmt.Errorf("%s: %s is still virtual register %d", e.form.ID, op.Name, v-isa.VirtBase)
	case op.Kind == isa.KindReg:
		return fmt.Errorf("%s: %s cannot be %s; want %s", e.form.ID, op.Name, regName(isa.Reg(v)), e.ops[slot].codec.want)
	case op.Kind == isa.KindLabel && in.Sym != "":
		return fmt.Errorf("%s: label %s at %#x is not %s", e.form.ID, in.Sym, v, e.ops[slot].codec.want)
	case op.Kind == isa.KindLabel:
		return fmt.Errorf("%s: address %#x is not %s", e.form.ID, v, e.ops[slot].codec.want)
	}
	return fmt.Errorf("%s: %s cannot be %d; want %s", e.form.ID, op.Name, v, e.ops[slot].codec.want)
}

func (f *field) put(raw uint32) uint32 {
	var w uint32
	left := f.width
	for _, s := range f.segs {
		left -= uint(s.width)
		w |= raw >> left & (1<<s.width - 1) << s.shift
	}
	return w
}

func (f *field) get(w uint32) uint32 {
	var raw uint32
	for _, s := range f.segs {
		raw = raw<<s.width | w>>s.shift&(1<<s.width-1)
	}
	return raw
}

// conflict checks the pairs of row.differ and says which is violated.
func (e *encoding) conflict(in *isa.Inst) string {
	for pair := range strings.FieldsSeq(e.row.differ) {
		rule, letters := "", pair
		if len(pair) == 3 {
			rule, letters = pair[:1], pair[1:]
		}
		i, j := e.slot(letters[0]), e.slot(letters[1])
		x, y := in.Args[i], in.Args[j]
		switch {
		case letters[1] == 'L':
			if bad := listConflict(rule, x, y); bad != "" {
				return fmt.Sprintf("%s %s %s", e.form.Ops[i].Name, regName(isa.Reg(x)), bad)
			}
		case letters[1] == 's':
			if x == int64(SP) && (y&3 != typeLSL || y>>2 > 3) {
				return "sp can be the result of lsl #0 to #3 only"
			}
		case rule == "h":
			if x < 8 && y < 8 {
				return fmt.Sprintf("%s and %s are both low; want a high register", e.form.Ops[i].Name, e.form.Ops[j].Name)
			}
		case rule == "p":
			if x == int64(SP) && y == x {
				return "sp to sp is unpredictable"
			}
		case x == y:
			return fmt.Sprintf("%s and %s must differ", e.form.Ops[i].Name, e.form.Ops[j].Name)
		}
	}
	return ""
}

func listConflict(rule string, base, list int64) string {
	in := list>>base&1 != 0
	switch {
	case rule == "" && in:
		return "must not be in the list"
	case rule == "+" && !in:
		return "must be in the list"
	case rule == "<" && in && list&(1<<base-1) != 0:
		return "may be in the list as its lowest register only"
	}
	return ""
}

func regName(r isa.Reg) string {
	if int(r) < numRegs {
		return regNames[r]
	}
	return fmt.Sprintf("register %d", r)
}
