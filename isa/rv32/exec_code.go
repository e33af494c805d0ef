package rv32

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"simrun/isa"
)

// maxRun bounds the steps of a straight run.
const maxRun = 4096

// straight is a decoded run with what the executor needs to know of it.
type straight struct {
	isa.Straight
	bytes uint64 // of code
	ends  bool   // the last step is one for leave
}

// index returns the first step at addr or behind it.
func (r *straight) index(addr uint64) int {
	return sort.Search(len(r.Time), func(i int) bool { return r.Time[i].PC >= addr })
}

// codeCache keeps decoded runs by their first address. Decoding again is the only effect of
// losing one, so slots collide freely.
type codeCache struct {
	mem      *isa.Memory
	features []string
	aligned  bool   // misaligned accesses fault
	pcMask   uint32 // PC bits that must be zero
	slots    [1 << 12]*straight
	// lines has a bit for each 64-byte line of memory that holds cached code, by line number
	// modulo its length: stores into writable code regions must be told apart fast.
	lines [1 << 10]uint64
}

// init attaches the cache to mem, behind any hook that is already there.
func (cc *codeCache) init(mem *isa.Memory, features []string) {
	cc.mem, cc.features = mem, features
	cc.aligned = !slices.Contains(features, "zicclsm")
	cc.pcMask = 3
	if slices.Contains(features, "c") {
		cc.pcMask = 1
	}
	next := mem.Written
	mem.Written = func(addr, n uint64) {
		cc.written(addr, n)
		if next != nil {
			next(addr, n)
		}
	}
}

const (
	lineShift = 6
	lineCount = 1 << 16 // bits in codeCache.lines
)

// written drops the runs that hold a byte of [addr, addr+n).
func (cc *codeCache) written(addr, n uint64) {
	hit := false
	for line := addr >> lineShift; line <= (addr+n-1)>>lineShift && !hit; line++ {
		hit = cc.lines[line%lineCount/64]>>(line%64)&1 != 0
	}
	if !hit {
		return
	}
	clear(cc.lines[:])
	for i, r := range cc.slots {
		switch {
		case r == nil:
		case addr < r.PC+r.bytes && r.PC < addr+n:
			cc.slots[i] = nil
		default:
			cc.mark(r)
		}
	}
}

// mark notes the lines of a run.
func (cc *codeCache) mark(r *straight) {
	for line := r.PC >> lineShift; line <= (r.PC+r.bytes-1)>>lineShift; line++ {
		cc.lines[line%lineCount/64] |= 1 << (line % 64)
	}
}

// clear drops everything, as FENCE.I asks.
func (cc *codeCache) clear() {
	clear(cc.slots[:])
	clear(cc.lines[:])
}

// at returns the run that starts at pc, or nil and why there is none.
func (cc *codeCache) at(pc uint32) (*straight, isa.Stop) {
	slot := &cc.slots[pc>>1%uint32(len(cc.slots))]
	if r := *slot; r != nil && r.PC == uint64(pc) {
		return r, isa.Stop{}
	}
	r, stop := cc.decode(pc)
	if r == nil {
		return nil, stop
	}
	*slot = r
	cc.mark(r)
	return r, isa.Stop{}
}

// decode makes the run at pc: up to the first step that leaves it, an instruction that cannot
// be executed, the end of memory or maxRun steps. A row that reads the clock stands alone.
func (cc *codeCache) decode(pc uint32) (*straight, isa.Stop) {
	code, fault := cc.fetch(pc)
	if fault != nil {
		return nil, isa.Stop{Kind: isa.StopFault, PC: uint64(pc), Err: fault}
	}
	r := &straight{Straight: isa.Straight{PC: uint64(pc)}}
	for len(r.Steps) < maxRun && !r.ends {
		at := pc + uint32(r.bytes)
		in, size, err := (Arch{}).Decode(code[r.bytes:], uint64(at))
		if err == nil {
			err = cc.missing(in.Form)
		}
		if len(r.Steps) > 0 && (err != nil || in.Form.Flags&isa.ReadsClock != 0) {
			break
		}
		if err == errTruncated {
			return nil, isa.Stop{Kind: isa.StopFault, PC: uint64(at), Err: cc.mem.FaultAt(uint64(at)+2, 2, isa.X)}
		}
		if err != nil {
			return nil, isa.Stop{Kind: isa.StopUndef, PC: uint64(at), Err: err}
		}
		b := base(in)
		r.Steps = append(r.Steps, newStep(b, at, size, cc.aligned))
		r.Time = append(r.Time, newStatic(in, b, at, size))
		r.bytes += uint64(size)
		r.ends = entries[b.Form.Num].kind.endsRun()
	}
	return r, isa.Stop{}
}

// fetch returns the code from pc to the end of its region.
func (cc *codeCache) fetch(pc uint32) ([]byte, *isa.Fault) {
	if pc&cc.pcMask != 0 {
		return nil, &isa.Fault{Addr: uint64(pc), Size: 4, Want: isa.X, Cause: misaligned}
	}
	reg := cc.mem.Find(uint64(pc), 2)
	if reg == nil || reg.Perm&isa.X == 0 {
		return nil, cc.mem.FaultAt(uint64(pc), 2, isa.X)
	}
	return reg.Data[uint64(pc)-reg.Base:], nil
}

// eitherFeature divides the extensions of a Form.Feature of which one suffices.
const eitherFeature = " or "

// word returns the instruction at pc as mtval shows it: its 16 or 32 bits.
func (cc *codeCache) word(pc uint64) uint32 {
	if w, ok := cc.mem.Load32(pc); ok && w&3 == 3 {
		return w
	}
	h, _ := cc.mem.Load16(pc)
	return uint32(h)
}

// missing says which extension a row needs that is not there.
func (cc *codeCache) missing(f *isa.Form) error {
	for name := range strings.SplitSeq(f.Feature, eitherFeature) {
		if name == "" || slices.Contains(cc.features, name) {
			return nil
		}
	}
	return fmt.Errorf("%s needs the extension %s, which this CPU lacks", f.ID, f.Feature)
}
