package rv32

import "math/bits"

// bitOps are the rows of Zba, Zbb and Zbkb as functions of rs1 and rs2, by kind from kSh1add on.
// Rows without rs2 get 0. RORI stands in the hot loop.
var bitOps = [kUnzip - kSh1add + 1]func(a, b uint32) uint32{
	kSh1add - kSh1add: func(a, b uint32) uint32 { return a<<1 + b },
	kSh2add - kSh1add: func(a, b uint32) uint32 { return a<<2 + b },
	kSh3add - kSh1add: func(a, b uint32) uint32 { return a<<3 + b },
	kClz - kSh1add:    func(a, _ uint32) uint32 { return uint32(bits.LeadingZeros32(a)) },
	kCtz - kSh1add:    func(a, _ uint32) uint32 { return uint32(bits.TrailingZeros32(a)) },
	kCpop - kSh1add:   func(a, _ uint32) uint32 { return uint32(bits.OnesCount32(a)) },
	kMax - kSh1add:    func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) },
	kMaxu - kSh1add:   func(a, b uint32) uint32 { return max(a, b) },
	kMin - kSh1add:    func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) },
	kMinu - kSh1add:   func(a, b uint32) uint32 { return min(a, b) },
	kSextb - kSh1add:  func(a, _ uint32) uint32 { return uint32(int8(a)) },
	kSexth - kSh1add:  func(a, _ uint32) uint32 { return uint32(int16(a)) },
	kOrcb - kSh1add:   orcb,
	kAndn - kSh1add:   func(a, b uint32) uint32 { return a &^ b },
	kOrn - kSh1add:    func(a, b uint32) uint32 { return a | ^b },
	kXnor - kSh1add:   func(a, b uint32) uint32 { return ^(a ^ b) },
	kRol - kSh1add:    func(a, b uint32) uint32 { return bits.RotateLeft32(a, int(b&31)) },
	kRor - kSh1add:    func(a, b uint32) uint32 { return bits.RotateLeft32(a, -int(b&31)) },
	kRev8 - kSh1add:   func(a, _ uint32) uint32 { return bits.ReverseBytes32(a) },
	kZexth - kSh1add:  func(a, _ uint32) uint32 { return a & 0xffff },
	kPack - kSh1add:   func(a, b uint32) uint32 { return a&0xffff | b<<16 },
	kPackh - kSh1add:  func(a, b uint32) uint32 { return a&0xff | b&0xff<<8 },
	kBrev8 - kSh1add:  func(a, _ uint32) uint32 { return bits.ReverseBytes32(bits.Reverse32(a)) },
	kZip - kSh1add:    zip,
	kUnzip - kSh1add:  unzip,
}

// orcb sets every byte that is not zero to 0xff.
func orcb(a, _ uint32) uint32 {
	const low = 0x01010101
	a |= a >> 4 & (0x0f * low)
	a |= a >> 2 & (0x3f * low)
	a |= a >> 1 & (0x7f * low)
	return a & low * 0xff
}

// zip moves bit i of the lower half to bit 2i and of the upper half to bit 2i+1: each step swaps
// the middle quarters of ever smaller groups.
func zip(a, _ uint32) uint32 {
	a = swapBits(a, 8, 0x0000ff00)
	a = swapBits(a, 4, 0x00f000f0)
	a = swapBits(a, 2, 0x0c0c0c0c)
	return swapBits(a, 1, 0x22222222)
}

// unzip is the inverse of zip.
func unzip(a, _ uint32) uint32 {
	a = swapBits(a, 1, 0x22222222)
	a = swapBits(a, 2, 0x0c0c0c0c)
	a = swapBits(a, 4, 0x00f000f0)
	return swapBits(a, 8, 0x0000ff00)
}

// swapBits exchanges the bits of mask with those n places higher.
func swapBits(a uint32, n int, mask uint32) uint32 {
	d := (a ^ a>>n) & mask
	return a ^ d ^ d<<n
}
