package compile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"simrun/isa"
	"simrun/programs/ir"
)

// state is what the passes hand on.
type state struct {
	kernel *ir.Kernel
	target *Target
	opt    Options
	roll   int
	next   int // index in passes of the first that is left
	graph  *Graph
	ctx    *Context
	proc   *Proc
	code   []MInst
	used   isa.RegSet
	saved  isa.RegSet // of used, those that the convention wants back
	frame  int
	slots  []int // offsets in the frame of the spill slots for vectors
	block  *isa.Block
	heads  map[string]bool  // labels at the beginning of loops and behind them
	longer map[int]isa.Inst // by index of block.Items: the instruction that a shorter one stands for
	image  *isa.Image
}

// pass is one step. Level is the optimisation level from which it runs; when, if not nil, says whether it has anything to do.
type pass struct {
	name  string
	level int
	when  func(*state) bool
	run   func(*state) error
	text  func(*state) string
}

// passes is the whole compiler. The order matters:
//   - narrow-bits needs the whole graph and comes before selection, which looks at single operations;
//   - equivalents needs selected code, since only there is it seen which combinations are one instruction;
//   - order is the place of the schedule search; it must see selected code, since costs are of instructions;
//   - registers comes after the last reordering that may change what is live;
//   - raise-loads comes after registers, because reloads exist only then;
//   - settle comes behind all that changes what instructions are taken and how long they are, where there is a pipeline to ask;
//   - fuse-loads comes behind raise-loads, because loads are neighbours only then;
//   - short-encodings must know which registers are dead, prologue and epilogue included.
var passes = []pass{
	{"elaborate", 0, nil, runElaborate, graphText},
	{"narrow-bits", 0, nil, func(s *state) error { narrowBits(s.graph, s.target.FreeRotate); return nil }, graphText},
	{"select", 0, nil, runSelect, func(s *state) string { return procText(s, s.proc.Code) }},
	{"equivalents", 1, nil, runEquivalents, altsText},
	{"order", 1, nil, runOrder, func(s *state) string { return procText(s, s.proc.Code) }},
	{"registers", 0, nil, runRegisters, func(s *state) string { return procText(s, s.code) }},
	{"raise-loads", 1, nil, runRaise, func(s *state) string { return procText(s, s.code) }},
	{"equal-forms", 1, func(s *state) bool { return s.target.Twin != nil }, runTwins, func(s *state) string { return procText(s, s.code) }},
	{"near-slots", 1, (*state).farSlots, runNearSlots, func(s *state) string { return procText(s, s.code) }},
	{"settle", 1, (*state).settles, runSettle, func(s *state) string { return procText(s, s.code) }},
	{"rename-registers", 1, (*state).shortens, runRename, func(s *state) string { return procText(s, s.code) }},
	{"fuse-loads", 1, (*state).fuses, runFuse, func(s *state) string { return procText(s, s.code) }},
	{"frame", 0, nil, runFrame, listing},
	{"short-encodings", 1, (*state).shortens, runShorten, listing},
	{"assemble", 0, nil, runAssemble, listing},
}

// Optional names the passes that code is right without, for Options.Without. pair-reloads and recompute are parts of
// registers.
func Optional() []string {
	return []string{"narrow-bits", "equivalents", "order", "recompute", "pair-reloads", "raise-loads", "rename-registers", "fuse-loads",
		"short-encodings", "equal-forms", "near-slots", "settle"}
}

func (o *Options) latency(class string) int {
	if o.Latency == nil {
		return 1
	}
	return o.Latency(class)
}

// ErrOrder says that a known order is not one of this kernel's instructions.
var ErrOrder = errors.New("the stored order does not fit this kernel")

// Compile turns a kernel into machine code for a target. Loops are unrolled as long as the code stays
// within o.Budget bytes; else the outermost stay loops, one level of nesting after the other. Errors
// are *ir.Error where the text is at fault.
func Compile(k *ir.Kernel, t *Target, o Options) (*Code, error) {
	t = t.of(k)
	roll, err := loopsToKeep(k, t, o)
	if err != nil {
		return nil, err
	}
	s := &state{kernel: k, target: t, opt: o, roll: roll}
	if err := s.run(); err != nil {
		return nil, err
	}
	return s.result(), nil
}

