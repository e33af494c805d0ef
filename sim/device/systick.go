package device

// SysTick is the timer of B3.3 of the ARMv7-M manual: it counts the core clock down from LOAD to 0 and starts
// again, LOAD+1 cycles a round. Both settings of CLKSOURCE are the core clock here.
type SysTick struct {
	now    func() uint64
	ctrl   uint32 // ENABLE, TICKINT, CLKSOURCE
	load   uint32
	value  uint32 // while it does not count
	zero   uint64 // cycle at which it is 0 next, at some time before if it has been since; while it counts
	silent bool   // that zero was written, so it raises no flag
	seen   uint64 // cycle up to which zeros have gone into the two below
	flag   bool   // COUNTFLAG: it has become 0 since that was read
	raised bool   // an interrupt has come that due has not reported
}

// Bits of SYST_CSR.
const (
	tickEnable = 1 << 0
	tickInt    = 1 << 1
	tickSource = 1 << 2
	tickFlag   = 1 << 16

	tickMax = 1<<24 - 1
)

func (t *SysTick) period() uint64 { return uint64(t.load) + 1 }

// counts reports whether the value changes: with LOAD = 0 it stays at 0.
func (t *SysTick) counts() bool { return t.ctrl&tickEnable != 0 }

// zeros returns how often the counter has become 0 by counting in cycles (after, now].
func (t *SysTick) zeros(after, now uint64) uint64 {
	first := t.zero
	if t.silent {
		first += t.period()
	}
	if !t.counts() || t.load == 0 || now < first {
		return 0
	}
	n := (now-first)/t.period() + 1
	if after >= first {
		n -= (after-first)/t.period() + 1
	}
	return n
}

// current is the value at now.
func (t *SysTick) current(now uint64) uint32 {
	switch {
	case !t.counts():
		return t.value
	case now <= t.zero:
		return uint32(t.zero - now)
	case t.load == 0:
		return 0
	}
	since := (now - t.zero) % t.period()
	if since == 0 {
		return 0
	}
	return t.load + 1 - uint32(since)
}

// latch keeps what the zeros up to now have set off, before a setting changes.
func (t *SysTick) latch(now uint64) {
	if t.zeros(t.seen, now) > 0 {
		t.flag = true
		t.raised = t.raised || t.ctrl&tickInt != 0
	}
	t.seen = now
}

// start lets it count from value at now, up to which it has been latched.
func (t *SysTick) start(value uint32, now uint64) {
	t.value = value
	t.zero, t.silent = now+uint64(value), value == 0
}

// loadControl clears COUNTFLAG.
func (t *SysTick) loadControl() uint32 {
	t.latch(t.now())
	v := t.ctrl
	if t.flag {
		v |= tickFlag
	}
	t.flag = false
	return v
}

func (t *SysTick) storeControl(v uint32) {
	now := t.now()
	t.latch(now)
	value, counted := t.current(now), t.counts()
	t.ctrl = v & (tickEnable | tickInt | tickSource)
	if counted != t.counts() {
		t.start(value, now)
	}
}

// storeReload sets the value that the next round starts from.
func (t *SysTick) storeReload(v uint32) {
	now := t.now()
	t.latch(now)
	value := t.current(now)
	t.load = v & tickMax
	if t.counts() {
		t.start(value, now)
	}
}

// storeValue clears the counter and COUNTFLAG, whatever is written.
func (t *SysTick) storeValue(uint32) {
	now := t.now()
	t.latch(now)
	t.flag = false
	t.start(0, now)
}

// due reports whether an interrupt has come since the last call.
func (t *SysTick) due(now uint64) bool {
	t.latch(now)
	raised := t.raised
	t.raised = false
	return raised
}

// deadline is the cycle of the next interrupt; ok is false if none will come.
func (t *SysTick) deadline(now uint64) (cycle uint64, ok bool) {
	if !t.counts() || t.ctrl&tickInt == 0 || t.load == 0 {
		return 0, false
	}
	left := uint64(t.current(now))
	if left == 0 {
		left = t.period()
	}
	return now + left, true
}

// registers adds the timer's registers to the System Control Space.
func (t *SysTick) registers(b bank) {
	b[0x010] = &register{name: "SYST_CSR", load: t.loadControl, store: t.storeControl}
	b[0x014] = &register{name: "SYST_RVR", load: func() uint32 { return t.load }, store: t.storeReload}
	b[0x018] = &register{name: "SYST_CVR", load: func() uint32 { return t.current(t.now()) }, store: t.storeValue}
	b[0x01c] = &register{name: "SYST_CALIB", value: 1 << 31} // NOREF: no reference clock, no calibration
}
