package t32

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"simrun/isa"
)

// maxSteps bounds a straight run.
const maxSteps = 4096

// block is a straight run with what the core needs to stop inside it.
type block struct {
	isa.Straight
	end uint32  // address behind the last step
	it  []uint8 // ITSTATE before each step, nil if it is always 0
	key uint64  // of codeCache
}

// addr is the address of step i; of the end for i = len.
func (b *block) addr(i int) uint32 {
	if i < len(b.Time) {
		return uint32(b.Time[i].PC)
	}
	return b.end
}

func (b *block) itAt(i int) uint8 {
	if i < len(b.it) {
		return b.it[i]
	}
	return 0
}

// stepAt is the first step at or behind pc.
func (b *block) stepAt(pc uint64) int {
	return sort.Search(len(b.Time), func(i int) bool { return b.Time[i].PC >= pc })
}

// codeCache keeps decoded blocks by address and ITSTATE, with a direct-mapped front.
type codeCache struct {
	front  [1024]*block
	blocks map[uint64]*block
	lines  map[uint64]struct{} // 64-byte lines that hold decoded code
}

func (cc *codeCache) init() {
	clear(cc.front[:])
	cc.blocks = map[uint64]*block{}
	cc.lines = map[uint64]struct{}{}
}

func (cc *codeCache) at(pc uint32, it uint8) *block {
	key := uint64(it)<<32 | uint64(pc)
	slot := &cc.front[pc>>1%1024]
	if *slot == nil || (*slot).key != key {
		b := cc.blocks[key]
		if b == nil {
			return nil
		}
		*slot = b
	}
	return *slot
}

func (cc *codeCache) add(b *block) {
	cc.blocks[b.key] = b
	for line := b.PC >> 6; line <= uint64(b.end-1)>>6; line++ {
		cc.lines[line] = struct{}{}
	}
}

// drop forgets the blocks that n bytes at addr overlap and reports whether there were any.
func (cc *codeCache) drop(addr, n uint64) bool {
	hit := false
	for line := addr >> 6; n > 0 && line <= (addr+n-1)>>6; line++ {
		if _, ok := cc.lines[line]; ok {
			hit = true
			break
		}
	}
	if !hit {
		return false
	}
	hit = false
	for key, b := range cc.blocks {
		if addr < uint64(b.end) && b.PC < addr+n {
			delete(cc.blocks, key)
			hit = true
		}
	}
	if hit {
		clear(cc.front[:])
	}
	return hit
}

// decodeBlock decodes the straight run at the PC; nil, with the stop set, if not even its first
// instruction can run.
func (c *Core) decodeBlock() *block {
	b := &block{key: uint64(c.it)<<32 | uint64(c.pc)}
	b.PC = uint64(c.pc)
	pc, it := c.pc, c.it
	for len(b.Steps) < maxSteps {
		in, size, err := c.fetch(pc)
		if err != nil {
			if len(b.Steps) == 0 {
				c.stopFetch(pc, err)
				return nil
			}
			break
		}
		if it != 0 {
			in.Cond = 1 + it>>4
		}
		e := encodings[in.Form.Num]
		b.Steps = append(b.Steps, e.step(&in, pc))
		b.Time = append(b.Time, e.static(&in, pc))
		if it != 0 && b.it == nil {
			b.it = make([]uint8, len(b.Steps)-1)
		}
		if b.it != nil {
			b.it = append(b.it, it)
		}
		pc += uint32(size)
		it = nextIT(it)
		if e == encIT {
			it = uint8(in.Args[1])<<4 | uint8(in.Args[0])
		}
		if b.Time[len(b.Time)-1].Flags&(isa.Branch|isa.System) != 0 {
			break
		}
	}
	b.end = pc
	if it != 0 {
		b.it = append(b.it, it)
	}
	c.code.add(b)
	return b
}

// nextIT is ITAdvance (A7.3.3).
func nextIT(it uint8) uint8 {
	if it&7 == 0 {
		return 0
	}
	return it&0xe0 | it<<1&0x1f
}

func (c *Core) fetch(pc uint32) (isa.Inst, int, error) {
	r := c.mem.Find(uint64(pc), 2)
	if r == nil || r.Perm&isa.X == 0 {
		return isa.Inst{}, 0, c.mem.FaultAt(uint64(pc), 2, isa.X)
	}
	code := r.Data[uint64(pc)-r.Base:]
	in, n, err := Arch{}.Decode(code[:min(4, len(code))], uint64(pc))
	if err == nil && in.Form.Feature != "" {
		err = c.lacks(in.Form)
	}
	return in, n, err
}

// lacks says why the core has no instruction of an extension; nil if it has.
func (c *Core) lacks(f *isa.Form) error {
	switch {
	case !slices.Contains(c.features, f.Feature):
		return fmt.Errorf("%s needs the extension %s, which this CPU lacks", f.ID, f.Feature)
	case f.Feature == "fp" && c.floatOff:
		return fmt.Errorf("%s: the floating-point unit is off; set bits 23:20 of CPACR first", f.ID)
	}
	return nil
}

func (c *Core) stopFetch(pc uint32, err error) {
	kind := isa.StopUndef
	if _, ok := err.(*isa.Fault); ok {
		kind = isa.StopFault
	}
	c.stop = isa.Stop{Kind: kind, PC: uint64(pc), Err: err}
}

// step makes the Step of an instruction.
func (e *encoding) step(in *isa.Inst, pc uint32) isa.Step {
	st := isa.Step{Size: e.size, Num: uint16(e.form.Num)}
	e.row.sem.lower(e, &st, in, pc)
	if in.Cond != 0 && in.Cond != 1+AL {
		st.Flags |= in.Cond << condShift
	}
	return st
}

func countBits(v uint64) uint32 { return uint32(bits.OnesCount64(v)) }
