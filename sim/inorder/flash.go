package inorder

import (
	"math"
	"math/bits"

	"simrun/costmodel"
)

// flash is memory with wait states, read in lines, one line at a time. The core asks for code ahead of
// the instruction that it issues; a buffer may read one line further. Caches of lines stand before it.
// Cycles are those of the ledger. A line asked for in cycle c serves an instruction from c + waits + 1 on.
type flash struct {
	waits     uint64
	lineShift int
	prefetch  uint64 // lines
	buffer    uint64 // lines
	ahead     uint64 // bytes
	code      lineCache
	data      lineCache

	// The lines from first to last have been asked for since the last redirection; at holds when the
	// latest of them arrive. last = noLine: nothing was fetched yet.
	first, last uint64
	at          [flashRing]uint64 // by line modulo flashRing
	free        uint64            // no line is on its way from this cycle on
}

// flashRing is a power of two above the lines that may be on their way, as the CPU file's reader bounds them.
const flashRing = 8

const noLine = ^uint64(0)

func newFlash(r *costmodel.Region) *flash {
	f := &flash{
		waits: uint64(r.WaitStates.Value), lineShift: bits.Len(uint(r.LineLen())) - 1,
		prefetch: uint64(r.Prefetch.Value), buffer: uint64(r.BufferLines.Value), ahead: uint64(r.FetchAhead.Value),
		code: newLineCache(r.CodeLines.Value), data: newLineCache(r.DataLines.Value),
	}
	f.reset()
	return f
}

func (f *flash) reset() {
	f.last, f.free, f.at = noLine, 0, [flashRing]uint64{}
	f.code.reset()
	f.data.reset()
}

func (f *flash) line(addr uint64) uint64 { return addr >> f.lineShift }

// held reports whether a line is among the latest, which the buffer holds or waits for.
func (f *flash) held(line uint64) bool {
	return f.last != noLine && line <= f.last && line >= f.first && line+f.buffer > f.last
}

// near reports whether a line is one of those asked for, or the next.
func (f *flash) near(line uint64) bool {
	return f.last != noLine && line <= f.last+1 && line+flashRing > f.last
}

// redirect asks for the line of a branch target, the target issuing in cycle now if there is no wait.
// Lines asked for and not begun are dropped; a line on its way is finished first.
func (f *flash) redirect(line, now uint64) {
	if f.held(line) {
		return
	}
	asked := before(now)
	f.free = f.busyUntil(asked)
	f.first, f.last, f.at = line, line-1, [flashRing]uint64{}
	f.ask(asked)
}

// busyUntil returns when the line that is on its way in a cycle arrives, or the cycle if none is.
func (f *flash) busyUntil(cycle uint64) uint64 {
	if f.free <= cycle {
		return cycle
	}
	end := f.free
	for end-cycle > f.waits+1 {
		end -= f.waits + 1
	}
	return end
}

// ask asks in a cycle for the line after the last one.
func (f *flash) ask(cycle uint64) {
	f.last++
	if f.code.holds(f.last) {
		f.at[f.last%flashRing] = cycle + 1
		return
	}
	f.free = max(f.free, cycle) + f.waits + 1
	f.at[f.last%flashRing] = f.free
}

// wait returns the cycles until an instruction may issue whose last byte is in a line.
func (f *flash) wait(line, now uint64) uint64 {
	for f.last < line {
		f.ask(before(now))
	}
	at := f.at[line%flashRing]
	if at <= now {
		f.code.touch(line)
		return 0
	}
	f.code.fill(line)
	return at - now
}

// advance asks for the lines that the core and the buffer want while the instruction before addr issues
// in cycle now.
func (f *flash) advance(addr, now uint64) {
	for limit := f.line(addr+f.ahead) + f.prefetch; f.last < limit; {
		f.ask(now)
	}
}

// load returns the cycles that a data access waits. It goes before lines not begun.
func (f *flash) load(addr, now uint64) uint64 {
	line := f.line(addr)
	if f.data.holds(line) {
		f.data.touch(line)
		return 0
	}
	f.data.fill(line)
	start := f.busyUntil(now)
	busy := f.waits + 1
	for i := range f.at {
		if f.at[i] > start {
			f.at[i] += busy
		}
	}
	f.free = max(f.free, start) + busy
	return start + f.waits - now
}

// flashState is what a flash without caches leaves to the next run, relative to the cycle and to a line.
type flashState struct {
	last int32
	held uint8             // lines up to last
	free uint16            // from the cycle before on, in which a branch target may be asked for
	at   [flashRing]uint16 // of the lines up to last, backwards
}

// state returns the state; exact is false if it does not fit.
func (f *flash) state(line, now uint64) (s flashState, exact bool) {
	if f.last == noLine {
		return flashState{last: math.MinInt32}, true
	}
	s = flashState{last: int32(f.last - line), held: uint8(min(f.last-f.first+1, f.buffer)), free: after(f.free, before(now))}
	for i := range s.at {
		s.at[i] = after(f.at[(f.last-uint64(i))%flashRing], now)
	}
	return s, uint64(int64(s.last)) == f.last-line && (f.free <= now || f.free-now < math.MaxUint16)
}

// restore puts a state in place, except one in which nothing was fetched.
func (f *flash) restore(s *flashState, line, now uint64) {
	f.last = line + uint64(int64(s.last))
	f.first = f.last + 1 - uint64(s.held)
	f.free = before(now) + uint64(s.free)
	for i, n := range s.at {
		f.at[(f.last-uint64(i))%flashRing] = now + uint64(n)
	}
}

// before returns the cycle before, in which code is asked for that could issue now.
func before(now uint64) uint64 { return max(now, 1) - 1 }

// after returns the cycles from now on, 0 for what has passed.
func after(cycle, now uint64) uint16 {
	if cycle <= now {
		return 0
	}
	return uint16(cycle - now)
}

// lineCache holds lines, fully associative, the least recently used replaced.
type lineCache struct {
	lines []uint64 // + 1; 0 = empty; the latest used first
}

func newLineCache(n int) lineCache { return lineCache{lines: make([]uint64, n)} }

func (c *lineCache) reset() { clear(c.lines) }

func (c *lineCache) holds(line uint64) bool { return c.find(line) >= 0 }

func (c *lineCache) find(line uint64) int {
	for i, l := range c.lines {
		if l == line+1 {
			return i
		}
	}
	return -1
}

// touch makes a line the latest used, if it is held.
func (c *lineCache) touch(line uint64) {
	if i := c.find(line); i > 0 {
		copy(c.lines[1:i+1], c.lines[:i])
		c.lines[0] = line + 1
	}
}

// fill takes a line in.
func (c *lineCache) fill(line uint64) {
	if n := len(c.lines); n > 0 && c.find(line) < 0 {
		copy(c.lines[1:], c.lines[:n-1])
		c.lines[0] = line + 1
		return
	}
	c.touch(line)
}
