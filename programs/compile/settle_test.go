package compile_test

import (
	"errors"
	"slices"
	"testing"
	"testing/fstest"

	"simrun/internal/foreign"
	"simrun/programs/compile"
	"simrun/programs/ir"
	"simrun/programs/targets"
)

// contrary finds code the faster the further its instructions are from where they were.
type contrary struct{}

func (contrary) Stretch(begin, end int) (compile.Stretch, int) { return &contraryRun{}, 1 }

type contraryRun struct{ first int }

func (c *contraryRun) Begin(_ []int32, _, until int) { c.first = until }

func (c *contraryRun) Cycles(part, _ []int32) float64 {
	total := 0.0
	for i, k := range part {
		d := float64(c.first + i - int(k))
		total -= d * d
	}
	return total
}

func contraryMeter(*compile.Code) (compile.Meter, error) { return contrary{}, nil }

// TestSettledKernels compares random kernels, settled as far from the allocator's order as is legal, with the interpreter:
// words, slices, and words in general registers with flags and tables.
func TestSettledKernels(t *testing.T) {
	moved := 0
	for seed := range uint64(foreign.Count(30, 10000)) {
		for _, text := range []string{randomKernel(seed), randomWide(seed, "v128"), randomWide(seed, "S"), randomLeaky(seed)} {
			k := parse(t, fstest.MapFS{"random.kir": {Data: []byte(text)}}, "random.kir")[0]
			for _, tg := range targets.All() {
				if !tg.Takes(k) || !tg.Context {
					continue
				}
				for _, budget := range []int{0, 1 << 20} {
					o := compile.Options{Level: 1, Budget: budget, Meter: contraryMeter,
						Search: compile.Search{Tries: 1, Seed: seed, Settle: 20000}}
					if d := difference(t, tg, k, o, 1, map[string]int64{"n": int64(seed % 4)}); d != "" {
						t.Fatalf("seed %d: %s\n%s", seed, d, text)
					}
					moved += settledPlaces(t, tg, k, o)
				}
			}
		}
	}
	if moved == 0 {
		t.Error("nothing was moved")
	}
}

// settledPlaces is how many instructions settling moves.
func settledPlaces(t *testing.T, tg *compile.Target, k *ir.Kernel, o compile.Options) int {
	t.Helper()
	s, err := compile.NewSettler(k, tg, o, 2000, 1)
	if err != nil {
		t.Fatal(err)
	}
	s.Run(s.Windows())
	n := 0
	for i, p := range s.Best().Places {
		if int(p) != i {
			n++
		}
	}
	return n
}

// settled returns the code of a small kernel on x86 and an order of it, settled.
func settled(t *testing.T, seed uint64) (compile.Order, func(o compile.Options) error) {
	t.Helper()
	k := parse(t, fstest.MapFS{"random.kir": {Data: []byte(randomWide(seed, "S"))}}, "random.kir")[0]
	tg, err := targets.For("x86")
	if err != nil {
		t.Fatal(err)
	}
	o := compile.Options{Level: 1, Meter: contraryMeter}
	search, err := compile.NewSearcher(k, tg, o)
	if err != nil {
		t.Fatal(err)
	}
	order := search.Best()
	o.Order = &order
	s, err := compile.NewSettler(k, tg, o, 5000, seed)
	if err != nil {
		t.Fatal(err)
	}
	s.Run(s.Windows())
	order.Settled = s.Best()
	return order, func(o compile.Options) error {
		_, err := compile.Compile(k, tg, o)
		return err
	}
}

