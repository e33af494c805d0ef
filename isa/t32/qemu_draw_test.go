package t32

import (
	"encoding/binary"

	"simrun/isa"
)

// drawInsts chooses the instructions of an instance and the registers that make them meaningful.
// Rows come round robin, so every row is seen.
func (p *program) drawInsts(d *draw) {
	p.next++
	e := p.rows[p.next%len(p.rows)]
	for {
		for i := range d.regs {
			d.regs[i] = p.number()
		}
		d.regs[13] &^= 3
		d.regs[15] &= 0xf80f0000
		d.insts = d.insts[:0]
		if e == encIT {
			p.drawBlock(d)
		} else {
			p.drawOne(d, e)
		}
		if len(d.insts) > 0 && p.chooseScratch(d) {
			maskStatus(d)
			return
		}
	}
}

// maskStatus keeps VMSR from the vector lengths that QEMU's FPSCR has and ARMv7-M has not.
func maskStatus(d *draw) {
	for i := range d.insts {
		if d.insts[i].Form.ID == "VMSR_T1" {
			d.regs[d.insts[i].Reg(0)] &= fpscrMask
		}
	}
}

// number favours the edges of arithmetic.
func (p *program) number() uint32 {
	switch p.r.IntN(8) {
	case 0:
		return []uint32{0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x80000001}[p.r.IntN(8)]
	case 1:
		return p.r.Uint32() & 0xff
	case 2:
		return 1 << p.r.IntN(32)
	case 3:
		return -(p.r.Uint32() & 0xffff)
	}
	return p.r.Uint32()
}

// chooseScratch finds a register that no instruction touches.
func (p *program) chooseScratch(d *draw) bool {
	var used isa.RegSet
	for i := range d.insts {
		st := encodings[d.insts[i].Form.Num].static(&d.insts[i], d.head)
		used |= st.Src | st.Dst
	}
	first := p.r.IntN(13)
	for k := range 13 {
		if x := isa.Reg((first + k) % 13); !used.Has(x) {
			d.scratch = x
			return true
		}
	}
	return false
}

// straightRow reports whether a row neither branches nor touches memory, so that it may stand among
// others. VMSR may not: what it writes must be masked, see maskStatus.
func straightRow(e *encoding) bool {
	return e.form.ID != "VMSR_T1" && e.form.Flags&(isa.Load|isa.Store|isa.Branch|isa.System) == 0 && e != encIT
}

// drawBlock makes an IT with one to four instructions.
func (p *program) drawBlock(d *draw) {
	cond := p.r.IntN(14)
	mask := 1 + p.r.IntN(15)
	d.insts = append(d.insts, Make("IT_T1", int64(mask), int64(cond)))
	pc := d.head + 2
	for it := uint8(cond)<<4 | uint8(mask); it != 0; it = nextIT(it) {
		e := p.rows[p.r.IntN(len(p.rows))]
		for !straightRow(e) {
			e = p.rows[p.r.IntN(len(p.rows))]
		}
		in := randomInst(p.r, e, pc)
		if writesPC(&in) {
			d.insts = nil
			return
		}
		in.Cond = 1 + it>>4
		d.insts = append(d.insts, in)
		pc += uint32(e.size)
	}
}

func writesPC(in *isa.Inst) bool {
	st := encodings[in.Form.Num].static(in, 0)
	return st.Dst.Has(PC)
}

func (p *program) drawOne(d *draw, e *encoding) {
	in := randomInst(p.r, e, d.head)
	pc := d.head
	ok := true
	switch {
	case e.form.Flags&isa.Branch != 0 || writesPC(&in):
		ok = p.aimBranch(d, e, &in)
	case e.form.Flags&(isa.Load|isa.Store) != 0:
		if e.form.Flags&isa.Store != 0 && e.form.Class == "store.exclusive" && p.r.IntN(2) == 0 {
			pc += p.reserve(d, e, &in)
		}
		ok = p.aimMemory(d, e, &in, pc)
	}
	if !ok {
		d.insts = nil
		return
	}
	d.insts = append(d.insts, in)
}

