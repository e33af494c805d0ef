package ooo

import (
	"fmt"
	"slices"
	"strings"

	"simrun/costmodel"
	"simrun/isa"
)

// uopKind is what a uop waits for.
type uopKind uint8

const (
	uopLoad    uopKind = iota // the address
	uopExec                   // data registers, and the load
	uopChain                  // the uops of the instruction before it
	uopAddress                // of a store: the address
	uopData                   // of a store: data registers, or the result
	uopNone                   // nothing executes: it is renamed and retires
)

// uop is a uop of the unfused domain.
type uop struct {
	kind         uopKind
	starts, ends bool  // the first and the last of its fused uop
	n            uint8 // places
	latency      uint64
	busy         uint64
	waits        [4]uint64 // all ones where it waits for a time of the instruction, else 0; see times
	gives        [4]uint64 // the same for the time that it makes
	places       [4]place
}

// times of an instruction: its address registers and its other registers are there, it has loaded, it has executed.
const (
	timeAddress = iota
	timeInput
	timeLoaded
	timeDone
)

// place is a scheduler with those of its ports that a uop may use.
type place struct {
	scheduler, n uint8
	ports        [8]uint8 // in the order of the CPU file; the last is repeated
}

// decoder turns decoded instructions into plans.
type decoder struct {
	classes                []template // by Static.Class
	load, store            [2]part    // general, vector
	owners                 [costmodel.MaxPorts]uint8
	sp, flags              isa.Reg
	portCount, registers   int // numbers of them
	fetchShift, lineShift  uint
	narrowReads            bool // narrow writes read the old register
	rotateFlags            bool
	eliminate              bool
	stackEngine            bool
	uops                   map[uop]*uop // all that are in plans
	fuses                  bool
	decoders, firstDecoder int // instructions in a cycle, uops of the first
}

// template is a timing class: how many loads and stores it says it does, and what executes.
type template struct {
	loads, stores int
	exec          []uop
	part          *part // the class is a load or store itself
	split         bool
	why           costmodel.Cause
}

// part is a load or a store in uops.
type part struct {
	key  string // its row
	uops []uop
}

func newDecoder(cpu *costmodel.CPU, arch isa.Arch) (*decoder, error) {
	d := &decoder{
		uops: map[uop]*uop{}, registers: arch.NumRegs(),
		sp: arch.ABI().SP, flags: flagsOf(arch), fetchShift: log2(cpu.Param("fetch_bytes")), lineShift: log2(cpu.Param("line")),
		narrowReads: cpu.Param("partial_merge") == 0, rotateFlags: cpu.Param("rotate_flags") != 0,
		eliminate: cpu.Param("move_elimination") != 0, stackEngine: cpu.Param("stack_sync") != 0,
		fuses: cpu.Param("micro_fusion") != 0, decoders: cpu.Param("decoders"), firstDecoder: cpu.Param("decoder_uops"),
	}
	if err := d.ownPorts(cpu); err != nil {
		return nil, err
	}
	for i, prefix := range []string{"", "vec."} {
		var err error
		if d.load[i], err = d.newPart(cpu, prefix, "load", uopLoad); err != nil {
			return nil, err
		}
		if d.store[i], err = d.newPart(cpu, prefix, "store", uopAddress, uopData); err != nil {
			return nil, err
		}
	}
	for _, name := range arch.Classes() {
		t, err := d.newTemplate(cpu, name)
		if err != nil {
			return nil, err
		}
		d.classes = append(d.classes, t)
	}
	return d, nil
}

// flagsOf returns the register of flags: what every form of a class writes that has no other implicit result.
func flagsOf(arch isa.Arch) isa.Reg {
	for r := range isa.Reg(arch.NumRegs()) {
		if strings.HasSuffix(arch.RegName(r), "flags") {
			return r
		}
	}
	return isa.NoReg
}

// ownPorts notes the scheduler of each port, schedulers in the order of their names.
func (d *decoder) ownPorts(cpu *costmodel.CPU) error {
	for i, s := range schedulers(cpu) {
		ports, err := costmodel.ParsePorts(s.Ports)
		if err != nil {
			return err
		}
		for _, p := range ports {
			d.owners[p] = uint8(i)
			d.portCount = max(d.portCount, int(p)+1)
			if p >= loadCounters && cpu.Param("bind") == 0 {
				return fmt.Errorf("%s: bind = 0 counts the load of ports 0 to %d only", cpu.File, loadCounters-1)
			}
		}
	}
	return nil
}

func schedulers(cpu *costmodel.CPU) []costmodel.Scheduler {
	var names []string
	for name := range cpu.Schedulers {
		names = append(names, name)
	}
	slices.Sort(names)
	list := make([]costmodel.Scheduler, len(names))
	for i, name := range names {
		list[i] = cpu.Schedulers[name]
	}
	return list
}

// newPart reads a row of loads or stores: one uop on ports for each kind.
func (d *decoder) newPart(cpu *costmodel.CPU, prefix, name string, kinds ...uopKind) (part, error) {
	key := cpu.RowKey(prefix + name)
	if key != prefix+name {
		key = name
	}
	row, err := cpu.Class(key)
	if err != nil {
		return part{}, err
	}
	terms, err := costmodel.ParseUops(row.Ports)
	if err != nil || len(terms) != len(kinds) {
		return part{}, fmt.Errorf("%s: class %s: ports %q: want %d terms of one uop", cpu.File, key, row.Ports, len(kinds))
	}
	p := part{key: key}
	for i, t := range terms {
		if t.Kind != costmodel.Execute || t.Count != 1 {
			return part{}, fmt.Errorf("%s: class %s: ports %q: want single uops on ports", cpu.File, key, row.Ports)
		}
		u := d.uop(kinds[i], t.Ports)
		u.latency, u.busy = 1, uint64(row.Cycles)
		if kinds[i] == uopLoad {
			u.latency = uint64(row.Latency)
		}
		p.uops = append(p.uops, u)
	}
	return p, nil
}

