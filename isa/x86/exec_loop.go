package x86

import "simrun/isa"

// exec executes steps and returns how many retired: fewer than all after a fault, and after
// a store into decoded code.
func (c *core) exec(steps []isa.Step) int {
	for i := range steps {
		s := &steps[i]
		switch kind(s.Kind) {
		case kPxor:
			d, a := &c.x[s.D&15], &c.x[s.A&15]
			d[0], d[1] = d[0]^a[0], d[1]^a[1]
		case kPand:
			d, a := &c.x[s.D&15], &c.x[s.A&15]
			d[0], d[1] = d[0]&a[0], d[1]&a[1]
		case kPor:
			d, a := &c.x[s.D&15], &c.x[s.A&15]
			d[0], d[1] = d[0]|a[0], d[1]|a[1]
		case kPandn:
			d, a := &c.x[s.D&15], &c.x[s.A&15]
			d[0], d[1] = a[0]&^d[0], a[1]&^d[1]
		case kVecMov:
			c.x[s.D&15] = c.x[s.A&15]
		case kVecRR:
			d, a := &c.x[s.D&15], &c.x[s.A&15]
			d[0], d[1] = vecs[s.Num](d[0], d[1], a[0], a[1], uint64(s.Imm2))
		case kVecI:
			d := &c.x[s.D&15]
			d[0], d[1] = vecs[s.Num](d[0], d[1], uint64(s.Imm2), 0, 0)
		case kQuickAdd:
			m := ^uint64(0) >> (s.C & 63)
			a, b := c.r[s.D&15]&m, (c.r[s.A&63]+s.Imm)&m
			r := (a + b) & m
			c.r[s.D&15], c.pending = r, pending{a, b, r, s.Imm2}
		case kQuickSub:
			m := ^uint64(0) >> (s.C & 63)
			a, b := c.r[s.D&15]&m, (c.r[s.A&63]+s.Imm)&m
			r := (a - b) & m
			c.r[s.D&15], c.pending = r, pending{a, b, r, s.Imm2}
		case kQuickCmp:
			m := ^uint64(0) >> (s.C & 63)
			a, b := c.r[s.D&15]&m, (c.r[s.A&63]+s.Imm)&m
			c.pending = pending{a, b, (a - b) & m, s.Imm2}
		case kQuickAnd:
			r := c.r[s.D&15] & (c.r[s.A&63] + s.Imm) & (^uint64(0) >> (s.C & 63))
			c.r[s.D&15], c.pending.r, c.pending.tag = r, r, s.Imm2
		case kQuickOr:
			r := (c.r[s.D&15] | (c.r[s.A&63] + s.Imm)) & (^uint64(0) >> (s.C & 63))
			c.r[s.D&15], c.pending.r, c.pending.tag = r, r, s.Imm2
		case kQuickXor:
			r := (c.r[s.D&15] ^ (c.r[s.A&63] + s.Imm)) & (^uint64(0) >> (s.C & 63))
			c.r[s.D&15], c.pending.r, c.pending.tag = r, r, s.Imm2
		case kQuickTest:
			r := c.r[s.D&15] & (c.r[s.A&63] + s.Imm) & (^uint64(0) >> (s.C & 63))
			c.pending.r, c.pending.tag = r, s.Imm2
		case kQuickInc:
			c.keepCarry()
			m := ^uint64(0) >> (s.C & 63)
			a := c.r[s.D&15] & m
			r := (a + 1) & m
			c.r[s.D&15], c.pending = r, pending{a, 1, r, s.Imm2}
		case kQuickDec:
			c.keepCarry()
			m := ^uint64(0) >> (s.C & 63)
			a := c.r[s.D&15] & m
			r := (a - 1) & m
			c.r[s.D&15], c.pending = r, pending{a, 1, r, s.Imm2}
		case kQuickShl:
			m := ^uint64(0) >> (s.C & 63)
			a := c.r[s.D&15] & m
			r := a << (s.Imm & 63) & m
			c.r[s.D&15], c.pending = r, pending{a, s.Imm, r, s.Imm2}
		case kQuickShr:
			a := c.r[s.D&15] & (^uint64(0) >> (s.C & 63))
			r := a >> (s.Imm & 63)
			c.r[s.D&15], c.pending = r, pending{a, s.Imm, r, s.Imm2}
		case kQuickSar:
			m := ^uint64(0) >> (s.C & 63)
			a := c.r[s.D&15] & m
			r := uint64(int64(a<<(s.C&63))>>(s.C&63)>>(s.Imm&63)) & m
			c.r[s.D&15], c.pending = r, pending{a, s.Imm, r, s.Imm2}
		case kQuickRol:
			m, last := ^uint64(0)>>(s.C&63), 63-s.C
			a := c.r[s.D&15] & m
			r := (a<<(s.Imm&63) | a>>((uint64(last)+1-s.Imm)&63)) & m
			c.r[s.D&15] = r
			c.rotate(r&1, (r>>(last&63)^r)&1)
		case kQuickRor:
			m, last := ^uint64(0)>>(s.C&63), 63-s.C
			a := c.r[s.D&15] & m
			r := (a>>(s.Imm&63) | a<<((uint64(last)+1-s.Imm)&63)) & m
			c.r[s.D&15] = r
			top := r >> (last & 63)
			c.rotate(top, top^r>>((last-1)&63)&1)
		case kLea:
			c.set(s.D, c.address(s), s.Flags)
		case kMovRR:
			c.set(s.D, c.r[s.A&15], s.Flags)
		case kMovRI:
			c.set(s.D, s.Imm, s.Flags)
		case kJcc:
			if c.condition(uint8(s.Imm2)) {
				c.next = s.Imm
			}
		default:
			if c.pending.tag != 0 && !keepsFlagsPending[s.Kind] {
				c.settlePending()
			}
			if !handlers[s.Kind](c, s, i) {
				return i
			}
			if c.runs.stale {
				return i + 1
			}
		}
	}
	return len(steps)
}

