package ooo

import "simrun/isa"

// course is what depends on the order of what happens and not on when: caches, predictions, which store a load
// reads. It is brought up to date before a run is timed, and the run is timed by what it says.
type course struct {
	lastByte   uint64 // of the instruction before
	redirected bool   // that instruction was a taken transfer or mispredicted
	hit        bool   // code comes from the op cache

	looping bool // code comes from the loop buffer
	loopPC  uint64
	loopAt  uint64 // instructions before the last turn

	entry    entry
	codeSeen []codeEvents // of the first instruction and of those that begin a line
	dataSeen []access
	wrong    bool // the transfer at the end was mispredicted

	known  [storeRing]known
	heads  [heads]uint64 // the youngest node of each hash of a granule, + 1
	passed uint64        // stores so far
	// disambiguation says for loads, by the low bits of their addresses, how many have yet to have no bytes in common with a
	// store in the buffer before they pass stores of unknown address again. It begins with 0, the state that loads that
	// never have any reach in the end, so that few calls are warm.
	disambiguation [passEntries]uint8
}

// entry is how a run is entered.
type entry struct {
	blocks  uint64 // of code begun by its first instruction
	looping bool
}

// codeEvents are what happens when an instruction is fetched.
type codeEvents uint8

const (
	entryMiss codeEvents = 1 << iota // the line of its first byte is missing
	lineMiss                         // the line of its last byte is missing
	opHit                            // its uops are in the op cache
)

// access is what an instruction does to memory: the flags below, the distance of the store that it reads, counted in
// uops from the next one back, and its step.
type access uint64

const (
	loads        access = 1 << iota
	loadMiss            // of the first line
	loadCrosses         // into another line
	loadPartial         // the store does not have all bytes, or cannot pass them on
	loadWaits           // for the addresses of older stores
	storeCrosses        // into another line

	distanceAt = 8
	stepAt     = 16
)

func (a access) distance() uint64 { return uint64(a >> distanceAt & 0xff) }

func (a access) step() int { return int(a >> stepAt) }

func (c *course) reset() {
	*c = course{redirected: true, codeSeen: c.codeSeen[:0], dataSeen: c.dataSeen[:0]}
}

// foresee finds the course of a run.
func (m *core) foresee(r *isa.Retired, p *plan) {
	m.codeSeen, m.dataSeen, m.wrong = m.codeSeen[:0], m.dataSeen[:0], false
	if r.N == 0 {
		return
	}
	m.foreseeCode(r, p)
	m.foreseeData(r.Data, p)
	m.lastByte, m.redirected = p.more[r.N-1].last, r.Taken
	if r.N < len(p.steps) {
		m.passed += uint64(p.steps[r.N].stores)
		return
	}
	m.passed += p.stores
	if p.ends.kind != noBranch {
		if m.wrong = !m.predicts(&p.ends, r); m.wrong {
			m.redirected, m.looping, m.hit = true, false, false
		}
		m.loopBuffer(&p.ends, r, m.instructions+uint64(r.N))
	}
}

func (m *core) foreseeCode(r *isa.Retired, p *plan) {
	var seen codeEvents
	last, pc := p.more[0].last, r.Code.PC
	line := last>>m.lineShift != m.lastByte>>m.lineShift
	m.entry = entry{last>>m.fetchShift - m.lastByte>>m.fetchShift, m.looping}
	if m.redirected {
		line, m.entry.blocks = true, 1+last>>m.fetchShift-pc>>m.fetchShift
		if pc>>m.lineShift != last>>m.lineShift && !m.l1i.touch(pc) {
			seen = entryMiss
		}
	}
	m.codeSeen = append(m.codeSeen, seen|m.look(p, 0, line))
	for _, i := range p.lines {
		if int(i) >= r.N {
			break
		}
		m.codeSeen = append(m.codeSeen, m.look(p, int(i), p.steps[i].flags&newLine != 0))
	}
}

// look looks for an instruction in the caches of code; line, if it begins a line.
func (m *core) look(p *plan, i int, line bool) (seen codeEvents) {
	if m.opCache != nil && p.steps[i].flags&newOps != 0 {
		if m.hit = m.opCache.touch(p.more[i].ops * opLine); m.hit {
			seen = opHit
		}
	}
	if line && !m.hit && !m.l1i.touch(p.more[i].last) {
		seen |= lineMiss
	}
	return seen
}

// foreseeData sends the first load and the first store of each instruction to the cache.
func (m *core) foreseeData(data []isa.Access, p *plan) {
	for k := 0; k < len(data); {
		i := data[k].Step
		s := &p.steps[i]
		seen := access(i) << stepAt
		var load, store *isa.Access
		for ; k < len(data) && data[k].Step == i; k++ {
			switch a := &data[k]; {
			case a.Store && store == nil:
				store = a
			case !a.Store && load == nil:
				load = a
			}
		}
		if load != nil {
			seen |= m.loadSeen(load, p.more[i].last, m.passed+uint64(s.stores))
		}
		if store != nil {
			seen |= m.storeSeen(store, m.passed+uint64(s.stores)+uint64(s.storeUops)-1)
		}
		m.dataSeen = append(m.dataSeen, seen)
	}
}