// loopsToKeep is how many levels of loops must stay so that the code fits the budget, all if none does. An order
// search changes the size by a few short encodings at most, so sizes are found without; other
// definitions can only make it smaller.
func loopsToKeep(k *ir.Kernel, t *Target, o Options) (int, error) {
	if o.Order != nil {
		return o.Order.Roll, nil
	}
	o.Search, o.Dump = Search{}, nil
	o.Without = append(slices.Clone(o.Without), "equivalents")
	for roll := o.Keep; ; roll++ {
		s := &state{kernel: k, target: t, opt: o, roll: roll}
		err := s.runTo("select")
		last := s.graph == nil || roll >= s.graph.Depth
		switch {
		case err != nil && (last || s.proc == nil || len(s.proc.Code) <= maxCode):
			return 0, err // else, with loops, the code may be small enough
		case err == nil && last:
			return roll, nil
		case err == nil && operations(s.proc.Code) <= o.Budget/ShortestInst && s.fits():
			return roll, nil
		}
	}
}

// ShortestInst is the length of the shortest instructions that kernels are made of, in bytes.
const ShortestInst = 2

// fits goes on from the selected code to its size. Code that cannot be made, because its tables are out of reach, fits
// nowhere.
func (s *state) fits() bool {
	if s.opt.Budget == math.MaxInt && len(s.proc.Data) == 0 {
		return true
	}
	return s.run() == nil && s.size() <= s.opt.Budget
}

func (s *state) size() int {
	n := 0
	for _, seg := range s.image.Segments {
		n += len(seg.Data)
	}
	return n
}

// run executes all passes that are left.
func (s *state) run() error { return s.runTo(passes[len(passes)-1].name) }

// runTo executes the passes that are left up to the named one, which may be one that is not wanted. A target refuses what it cannot do by panicking with *ir.Error.
func (s *state) runTo(last string) (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *ir.Error:
			err = e
		default:
			panic(e)
		}
	}()
	for s.next < len(passes) {
		p := &passes[s.next]
		s.next++
		if err := s.apply(p); err != nil || p.name == last {
			return err
		}
	}
	return nil
}

// apply executes a pass, if it is wanted.
func (s *state) apply(p *pass) error {
	if s.opt.Level < p.level || slices.Contains(s.opt.Without, p.name) || p.when != nil && !p.when(s) {
		return nil
	}
	if err := p.run(s); err != nil {
		return err
	}
	if s.opt.Dump != nil {
		s.opt.Dump(p.name, func() string { return p.text(s) })
	}
	return nil
}

func runElaborate(s *state) (err error) {
	s.graph, err = elaborate(s.kernel, s.target, s.roll)
	return err
}

// maxCode bounds the instructions of a kernel: more than any of these CPUs has flash for.
const maxCode = 100000

func runSelect(s *state) error {
	switch {
	case s.kernel.IsKeys(): // it stores all its words at the end
		storeEarly(s.graph, 0)
	case s.target.EarlyStores:
		storeEarly(s.graph, 128)
	}
	s.graph.countUses()
	if s.target.Context {
		s.ctx = contextFor(s.graph)
	}
	s.proc = selectCode(s.graph, s.target, s.ctx)
	if n := len(s.proc.Code); n > maxCode {
		return &ir.Error{Pos: s.kernel.Pos, Msg: fmt.Sprintf("%s: %d instructions, %d are the most", s.target.Arch.Name(), n, maxCode),
			Hint: "use repeat where the text uses for"}
	}
	return nil
}

func runEquivalents(s *state) error {
	findEquivalents(s.proc, s.target)
	s.proc.again = !slices.Contains(s.opt.Without, "recompute")
	return nil
}

func runRegisters(s *state) error {
	t := *s.target.demanding(s.opt.Demand)
	t.PairLoads = t.PairLoads && !slices.Contains(s.opt.Without, "pair-reloads")
	s.code, s.used, s.frame, s.slots = allocate(s.proc, &t)
	if t.Legal != nil {
		s.code = encodable(s.code, t.Legal)
	}
	return nil
}