// vecs and alus are the operations by row number, for the hot loop.
var (
	vecs []vecFunc
	alus []aluFunc
)

// address computes the address of the memory operand.
func (c *core) address(s *isa.Step) uint64 {
	return c.r[s.A&63] + c.r[s.B&63]<<(s.C&3) + c.r[s.C>>2] + s.Imm
}

func (c *core) note(i int, a uint64, size uint8, store bool) {
	if c.record {
		c.ev.Data = append(c.ev.Data, isa.Access{Addr: a, Step: uint16(i), Size: size, Store: store})
	}
}

// fail remembers the fault of an access; the step does not retire.
func (c *core) fail(a uint64, size uint8, want isa.Perm) bool {
	c.fault = c.mem.FaultAt(a, int(size), want)
	return false
}

// load128 reads 16 bytes. Aligned accesses fault on other addresses.
func (c *core) load128(s *isa.Step, i int, aligned bool) (lo, hi uint64, ok bool) {
	a := c.address(s)
	lo, hi, ok = c.mem.Load128(a)
	if !ok || aligned && a&15 != 0 {
		return 0, 0, c.fail(a, 16, isa.R)
	}
	c.note(i, a, 16, false)
	return lo, hi, true
}

func (c *core) store128(s *isa.Step, i int, aligned bool) bool {
	a, v := c.address(s), &c.x[s.D&15]
	if aligned && a&15 != 0 || !c.mem.Store128(a, v[0], v[1]) {
		return c.fail(a, 16, isa.W)
	}
	c.note(i, a, 16, true)
	return true
}

// load reads size bytes, zero-extended.
func (c *core) load(i int, a uint64, size uint8) (v uint64, ok bool) {
	switch size {
	case 8:
		v, ok = c.mem.Load64(a)
	case 4:
		var w uint32
		w, ok = c.mem.Load32(a)
		v = uint64(w)
	case 2:
		var w uint16
		w, ok = c.mem.Load16(a)
		v = uint64(w)
	default:
		var w uint8
		w, ok = c.mem.Load8(a)
		v = uint64(w)
	}
	if !ok {
		return 0, c.fail(a, size, isa.R)
	}
	c.note(i, a, size, false)
	return v, true
}

func (c *core) store(i int, a, v uint64, size uint8) (ok bool) {
	switch size {
	case 8:
		ok = c.mem.Store64(a, v)
	case 4:
		ok = c.mem.Store32(a, uint32(v))
	case 2:
		ok = c.mem.Store16(a, uint16(v))
	default:
		ok = c.mem.Store8(a, uint8(v))
	}
	if !ok {
		return c.fail(a, size, isa.W)
	}
	c.note(i, a, size, true)
	return true
}
