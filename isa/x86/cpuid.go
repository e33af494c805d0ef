package x86

import (
	"encoding/binary"

	"simrun/isa"
)

// CPUID tells of a Core 2: with SSE4.1 one of 45 nm (Penryn, model 23), without one of 65 nm (Merom, model 15). Leaves
// and bits: SDM volume 2, CPUID. What the table lacks and x86-64 demands, the x87 unit and MMX, is shown all the same.
const (
	lastLeaf     = 10
	lastExtended = 0x80000008
	modelMerom   = 0x000006f6
	modelPenryn  = 0x00010676
)

// leaf is the four answers to a question: EAX, EBX, ECX, EDX.
type leaf [4]uint32

// featureBits are the bits of leaf 1, ECX.
var featureBits = map[string]uint32{"sse3": 1 << 0, "ssse3": 1 << 9, "sse4.1": 1 << 19}

// cacheLeaves is leaf 4: type, level; ways, line; sets, each less one.
var cacheLeaves = []leaf{
	{1 | 1<<5 | 1<<8, 7<<22 | 63, 63},    // 32 KiB of data
	{2 | 1<<5 | 1<<8, 7<<22 | 63, 63},    // 32 KiB of code
	{3 | 2<<5 | 1<<8, 15<<22 | 63, 4095}, // 4 MiB
}

const brand = "simrun, as Intel Core 2"

func (c *core) leaf(n, sub uint32) leaf {
	switch {
	case n == 0:
		return leaf{lastLeaf, 0x756e6547, 0x6c65746e, 0x49656e69} // GenuineIntel
	case n == 1:
		return c.leaf1()
	case n == 2:
		return leaf{0x05b0b101, 0x005657f0, 0, 0x2cb43049} // descriptors of the caches of leaf 4
	case n == 4 && int(sub) < len(cacheLeaves):
		return cacheLeaves[sub]
	case n == 0x80000000:
		return leaf{lastExtended}
	case n == 0x80000001:
		return leaf{2: 1 << 0, 3: 1<<11 | 1<<20 | 1<<29} // LAHF; SYSCALL, NX, long mode
	case n >= 0x80000002 && n <= 0x80000004:
		var text [48]byte
		copy(text[:], brand)
		return leafOf(text[16*(n-0x80000002):])
	case n == 0x80000008:
		return leaf{36 | 48<<8} // bits of physical and linear addresses
	}
	return leaf{}
}

func leafOf(b []byte) (l leaf) {
	for i := range l {
		l[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return l
}

func (c *core) leaf1() leaf {
	l := leaf{modelMerom, 1<<16 | 8<<8, 1 << 13, 0} // one processor, lines of 64 bytes; CMPXCHG16B
	for name, b := range featureBits {
		if c.features[name] {
			l[2] |= b
		}
	}
	if c.features["sse4.1"] {
		l[0] = modelPenryn
	}
	for _, b := range []int{0, 4, 8, 15, 23, 24, 25, 26} { // FPU TSC CX8 CMOV MMX FXSR SSE SSE2
		l[3] |= 1 << b
	}
	return l
}

func cpuid(c *core, _ *isa.Step, _ int) bool {
	l := c.leaf(uint32(c.r[RAX]), uint32(c.r[RCX]))
	c.r[RAX], c.r[RBX], c.r[RCX], c.r[RDX] = uint64(l[0]), uint64(l[1]), uint64(l[2]), uint64(l[3])
	return true
}
