package t32

import (
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// Random programs: some straight code, IT blocks and memory accesses, joined by conditional branches
// forward, a counted loop and a call. Every instance is one such program.

// Registers that random code does not write.
const (
	spare   isa.Reg = 10 // for constants on the way to the SP
	counter isa.Reg = 11 // of the loop
)

func TestProgramsQEMU(t *testing.T) {
	qemu := foreign.Tool(t, "qemu-arm")
	total := foreign.Count(20_000, 4_000_000)
	seen, retired := map[string]int{}, 0
	for batch := 0; batch*perBatch < total && !t.Failed(); batch++ {
		p := newProgram(uint64(batch) + 1<<32)
		p.walks = true
		for i := range perBatch {
			p.instance(i)
		}
		p.finish()
		p.compare(t, p.runCore(t), p.runQEMU(t, qemu))
		for id, n := range p.seen {
			seen[id] += n
		}
		retired += int(p.retired)
	}
	for _, id := range []string{"B_T1", "B_T3", "B_T4", "CBZ_T1", "CBNZ_T1", "BL_T1", "BX_T1", "IT_T1", "LDM_T2", "PUSH_T1", "POP_T1", "VLDR_D_T1"} {
		if seen[id] < total/500 {
			t.Errorf("%s stands in the programs %d times only", id, seen[id])
		}
	}
	if retired < 40*total {
		t.Errorf("%d programs executed %d instructions; want 40 each", total, retired)
	}
	t.Logf("%d programs, %d instructions", total, retired)
}

// walk is a program under construction: its instructions, and where branches go.
type walk struct {
	p     *program
	d     *draw
	insts []isa.Inst
	goes  map[int]int // instruction to the number of a block
	heads []int       // first instruction of each block
	keep  isa.RegSet  // registers that no instruction may write
}

// drawWalk makes the instructions of d a program.
func (p *program) drawWalk(d *draw) {
	for i := range d.regs {
		d.regs[i] = p.number()
	}
	d.regs[13] &^= 3
	d.regs[15] &= 0xf80f0000
	d.scratch = spare
	w := &walk{p: p, d: d, goes: map[int]int{}, keep: isa.Set(SP, PC, spare, counter)}
	blocks := 2 + p.r.IntN(4)
	loop, sub := p.r.IntN(blocks), p.r.IntN(3) == 0
	for b := range blocks {
		w.block(b, blocks, b == loop, sub && b == 0)
	}
	w.heads = append(w.heads, len(w.insts))
	if sub {
		w.subroutine(blocks)
	}
	w.place()
	d.insts = w.insts
}

// block is some code that may be a loop, and the branch that ends it. With a subroutine the first calls it.
func (w *walk) block(b, blocks int, loop, call bool) {
	w.heads = append(w.heads, len(w.insts))
	head := 0
	if loop {
		w.add(Make("MOV_imm_T2", int64(counter), int64(1+w.p.r.IntN(5))))
		head = len(w.insts)
	}
	for range 1 + w.p.r.IntN(5) {
		w.some()
	}
	if call {
		w.jump(Make("BL_T1", 0), blocks+1)
	}
	if loop {
		w.add(Make("SUBS_imm_T3", int64(counter), int64(counter), 1))
		w.goes[len(w.insts)] = -1 - head
		w.add(Make("B_T3", NE, 0))
	}
	w.branch(b + 1 + w.p.r.IntN(blocks-b))
}

// branch goes forward to a block: on a condition, on a register, from inside an IT block, or always.
func (w *walk) branch(to int) {
	cond := w.p.r.IntN(AL)
	switch w.p.r.IntN(5) {
	case 0:
		w.jump(Make("B_T1", int64(cond), 0), to)
	case 1:
		w.jump(Make([]string{"CBZ_T1", "CBNZ_T1"}[w.p.r.IntN(2)], int64(w.p.r.IntN(8)), 0), to)
	case 2:
		w.add(Make("IT_T1", 8, int64(cond)))
		in := Make("B_T4", 0)
		in.Cond = uint8(1 + cond)
		w.jump(in, to)
	case 3:
		w.jump(Make("B_T4", 0), to)
	default:
		w.jump(Make("B_T3", int64(cond), 0), to)
	}
}

// subroutine stands behind the code that ends the program.
func (w *walk) subroutine(end int) {
	w.jump(Make("B_T4", 0), end+2)
	w.heads[end] = len(w.insts) - 1
	w.heads = append(w.heads, len(w.insts))
	w.keep = w.keep.With(LR)
	for range 1 + w.p.r.IntN(4) {
		w.some()
	}
	w.add(Make("BX_T1", int64(LR)))
	w.heads = append(w.heads, len(w.insts))
}

func (w *walk) add(in isa.Inst) { w.insts = append(w.insts, in) }

func (w *walk) jump(in isa.Inst, to int) {
	w.goes[len(w.insts)] = to
	w.add(in)
}

// some adds an instruction, an access to memory with what sets its base, or an IT block.
func (w *walk) some() {
	switch w.p.r.IntN(4) {
	case 0:
		w.memory(0)
	case 1:
		cond, mask := w.p.r.IntN(AL), 1+w.p.r.IntN(15)
		it := uint8(cond)<<4 | uint8(mask)
		w.add(Make("IT_T1", int64(mask), int64(cond)))
		at := len(w.insts) - 1
		if w.p.r.IntN(2) == 0 && w.memory(1+it>>4) {
			// The base is set before the IT.
			last := len(w.insts) - 1
			copy(w.insts[at:last], w.insts[at+1:last])
			w.insts[last-1] = Make("IT_T1", int64(mask), int64(cond))
			it = nextIT(it)
		}
		for ; it != 0; it = nextIT(it) {
			w.add(w.straight(1 + it>>4))
		}
	default:
		w.add(w.straight(0))
	}
}

// straight draws an instruction that only computes.
func (w *walk) straight(cond uint8) isa.Inst {
	for {
		e := w.p.rows[w.p.r.IntN(len(w.p.rows))]
		if !straightRow(e) {
			continue
		}
		in := randomInst(w.p.r, e, 0)
		if st := e.static(&in, 0); st.Dst&w.keep == 0 && !hasLabel(&in) {
			in.Cond = cond
			return in
		}
	}
}

// memory adds an access to the instance's own bytes, behind what gives its registers their values.
func (w *walk) memory(cond uint8) bool {
	for range 50 {
		e := w.p.rows[w.p.r.IntN(len(w.p.rows))]
		if e.form.Flags&(isa.Load|isa.Store) == 0 || e.form.Flags&isa.Branch != 0 ||
			e.form.Class == "load.literal" || e.form.Class == "load.exclusive" || e.form.Class == "store.exclusive" {
			continue
		}
		in := randomInst(w.p.r, e, 0)
		st := e.step(&in, 0)
		base, index := isa.Reg(st.A), isa.Reg(st.B)
		written := e.static(&in, 0).Dst &^ isa.Set(SP)
		if base > LR || written&w.keep != 0 || written.Has(SP) || w.keep.With(SP).Has(index) || base != SP && w.keep.Has(base) {
			continue
		}
		tmp := draw{area: w.d.area}
		tmp.regs[index&15] = w.p.number()
		if index > PC {
			tmp.regs = [16]uint32{}
		}
		if !w.p.aimMemory(&tmp, e, &in, 0) {
			continue
		}
		if index <= LR {
			w.constant(index, tmp.regs[index])
		}
		w.constant(base, tmp.regs[base])
		in.Cond = cond
		w.add(in)
		return true
	}
	return false
}

// constant puts a value into a register.
func (w *walk) constant(r isa.Reg, v uint32) {
	to := r
	if r == SP {
		to = spare
	}
	w.add(Make("MOV_imm_T3", int64(to), int64(v&0xffff)))
	w.add(Make("MOVT_T1", int64(to), int64(v>>16)))
	if r == SP {
		w.add(Make("MOV_reg_T1", int64(SP), int64(spare)))
	}
}

// place gives branches their targets. One that does not reach goes: a no-op of its size stands there.
func (w *walk) place() {
	at := make([]uint32, len(w.insts)+1)
	at[0] = w.d.head
	for i := range w.insts {
		at[i+1] = at[i] + uint32(encodings[w.insts[i].Form.Num].size)
	}
	for i, to := range w.goes {
		in := &w.insts[i]
		target := at[max(-1-to, 0)]
		if to >= 0 {
			target = at[w.heads[to]]
		}
		e := encodings[in.Form.Num]
		in.Args[e.slot('b')] = int64(target)
		if _, err := e.encode(in, at[i]); err != nil {
			*in = Make([]string{"NOP_T1", "NOP_T2"}[e.size/4])
		}
	}
}
