//go:build unix

package native

import "encoding/binary"

// The reference loops, assembled by hand: a native package cannot know the table of AArch64.
//
//	52800009 + imm16<<5   mov  w9, #count
//	body
//	71000529              subs w9, w9, #1
//	54000001 + imm19<<5   b.ne back to body
//	D65F03C0              ret
func loopCode(count uint32, body []byte) []byte {
	code := binary.LittleEndian.AppendUint32(nil, 0x52800009|count<<5)
	code = append(code, body...)
	code = binary.LittleEndian.AppendUint32(code, 0x71000529)
	back := -int32(len(body)/4 + 1)
	code = binary.LittleEndian.AppendUint32(code, 0x54000001|uint32(back)&0x7ffff<<5)
	return binary.LittleEndian.AppendUint32(code, 0xd65f03c0)
}

// chainBody is ops dependent rotates: 138A1D4A = ror w10, w10, #7. Neither the loop nor the
// trampoline writes W10 between two calls, so the chain does not break there.
func chainBody(ops int) (body []byte) {
	for range ops {
		body = binary.LittleEndian.AppendUint32(body, 0x138a1d4a)
	}
	return body
}

// vectorBody is ops times eor vD.16b, vD.16b, v16.16b with D = 0 to 11 in turn.
func vectorBody(ops int) (body []byte) {
	for i := range ops {
		body = appendVector(body, i%vectorRegs)
	}
	return body
}

// appendVector appends eor vD.16b, vD.16b, v16.16b: 6E201C00 + Rm<<16 + Rn<<5 + Rd.
func appendVector(body []byte, reg int) []byte {
	d := uint32(reg)
	return binary.LittleEndian.AppendUint32(body, 0x6e201c00|16<<16|d<<5|d)
}

// mixedBody is ops operations: vector logic as in vectorBody and, by turns with it,
// add xN, xN, #1 with N = 11 to 14 in turn: 91000400 + Rn<<5 + Rd.
func mixedBody(ops int) (body []byte) {
	for i := range ops / 2 {
		body = appendVector(body, i%vectorRegs)
		n := uint32(11 + i%integerRegs)
		body = binary.LittleEndian.AppendUint32(body, 0x91000400|n<<5|n)
	}
	return body
}
