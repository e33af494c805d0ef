package compile

import (
	"cmp"
	"slices"

	"simrun/isa"
)

func (s *state) fuses() bool { return s.target.Fuse != nil }

// runFuse makes one instruction of neighbouring loads of consecutive words. A multiple load takes as long as a run of single
// ones that it replaces whole. Parts of a run, and stores, take a cycle more: they are fused only for size.
func runFuse(s *state) error {
	f := fuser{s: s, out: s.code[:0:0]}
	for begin := 0; begin < len(s.code); {
		end := begin + 1
		for isAccess(&s.code[begin]) && end < len(s.code) && sameKind(&s.code[begin], &s.code[end]) {
			end++
		}
		f.run(s.code[begin:end], end < len(s.code) && isMemory(&s.code[end]))
		begin = end
	}
	s.code = f.out
	return nil
}

func isAccess(m *MInst) bool { return isMemory(m) && m.Form.Flags&isa.Branch == 0 }

func sameKind(a, b *MInst) bool {
	return isAccess(b) && (a.Form.Flags^b.Form.Flags)&(isa.Load|isa.Store) == 0
}

type fuser struct {
	s   *state
	out []MInst
}

// run appends neighbouring accesses of one kind, fused where that pays; before says that another access follows.
func (f *fuser) run(run []MInst, before bool) {
	if len(run) > 1 {
		if in, ok := f.s.target.Fuse(insts(run)); ok && (isLoad(&run[0]) && !before || f.s.opt.Short&ShortAccesses != 0 && f.saves(run, in)) {
			f.out = append(f.out, fused(run, in))
			return
		}
		if f.s.opt.Short&ShortAccesses != 0 && independent(run) {
			run = f.parts(run)
		}
	}
	f.out = append(f.out, run...)
}

// parts fuses what can be fused of a run whose accesses may stand in any order.
func (f *fuser) parts(run []MInst) []MInst {
	sorted := slices.Clone(run)
	slices.SortStableFunc(sorted, func(a, b MInst) int {
		return cmp.Or(cmp.Compare(addressOf(&a), addressOf(&b)), cmp.Compare(offsetOf(&a), offsetOf(&b)))
	})
	var out []MInst
	for len(sorted) > 0 {
		n := len(sorted)
		for ; n > 1; n-- {
			if in, ok := f.s.target.Fuse(insts(sorted[:n])); ok && f.saves(sorted[:n], in) {
				out = append(out, fused(sorted[:n], in))
				break
			}
		}
		if n == 1 {
			out = append(out, sorted[0])
		}
		sorted = sorted[n:]
	}
	if len(out) == len(run) {
		return run
	}
	return out
}

// independent reports whether no access of the run writes a register that another one reads or writes.
func independent(run []MInst) bool {
	var read, written isa.RegSet
	for i := range run {
		w := writtenBy(&run[i].Inst)
		if w&written != 0 {
			return false
		}
		read, written = read|readBy(&run[i].Inst), written|w
	}
	return read&written == 0
}

// saves reports whether in is shorter than the instructions that it replaces, each in its shortest form.
func (f *fuser) saves(run []MInst, in isa.Inst) bool {
	n := 0
	for i := range run {
		n += f.size(run[i].Inst)
	}
	return f.size(in) < n
}

func (f *fuser) size(in isa.Inst) int {
	if f.s.shortens() {
		if short, ok := f.s.target.Shorten(in, ^isa.RegSet(0)); ok {
			in = short
		}
	}
	return f.s.target.Arch.(isa.Sized).Size(in.Form)
}

func insts(run []MInst) []isa.Inst {
	list := make([]isa.Inst, len(run))
	for i := range run {
		list[i] = run[i].Inst
	}
	return list
}

func fused(run []MInst, in isa.Inst) MInst {
	m := run[0]
	m.Inst, m.Slot = in, 0
	return m
}

// offsetOf is the immediate of an access, 0 if there is none.
func offsetOf(m *MInst) int64 {
	for i := range m.Form.Ops {
		if m.Form.Ops[i].Kind == isa.KindImm {
			return m.Args[i]
		}
	}
	return 0
}