// TestSettledOrder: a stored order is taken only if it is of the same allocated code and legal; where passes are left out, it
// is left out too.
func TestSettledOrder(t *testing.T) {
	order, compiled := settled(t, 3)
	if err := compiled(compile.Options{Level: 1, Order: &order}); err != nil {
		t.Fatal(err)
	}
	var s compile.Schedule
	s.Kernel, s.CPU = "k", "c"
	s.SetOrder(order)
	back, err := compile.ParseSchedule(s.Bytes())
	if err != nil || !slices.Equal(back.Order().Settled.Places, order.Settled.Places) || back.Order().Settled.Code != order.Settled.Code {
		t.Errorf("read back %+v, %v", back, err)
	}
	good := *order.Settled
	other := good
	other.Code = "0123456789abcdef"
	order.Settled = &other
	if err := compiled(compile.Options{Level: 1, Order: &order}); !errors.Is(err, compile.ErrOrder) {
		t.Errorf("other code: %v", err)
	}
	if err := compiled(compile.Options{Level: 1, Order: &order, Without: []string{"raise-loads"}}); err != nil {
		t.Errorf("other code of other passes: %v", err)
	}
	for _, spoil := range []func(p []int32) []int32{
		func(p []int32) []int32 { return p[1:] },
		func(p []int32) []int32 { p[0] = p[1]; return p },
		func(p []int32) []int32 { slices.Reverse(p); return p },
		func(p []int32) []int32 { p[0], p[len(p)-1] = p[len(p)-1], p[0]; return p },
	} {
		bad := compile.Settled{Code: good.Code, Places: spoil(slices.Clone(good.Places))}
		order.Settled = &bad
		if err := compiled(compile.Options{Level: 1, Order: &order}); !errors.Is(err, compile.ErrOrder) {
			t.Errorf("an illegal order: %v", err)
		}
	}
}

// TestSettleResume: settling in parts, through its state, ends as in one go.
func TestSettleResume(t *testing.T) {
	k := parse(t, fstest.MapFS{"random.kir": {Data: []byte(randomWide(5, "S"))}}, "random.kir")[0]
	tg, err := targets.For("x86")
	if err != nil {
		t.Fatal(err)
	}
	fresh := func() *compile.Settler {
		s, err := compile.NewSettler(k, tg, compile.Options{Level: 1, Meter: contraryMeter}, 5000, 9)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	whole := fresh()
	whole.Run(whole.Windows())
	parts := fresh()
	for n := 0; n < whole.Windows(); n += 5 {
		parts.Run(n)
		next := fresh()
		if err := next.Restore(parts.State()); err != nil {
			t.Fatal(err)
		}
		parts = next
	}
	parts.Run(whole.Windows())
	if !slices.Equal(whole.Best().Places, parts.Best().Places) {
		t.Error("the resumed search ended elsewhere")
	}
	steps := fresh()
	for n := 0; steps.State().Done < whole.Windows(); n++ { // stops within windows
		steps.Move(7)
		if n%5 == 0 {
			next := fresh()
			if err := next.Restore(steps.State()); err != nil {
				t.Fatal(err)
			}
			steps = next
		}
	}
	if !slices.Equal(whole.Best().Places, steps.Best().Places) || whole.State().RNG != steps.State().RNG {
		t.Error("the search that was resumed within windows ended elsewhere")
	}
	bad := whole.State()
	slices.Reverse(bad.Order)
	if err := fresh().Restore(bad); err == nil {
		t.Error("an illegal state was restored")
	}
	for what, spoil := range map[string]func(*compile.SettleState){
		"a part of another length": func(s *compile.SettleState) { s.Part = s.Part[1:] },
		"an illegal part":          func(s *compile.SettleState) { slices.Reverse(s.Part) },
		"a part of other numbers":  func(s *compile.SettleState) { s.Part[0] = 1 << 30 },
		"too many moves":           func(s *compile.SettleState) { s.Moves = 1 << 40 },
		"moves of no part":         func(s *compile.SettleState) { s.Part = nil },
		"a part behind the end":    func(s *compile.SettleState) { s.Done = 1 << 40 },
	} {
		within := fresh()
		within.Move(3)
		st := within.State()
		if err := fresh().Restore(st); err != nil {
			t.Fatal(err)
		}
		if spoil(&st); fresh().Restore(st) == nil {
			t.Errorf("%s was restored", what)
		}
	}
}
