package x86

import (
	"math/rand/v2"

	"simrun/isa"
)

// testGPRs reach every special case of the address encoding: RSP and R12 need a SIB byte as
// base, RBP and R13 a displacement, and byte registers from RSP on a REX prefix.
var testGPRs = []isa.Reg{RAX, RCX, RSP, RBP, RSI, R8, R12, R13, R15}

func randomGPR(rng *rand.Rand) int64 { return int64(testGPRs[rng.IntN(len(testGPRs))]) }

// randomInst fills the slots of a row with arguments that are allowed and in the order that the decoder gives. A branch goes
// to within 512 bytes of 0x1000, or 64 if it reaches no further.
func randomInst(rng *rand.Rand, r *row) isa.Inst {
	for {
		in := randomArgs(rng, r)
		exchanges := r.own != nil && r.Mnemonic == "xchg" && r.width() > 1 && in.Reg(0) == RAX
		if r.check(&in) == nil && !exchanges {
			return in
		}
	}
}

func randomArgs(rng *rand.Rand, r *row) isa.Inst {
	in := isa.Inst{Form: &r.Form}
	for _, o := range r.operands {
		switch o.what {
		case opReg:
			in.Args[o.slot] = randomGPR(rng)
		case opXmm:
			in.Args[o.slot] = int64(XMM(rng.IntN(16)))
		case opImm:
			in.Args[o.slot] = randomImm(rng, o.size)
		case opMem:
			randomMem(rng, in.Args[o.slot:])
		case opRel:
			in.Args[o.slot] = 0x1000 + int64(rng.IntN(1024)) - 512
			if r.kind == kJcount {
				in.Args[o.slot] = 0x1000 + int64(rng.IntN(128)) - 64
			}
		case opHigh:
			in.Args[o.slot] = int64(rng.IntN(4))
		case opCL, opOne, opX0:
		}
	}
	return in
}

// randomImm favours small magnitudes, whose encodings are shorter.
func randomImm(rng *rand.Rand, size int) int64 {
	v := int64(rng.Uint64()) >> rng.IntN(64)
	switch size {
	case 1:
		return v & 0xff
	case 2:
		return int64(int16(v))
	case 4:
		return int64(int32(v))
	}
	return v
}

func randomMem(rng *rand.Rand, m []int64) {
	m[0], m[1], m[2], m[3] = randomGPR(rng), int64(isa.NoReg), 1, randomImm(rng, 4)
	if rng.IntN(2) == 0 {
		m[3] = int64(int8(m[3]))
	}
	switch rng.IntN(8) {
	case 0:
		m[0] = int64(RIP)
		return // FS with RIP is allowed too, and nobody writes it
	case 1:
		m[0] = int64(isa.NoReg)
	case 2:
		m[3] = 0
	}
	if index := randomGPR(rng); rng.IntN(2) == 0 && index != int64(RSP) {
		m[1], m[2] = index, 1<<rng.IntN(4)
	}
	if rng.IntN(16) == 0 {
		m[2] |= SegFS
	}
}
