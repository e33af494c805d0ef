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
	decodes    uint64            // the cycle of the instructions that are decoded
	slot       uint64            // decoders taken in it
	frontWhy   costmodel.Cause   // what the decoded instruction was late for
	lastByte   uint64            // of the instruction before
	redirected bool              // that instruction was a taken transfer or mispredicted
	hit        bool              // code comes from the op cache

	looping bool // code comes from the loop buffer
	half    bool // of a cycle, in which it gives one of two blocks
	loopPC  uint64
	loopAt  uint64 // instructions before the last turn
}

// blockRing bounds the queue of code in blocks.
const blockRing = 64

// Stages between predecode, decode and rename, a cycle each: they show only behind a misprediction, whose cost
// is given from issue to issue.
const stages = 2

func (f *front) reset() {
	f.redirected, f.fetchWhy, f.frontWhy = true, costmodel.Fetch, costmodel.Fetch
}

// fetch brings an instruction to the renamer and returns the first cycle in which that can take it.
func (m *core) fetch(p *plan, i int, pc uint64) uint64 {
	s := &p.steps[i]
	blocks, line := uint64(s.blocks), s.flags&newLine != 0
	if i == 0 {
		blocks, line = m.enter(p.more[0].last, pc)
	}
	if m.opCache != nil && s.flags&newOps != 0 {
		m.lookUp(p.more[i].ops)
	}
	if m.hit {
		return m.predecoded + stages
	}
	if line && !m.l1i.touch(p.more[i].last) {
		m.predecoded, m.fetchWhy = m.predecoded+m.l2, costmodel.ICache
	}
	if blocks > 0 {
		m.nextBlock(blocks)
	}
	m.inCycle++
	if !m.looping {
		m.predecode1(s)
	}
	return m.decode1(s) + 1
}

// enter returns the blocks that the first instruction of a run begins, and whether it ends in a new line.
func (m *core) enter(last, pc uint64) (blocks uint64, newLine bool) {
	if !m.redirected {
		return last>>m.fetchShift - m.lastByte>>m.fetchShift, last>>m.lineShift != m.lastByte>>m.lineShift
	}
	if pc>>m.lineShift != last>>m.lineShift && !m.l1i.touch(pc) {
		m.predecoded, m.fetchWhy = m.predecoded+m.l2, costmodel.ICache
	}
	return 1 + last>>m.fetchShift - pc>>m.fetchShift, true
}

// lookUp finds out whether the uops are in the op cache. Coming from it, fetch starts anew.
func (m *core) lookUp(ops uint64) {
	was := m.hit
	m.hit = m.opCache.touch(ops * opLine)
	if was && !m.hit {
		m.predecoded = max(m.predecoded, m.base)
	}
}

// nextBlock goes on to another block of code, as far as the queue has room.
func (m *core) nextBlock(blocks uint64) {
	if m.fetchWhy != costmodel.ICache && m.fetchWhy != costmodel.Mispredict {
		m.fetchWhy = costmodel.Fetch
	}
	if m.looping {
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

// decode1 returns the cycle in which an instruction is decoded.
func (m *core) decode1(s *step) uint64 {
	n := uint64(s.fused)
	microcode := n > m.decoderUops
	if m.slot >= m.decoders || n > 1 && m.slot > 0 {
		m.decodes, m.slot, m.frontWhy = m.decodes+1, 0, costmodel.FrontEnd
	}
	if m.predecoded+1 > m.decodes {
		m.decodes, m.slot, m.frontWhy = m.predecoded+1, 0, m.fetchWhy
		m.fetchWhy = costmodel.Fetch
	}
	if youngest := m.seq + n; youngest > m.uopQueue+1 && !microcode {
		if free := m.allocRing[(youngest-1-m.uopQueue)%robRing]; free > m.decodes {
			m.decodes, m.slot = free, 0
		}
	}
	m.slot++
	if microcode {
		m.decodes += (n - 1) / m.decoderUops
		m.slot = m.decoders
	}
	m.decodedAt[m.block%blockRing] = m.decodes
	return m.decodes
}