// reserve puts the LDREX before a STREX, into a register that the STREX does not use.
func (p *program) reserve(d *draw, e *encoding, in *isa.Inst) uint32 {
	var used isa.RegSet
	for i := range in.Form.Ops {
		if in.Form.Ops[i].Kind == isa.KindReg {
			used = used.With(in.Reg(i))
		}
	}
	x := isa.Reg(0)
	for used.Has(x) {
		x++
	}
	args := []int64{int64(x), in.Args[2], in.Args[3]}
	ld := map[string]string{"STREX_T1": "LDREX_T1", "STREXB_T1": "LDREXB_T1", "STREXH_T1": "LDREXH_T1"}[e.form.ID]
	first := Make(ld, args[:len(byID[ld].ops)]...)
	d.insts = append(d.insts, first)
	return 4
}

// aimMemory sets the base register so that the access falls into the instance's own 64 bytes.
func (p *program) aimMemory(d *draw, e *encoding, in *isa.Inst, pc uint32) bool {
	if e.form.Class == "load.literal" {
		return p.literalInside(e, in, pc)
	}
	st := e.step(in, pc)
	list := e.slot('L') >= 0
	size, align := uint32(4), uint32(1)
	switch {
	case list:
		size, align = st.Imm2, 4
	case e.slot('v') >= 0:
		size, align = 8, 4
	case e.form.Feature == "fp":
		size, align = 4*uint32(e.ops[e.slot('x')].regs), 4
	case e.form.Class == "load.exclusive" || e.form.Class == "store.exclusive":
		align = 4
	}
	if size > 64 {
		return false
	}
	target := (d.area + uint32(p.r.IntN(int(64-size)+1))) &^ (align - 1)
	return p.setBase(d, &st, list, target)
}

// setBase solves for the base register of a step.
func (p *program) setBase(d *draw, st *isa.Step, list bool, target uint32) bool {
	if st.A == st.B || st.A > 14 {
		return false
	}
	var offset uint32
	switch {
	case list && st.Flags&up == 0:
		offset = -st.Imm2
	case list:
	default:
		offset = uint32(st.Imm)
		if st.B <= 14 {
			offset += d.regs[st.B] << st.C
		}
	}
	d.regs[st.A] = target - offset
	return st.A != uint8(SP) || d.regs[SP]&3 == 0
}

// literalInside keeps a literal within the margin of zeros and the code before this instance, whose
// bytes are settled; its own registers stand behind it.
func (p *program) literalInside(e *encoding, in *isa.Inst, pc uint32) bool {
	addr := in.Args[e.slot('i')] &^ negZeroLabel
	return addr >= codeBase && addr+8 <= int64(pc)+2048 && !writesPC(in)
}

// aimBranch makes a branch skip the marker that follows it.
func (p *program) aimBranch(d *draw, e *encoding, in *isa.Inst) bool {
	target := d.head + uint32(e.size) + 4
	switch {
	case e.slot('b') >= 0:
		in.Args[e.slot('b')] = int64(target)
		return true
	case e.form.Class == "branch.table":
		return p.aimTable(d, e, in)
	case e.form.Flags&isa.Load != 0:
		return p.aimLoadPC(d, e, in, target)
	case e.form.ID == "ADD_reg_T2":
		m := in.Args[1]
		if m == int64(PC) {
			return false
		}
		d.regs[m] = target - (d.head + 4)
		return m != int64(SP) || d.regs[m]&3 == 0
	}
	m := e.reg(in, 'm', 0)
	if m == uint8(SP) || m == uint8(PC) {
		return false
	}
	d.regs[m] = target | 1
	return true
}

// aimTable: every entry of the area is 2, the halfwords of the marker.
func (p *program) aimTable(d *draw, e *encoding, in *isa.Inst) bool {
	st := e.step(in, d.head)
	if st.A == st.B || st.A > 14 {
		return false
	}
	off := d.area - dataBase
	for i := range uint32(64) {
		p.data[off+i] = 2
		if st.C == 2 && i%2 == 1 {
			p.data[off+i] = 0
		}
	}
	index := uint32(p.r.IntN(16))
	d.regs[st.B], d.regs[st.A] = index, d.area
	return true
}

// aimLoadPC puts the target where LDR, LDM or POP will find the PC.
func (p *program) aimLoadPC(d *draw, e *encoding, in *isa.Inst, target uint32) bool {
	if e.form.Class == "load.literal" {
		return false
	}
	st := e.step(in, d.head)
	list, at := e.slot('L') >= 0, d.area+uint32(p.r.IntN(8))*4
	last := at
	if list {
		if st.Imm2 > 64 {
			return false
		}
		at = d.area
		last = at + st.Imm2 - 4
	}
	binary.LittleEndian.PutUint32(p.data[last-dataBase:], target|1)
	return p.setBase(d, &st, list, at)
}
