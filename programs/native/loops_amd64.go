//go:build unix

package native

import "encoding/binary"

// The reference loops, assembled by hand: a native package cannot know the table of x86.
//
//	loop:  B9 imm32        mov  $count, %ecx
//	       body
//	       FF C9           dec  %ecx
//	       0F 85 rel32     jne  back to body
//	       C3              ret
func loopCode(count uint32, body []byte) []byte {
	code := binary.LittleEndian.AppendUint32([]byte{0xb9}, count)
	code = append(code, body...)
	code = append(code, 0xff, 0xc9, 0x0f, 0x85)
	back := -(len(body) + 2 + 6)
	code = binary.LittleEndian.AppendUint32(code, uint32(int32(back)))
	return append(code, 0xc3)
}

// chainBody is ops dependent rotates: C1 C2 07 = rol $7, %edx. Neither the loop nor the trampoline
// writes EDX between two calls, so the chain does not break there.
func chainBody(ops int) (body []byte) {
	for range ops {
		body = append(body, 0xc1, 0xc2, 0x07)
	}
	return body
}

// vectorBody is ops times pxor %xmm12, %xmmD with D = 0 to 11 in turn.
func vectorBody(ops int) (body []byte) {
	for i := range ops {
		body = appendVector(body, i%vectorRegs)
	}
	return body
}

// appendVector appends pxor %xmm12, %xmmD:
// 66, REX (40 + 4 if D >= 8, for ModRM.reg, + 1 for xmm12 in ModRM.rm), 0F EF, ModRM 11 D 100.
func appendVector(body []byte, reg int) []byte {
	d := byte(reg)
	return append(body, 0x66, 0x41|d>>3<<2, 0x0f, 0xef, 0xc4|d&7<<3)
}

// mixedBody is ops operations: vector logic as in vectorBody and, by turns with it, inc %rN with
// N = 8 to 11 in turn: 49 FF, ModRM 11 000 N-8.
func mixedBody(ops int) (body []byte) {
	for i := range ops / 2 {
		body = appendVector(body, i%vectorRegs)
		body = append(body, 0x49, 0xff, 0xc0|byte(i%integerRegs))
	}
	return body
}
