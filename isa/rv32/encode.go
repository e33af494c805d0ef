package rv32

import (
	"encoding/binary"
	"fmt"

	"simrun/isa"
)

// Encode gives the 2 or 4 bytes of one instruction at pc.
func (Arch) Encode(in isa.Inst, pc uint64) ([]byte, error) {
	w, size, err := encode(in, pc)
	if err != nil {
		return nil, err
	}
	return binary.LittleEndian.AppendUint32(nil, w)[:size], nil
}

// encode gives the instruction word and its size in bytes.
func encode(in isa.Inst, pc uint64) (uint32, int, error) {
	if in.Form == nil || in.Form.Num >= len(entries) || in.Form != forms[in.Form.Num] {
		return 0, 0, fmt.Errorf("not an rv32 instruction")
	}
	if in.Sym != "" {
		return 0, 0, fmt.Errorf("%s: label %s has no address yet; assemble the whole block", in.Form.ID, in.Sym)
	}
	e := entries[in.Form.Num]
	w := e.pat.match
	for i, f := range e.slots {
		v := in.Args[i]
		if in.Form.Ops[i].Kind == isa.KindLabel {
			v = int64(int32(uint32(v) - uint32(pc)))
		}
		bits, err := e.pat.fields[f].encode(v)
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", in.Form.ID, err)
		}
		w |= bits
	}
	return w, e.pat.size, nil
}
