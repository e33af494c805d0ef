package trace

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"simrun/costmodel"
	"simrun/isa"
)

// JSON writes one object per line and instruction. Causes add up to cycles; skipped stands only with
// instructions whose condition failed.
//
//	{"index":3,"start":12,"cycles":2,"pc":"0x8000010","text":"ldr r1, [r0, #4]","causes":{"issue":1,"load-use":1}}
//
// Out of order the start and causes are in issue slots: "width", the slots of a cycle, and "slots" stand instead of "cycles".
type JSON struct {
	out
	code code
}

// NewJSON returns a sink that writes lines of JSON.
func NewJSON(w io.Writer, arch isa.Arch, mem *isa.Memory) Sink {
	return &JSON{out{w: w}, newCode(arch, mem, func(pc uint64, text string) string {
		quoted, err := json.Marshal(text)
		if err != nil { // of a string: impossible
			quoted = []byte(`"?"`)
		}
		return fmt.Sprintf(`,"pc":"%#x","text":%s`, pc, quoted)
	})}
}

// Timed writes an object.
func (j *JSON) Timed(x costmodel.Timed) {
	buf := append(j.buf, `{"index":`...)
	buf = strconv.AppendUint(buf, x.Index, 10)
	buf = append(buf, `,"start":`...)
	buf = strconv.AppendUint(buf, x.Start, 10)
	if x.Width > 1 {
		buf = append(buf, `,"width":`...)
		buf = strconv.AppendUint(buf, x.Width, 10)
		buf = append(buf, `,"slots":`...)
	} else {
		buf = append(buf, `,"cycles":`...)
	}
	buf = strconv.AppendUint(buf, x.Slots, 10)
	buf = append(buf, j.code.at(x.PC)...)
	if x.Skipped {
		buf = append(buf, `,"skipped":true`...)
	}
	buf = append(buf, `,"causes":{`...)
	separator := `"`
	for c, n := range x.Causes {
		if n == 0 {
			continue
		}
		buf = append(buf, separator...)
		buf = append(buf, costmodel.Causes[c]...)
		buf = append(buf, `":`...)
		buf = strconv.AppendUint(buf, n, 10)
		separator = `,"`
	}
	j.done(append(buf, "}}\n"...))
}