func runOrder(s *state) error {
	o := s.opt.Order
	if o == nil {
		orderCode(s.proc, s.target, &s.opt)
		return nil
	}
	if o.Code != s.codeHash() {
		return ErrOrder
	}
	return s.applyOrder(o)
}

// applyOrder arranges the code as a known order says. Without the definitions that it was found with, the order is the
// nearest that is legal.
func (s *state) applyOrder(o *Order) error {
	p := s.proc
	a := textArrangement(len(p.Code))
	if len(o.Places) > 0 {
		a.places = o.Places
	}
	if !permutation(a.places, len(p.Code)) {
		return ErrOrder
	}
	text := slices.Clone(p.Code)
	var ok bool
	switch a.choice, ok = findChoices(p, o.Gates); {
	case ok:
	case p.alts != nil:
		return ErrOrder
	default:
		a.choice = make([]int32, len(text))
		a.places = untangle(p, a.places)
	}
	if !legal(p, text, a) {
		return ErrOrder
	}
	arrange(p, text, a)
	return nil
}

// encodable replaces instructions that have no encoding with the registers they got.
func encodable(code []MInst, replace func(isa.Inst) []isa.Inst) []MInst {
	var out []MInst
	for i := range code {
		m := code[i]
		if m.Kind != KindInst {
			out = append(out, m)
			continue
		}
		for _, m.Inst = range replace(m.Inst) {
			out = append(out, m)
		}
	}
	return out
}

// codeHash identifies the selected code: an order fits no other.
func (s *state) codeHash() string {
	sum := sha256.Sum256([]byte(procText(s, s.proc.Code)))
	return hex.EncodeToString(sum[:8])
}

func runRaise(s *state) error {
	raise(s.code, s.target, s.opt.latency)
	return nil
}

// runTwins takes the shorter of two equal instructions where the CPU charges the same for both.
func runTwins(s *state) error {
	if s.opt.SameCost == nil {
		return nil
	}
	for i := range s.code {
		m := &s.code[i]
		if m.Kind != KindInst {
			continue
		}
		if in, ok := s.target.Twin(m.Inst); ok && (in.Form.Class == m.Form.Class || s.opt.SameCost(in.Form.Class, m.Form.Class)) {
			m.Inst = in
		}
	}
	return nil
}

// contextFor lays out the parameters of a context block, 8 bytes each.
func contextFor(g *Graph) *Context {
	c := &Context{}
	for _, p := range g.Params {
		c.Fields = append(c.Fields, Field{p.Name, c.Size})
		c.Size += 8
	}
	c.Size = isa.AlignUp(c.Size, 16)
	return c
}

func runFrame(s *state) error {
	if s.frame > s.target.MaxFrame {
		return &ir.Error{Pos: s.kernel.Pos, Msg: fmt.Sprintf("%s: the kernel needs %d bytes of frame, %d is the most",
			s.target.Arch.Name(), s.frame, s.target.MaxFrame), Hint: "use smaller scratch arrays or fewer live values"}
	}
	s.block = s.finish()
	return nil
}

func runAssemble(s *state) (err error) {
	if _, ok := s.target.Arch.(isa.Sized); ok {
		s.layOut()
	}
	s.image, err = s.target.Arch.Assemble([]*isa.Block{s.block}, s.opt.Org)
	if err != nil {
		return fmt.Errorf("%s on %s: %w", s.kernel.Name, s.target.Arch.Name(), err)
	}
	s.image.Source = s.kernel.Pos.File
	return nil
}

// Symbol is the name of a kernel's function: its name with what C does not allow replaced by "_".
func Symbol(kernel string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, kernel)
}

func (s *state) result() *Code {
	c := &Code{Kernel: s.kernel, Params: s.graph.Params, Block: s.block, Image: s.image,
		Lanes: s.target.Lanes(s.kernel), Roll: s.roll, Depth: s.graph.Depth, state: s}
	if s.ctx != nil {
		s.ctx.Size = isa.AlignUp(s.frame, 64)
		c.Context = s.ctx
		c.StackBytes = s.ctx.Size + bits.OnesCount64(uint64(s.saved))*s.target.Arch.ABI().WordBytes
		return c
	}
	c.StackBytes = s.target.StackBytes(s.saved, isa.AlignUp(s.frame, 8))
	return c
}
