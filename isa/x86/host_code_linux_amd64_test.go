package x86

import (
	"testing"

	"simrun/isa"
)

func newHarness(t *testing.T) *harness {
	h := &harness{t: t, a: New()}
	const entry = codeAt + 0x1000
	h.emit(Make("JMP_rel", entry)) // over the subroutines
	h.loadSubroutine()
	h.saveSubroutine()
	h.code = append(h.code, make([]byte, entry-h.pc())...)
	h.emit(Make("MOV_r64_imm32", int64(RSP), stackAt))
	// arch_prctl(ARCH_SET_FS, fsAt)
	for _, v := range [][2]int64{{int64(RAX), 158}, {int64(RDI), 0x1002}, {int64(RSI), fsAt}} {
		h.emit(Make("MOV_r64_imm32", v[0], v[1]))
	}
	h.emit(Make("SYSCALL"))
	for _, v := range [][2]int64{{inPtr, inAt}, {outPtr, outAt}} {
		h.emit(Make("MOV_r64_imm32", int64(RAX), v[1]))
		h.emit(Make("MOV_m64_r64", append(abs(v[0]), int64(RAX))...))
	}
	return h
}

// restGPRs are those that the subroutines move through RAX.
var restGPRs = []isa.Reg{RCX, RDX, RBX, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15}

// Offsets in state.
const (
	flagsOff  = 8 * 16
	xmmOff    = 8 * 18
	windowOff = xmmOff + 16*16
)

// field gives the slots of a field of the state at RAX, after those given.
func field(off int, before ...int64) []int64 {
	return append(before, int64(RAX), int64(isa.NoReg), 1, int64(off))
}

// loadSubroutine takes the next state from the input. Flags come before the general registers,
// whose loads leave them alone.
func (h *harness) loadSubroutine() {
	h.load = h.pc()
	h.emit(Make("MOV_r64_m64", abs(inPtr, int64(RAX))...))
	for i := range 4 {
		h.emit(Make("MOVDQU_xmm_m128", field(windowOff+16*i, int64(X0))...))
		h.emit(Make("MOVDQU_m128_xmm", append(abs(int64(windowAt+16*i)), int64(X0))...))
	}
	for i := range 16 {
		h.emit(Make("MOVDQU_xmm_m128", field(xmmOff+16*i, int64(XMM(i)))...))
	}
	h.emit(Make("LEA_r64_m", field(stateSize, int64(RCX))...))
	h.emit(Make("MOV_m64_r64", append(abs(inPtr), int64(RCX))...))
	h.emit(Make("MOV_r64_m64", field(flagsOff, int64(RCX))...))
	h.emit(Make("PUSH_r64", int64(RCX)))
	h.emit(Make("POPFQ"))
	for _, r := range append(restGPRs, RAX) {
		h.emit(Make("MOV_r64_m64", field(8*int(r), int64(r))...))
	}
	h.emit(Make("RET"))
}

// saveSubroutine appends the state to the output. The caller has saved RSP.
func (h *harness) saveSubroutine() {
	h.save = h.pc()
	h.emit(Make("PUSHFQ"))
	h.emit(Make("PUSH_r64", int64(RAX)))
	h.emit(Make("MOV_r64_m64", abs(outPtr, int64(RAX))...))
	for _, r := range restGPRs {
		h.emit(Make("MOV_m64_r64", append(field(8*int(r)), int64(r))...))
	}
	for _, off := range []int{8 * int(RAX), flagsOff} {
		h.emit(Make("POP_r64", int64(RCX)))
		h.emit(Make("MOV_m64_r64", append(field(off), int64(RCX))...))
	}
	h.emit(Make("MOV_r64_m64", abs(savedRSP, int64(RCX))...))
	h.emit(Make("MOV_m64_r64", append(field(8*int(RSP)), int64(RCX))...))
	for i := range 16 {
		h.emit(Make("MOVDQU_m128_xmm", append(field(xmmOff+16*i), int64(XMM(i)))...))
	}
	for i := range 4 {
		h.emit(Make("MOVDQU_xmm_m128", abs(int64(windowAt+16*i), int64(X0))...))
		h.emit(Make("MOVDQU_m128_xmm", append(field(windowOff+16*i), int64(X0))...))
	}
	h.emit(Make("LEA_r64_m", field(stateSize, int64(RAX))...))
	h.emit(Make("MOV_m64_r64", append(abs(outPtr), int64(RAX))...))
	h.emit(Make("RET"))
}
