package t32

import "encoding/binary"

// elfSegment is one loadable piece of a test program.
type elfSegment struct {
	addr  uint32
	data  []byte
	flags uint32 // PF_X 1, PF_W 2, PF_R 4
}

// writeELF makes a static executable for 32-bit ARM Linux. Segments must be aligned to pages.
func writeELF(entry uint32, segs []elfSegment) []byte {
	const page = 4096
	le := binary.LittleEndian
	out := append([]byte("\x7fELF\x01\x01\x01"), make([]byte, 9)...)
	out = le.AppendUint16(out, 2)  // ET_EXEC
	out = le.AppendUint16(out, 40) // EM_ARM
	out = le.AppendUint32(out, 1)
	out = le.AppendUint32(out, entry)
	out = le.AppendUint32(out, 52) // program headers follow this header
	out = le.AppendUint32(out, 0)
	out = le.AppendUint32(out, 0x05000000) // EABI version 5
	for _, v := range []uint16{52, 32, uint16(len(segs)), 40, 0, 0} {
		out = le.AppendUint16(out, v)
	}
	offset := uint32(page)
	for _, s := range segs {
		n := uint32(len(s.data))
		for _, v := range []uint32{1, offset, s.addr, s.addr, n, n, s.flags, page} {
			out = le.AppendUint32(out, v)
		}
		offset += (n + page - 1) / page * page
	}
	for _, s := range segs {
		out = append(out, make([]byte, (page-len(out)%page)%page)...)
		out = append(out, s.data...)
	}
	return out
}
