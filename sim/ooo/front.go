package ooo

import "simrun/costmodel"

// front is fetch, predecode and decode. Predecode runs ahead of decode by a queue of code, decode ahead of rename
// by a queue of uops.
type front struct {
	predecoded uint64            // the cycle of the block that is predecoded
	inCycle    uint64            // instructions predecoded in it
	fetchWhy   costmodel.Cause   // what fetching was last late for
	block      uint64            // blocks so far
	decodedAt  [blockRing]uint64 // by block: when its last instruction was decoded
	decoding   uint64            // cycle << decodeBits | decoders taken in it << causeBits | what the instruction was late for
	keepWhy    bool              // fetchWhy is of the block to come
	fromOps    bool              // code comes from the op cache
	half       bool              // of a cycle, in which the loop buffer gives one of two blocks
}

// decodeBits is the room for decoders and a cause.
const decodeBits = causeBits + 4

// blockRing bounds the queue of code in blocks.
const blockRing = 64

// Stages between predecode, decode and rename, a cycle each: they show only behind a misprediction, whose cost
// is given from issue to issue.
const stages = 2

// fetch brings an instruction to the renamer and returns the first cycle in which that can take it, and what it was
// late for.
func (m *core) fetch(p *plan, i int, seen codeEvents) moment {
	s := &p.steps[i]
	blocks := uint64(s.blocks)
	if i == 0 {
		blocks = m.entry.blocks
		if seen&entryMiss != 0 {
			m.predecoded, m.fetchWhy, m.keepWhy = m.predecoded+m.l2, costmodel.ICache, true
		}
	}
	if m.opCache != nil && s.flags&newOps != 0 {
		m.switchTo(seen&opHit != 0)
	}
	if m.fromOps {
		return at(m.predecoded+stages, m.fetchWhy)
	}
	if blocks > 0 {
		m.nextBlock(blocks)
	}
	if seen&lineMiss != 0 {
		m.predecoded, m.fetchWhy = m.predecoded+m.l2, costmodel.ICache
	}
	m.inCycle++
	if !m.entry.looping {
		m.predecode1(s)
	}
	d := m.decode1(s)
	return moment((d>>decodeBits+1)<<causeBits | d&(1<<causeBits-1))
}

// switchTo goes to the op cache or away from it. Coming from it, fetch starts anew.
func (m *core) switchTo(ops bool) {
	if m.fromOps && !ops {
		m.predecoded = max(m.predecoded, m.base)
	}
	m.fromOps = ops
}

// nextBlock goes on to another block of code, as far as the queue has room.
func (m *core) nextBlock(blocks uint64) {
	if !m.keepWhy {
		m.fetchWhy = costmodel.Fetch
	}
	m.keepWhy = false
	if m.entry.looping {
		if m.half = !m.half; m.half {
			m.predecoded++
		}
	} else {
		m.predecoded += blocks
	}
	m.inCycle = 0
	m.block += blocks
	if m.block >= m.queueBlocks {
		m.predecoded = max(m.predecoded, m.decodedAt[(m.block-m.queueBlocks)%blockRing])
	}
}

// predecode1 keeps to the instructions of a cycle, and stalls for prefixes.
func (m *core) predecode1(s *step) {
	if m.inCycle > m.predecode {
		m.predecoded, m.inCycle, m.fetchWhy = m.predecoded+1, 1, costmodel.Fetch
	}
	if s.flags&longer != 0 {
		m.predecoded, m.fetchWhy = m.predecoded+m.lengthChange, costmodel.Fetch
	}
}

// decode1 decodes an instruction and returns the state of decoding. It takes the later of states, as execute does.
func (m *core) decode1(s *step) uint64 {
	d := m.decoding
	if next := (d>>decodeBits+1)<<decodeBits | uint64(costmodel.FrontEnd); d>>causeBits&15 >= uint64(s.decoder) {
		d = next
	}
	d = max(d, (m.predecoded+1)<<decodeBits|uint64(m.fetchWhy))
	free := m.allocRing[(m.seq+uint64(s.queued)-m.uopQueue)%robRing]
	d = max(d, free<<decodeBits|d&(1<<causeBits-1))
	m.decoding = d + 1<<causeBits
	if s.decoder == 0 { // microcode, alone
		d += (uint64(s.fused) - 1) / m.decoderUops << decodeBits
		m.decoding = d + m.microDecoders<<causeBits
	}
	m.decodedAt[m.block%blockRing] = d >> decodeBits
	return d
}