// uop sorts ports by scheduler. Schedulers stand in their order, so that uops of different ports share a turn.
func (d *decoder) uop(kind uopKind, ports []uint8) uop {
	u := uop{kind: kind}
	for _, p := range ports {
		i := slices.IndexFunc(u.places[:u.n], func(l place) bool { return l.scheduler == d.owners[p] })
		if i < 0 {
			i = int(u.n)
			u.n++
			u.places[i].scheduler = d.owners[p]
		}
		l := &u.places[i]
		for k := l.n; int(k) < len(l.ports); k++ {
			l.ports[k] = p
		}
		l.n++
	}
	slices.SortFunc(u.places[:u.n], func(a, b place) int { return int(a.scheduler) - int(b.scheduler) })
	return u
}

func (d *decoder) newTemplate(cpu *costmodel.CPU, name string) (template, error) {
	row, err := cpu.Class(name)
	if err != nil {
		return template{}, err
	}
	t := template{split: row.Split, why: waitCause(name)}
	key := cpu.RowKey(name)
	for _, parts := range [][2]part{d.load, d.store} {
		for i := range parts {
			if parts[i].key == key {
				t.part = &part{key, parts[i].uops}
				return t, nil
			}
		}
	}
	terms, err := costmodel.ParseUops(row.Ports)
	if err != nil {
		return t, fmt.Errorf("%s: class %s: %w", cpu.File, key, err)
	}
	for _, term := range terms {
		switch term.Kind {
		case costmodel.LoadPart:
			t.loads += term.Count
		case costmodel.StorePart:
			t.stores += term.Count
		default:
			for range term.Count {
				t.exec = append(t.exec, d.uop(uopExec, term.Ports))
			}
		}
	}
	spread(t.exec, row)
	return t, nil
}

// spread shares out a latency over uops: as many as fit form a chain of one cycle each at the end, those before
// it start together, and have what is left.
func spread(exec []uop, row costmodel.Class) {
	depth := min(len(exec), row.Latency)
	heads := len(exec) - depth + 1
	for i := range exec {
		exec[i].busy, exec[i].latency = uint64(row.Cycles), uint64(row.Latency-(depth-1))
		if i >= heads {
			exec[i].kind, exec[i].latency = uopChain, 1
		}
	}
}

func waitCause(class string) costmodel.Cause {
	switch root, rest, _ := strings.Cut(class, "."); {
	case root == "load" || root == "pop" || root == "vec" && strings.HasPrefix(rest, "load"):
		return costmodel.LoadUse
	case root == "mul" || root == "vec" && strings.HasPrefix(rest, "mul"):
		return costmodel.Mul
	case root == "div" || root == "idiv":
		return costmodel.Div
	}
	return costmodel.Dependency
}

// expand returns the uops of an instruction: loads, what executes, stores.
func (d *decoder) expand(st *isa.Static) []uop {
	t := &d.classes[st.Class]
	if d.eliminate && st.Traits&isa.RegMove != 0 {
		return link([]uop{{kind: uopNone}}, true)
	}
	file := 0
	if slices.ContainsFunc(st.Form.Ops, func(o isa.Operand) bool { return o.Class == isa.Vec }) {
		file = 1
	}
	var list []uop
	loads, stores := t.loads, t.stores
	if t.part != nil {
		list = append(list, t.part.uops...)
	} else {
		if loads == 0 && st.Flags&isa.Load != 0 {
			loads = 1
		}
		if stores == 0 && st.Flags&isa.Store != 0 {
			stores = 1
		}
	}
	for range loads {
		list = append(list, d.load[file].uops...)
	}
	list = append(list, t.exec...)
	for range stores {
		list = append(list, d.store[file].uops...)
	}
	if len(list) == 0 {
		list = append(list, uop{kind: uopNone})
	}
	return link(list, !d.fuses || t.split || st.Traits&isa.RIPImmediate != 0)
}

// link marks fused uops, the last load with the first uop that executes and a store's address with its data, and
// says what waits for what.
func link(uops []uop, split bool) []uop {
	executes := slices.ContainsFunc(uops, func(u uop) bool { return u.kind == uopExec })
	for i := range uops {
		u := &uops[i]
		u.starts, u.ends = true, true
		u.connect(executes)
		if i == 0 || split {
			continue
		}
		before := &uops[i-1]
		if u.kind == uopExec && before.kind == uopLoad || u.kind == uopData && before.kind == uopAddress {
			before.ends, u.starts = false, false
		}
	}
	return uops
}

// connect says which times a uop waits for, and which it makes; executes, that the instruction has uops that do.
func (u *uop) connect(executes bool) {
	wait := func(times ...int) {
		for _, t := range times {
			u.waits[t] = ^uint64(0)
		}
	}
	give := func(t int) { u.gives[t] = ^uint64(0) }
	switch u.kind {
	case uopLoad:
		wait(timeAddress)
		give(timeLoaded)
	case uopExec:
		wait(timeInput, timeLoaded)
		give(timeDone)
	case uopChain:
		wait(timeDone)
		give(timeDone)
	case uopAddress:
		wait(timeAddress)
	case uopData:
		wait(timeLoaded, timeDone)
		if !executes {
			wait(timeInput)
		}
	}
}

// shared returns the one copy of a uop.
func (d *decoder) shared(u uop) *uop {
	if d.uops[u] == nil {
		d.uops[u] = &u
	}
	return d.uops[u]
}
