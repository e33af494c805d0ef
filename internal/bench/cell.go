package bench

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"simrun/costmodel"
	"simrun/internal/result"
)

// Cell is one kernel on one CPU.
type Cell struct {
	Subject *Subject
	CPU     *costmodel.CPU
	Build   Build
}

// Simulate compiles the cell's kernel, proves it right on the simulator and counts its cycles.
// A kernel that fails its check gives an error and no row.
func (c Cell) Simulate() (*result.Row, *Program, error) {
	row, p, err := c.simulate()
	if err != nil {
		return nil, nil, fmt.Errorf("%s on %s: %w", c.Subject.Name, c.CPU.Name, err)
	}
	return row, p, nil
}

// Check compiles the cell's kernel and proves it right on the simulator.
func (c Cell) Check() (*Program, error) {
	p, _, err := c.checked()
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", c.Subject.Name, c.CPU.Name, err)
	}
	return p, nil
}

// checked returns the program, proven right, on a machine that has run it.
func (c Cell) checked() (*Program, *simulated, error) {
	p, err := c.Compile()
	if err != nil {
		return nil, nil, err
	}
	s, err := simulate(p, c.Subject.Public)
	if err != nil {
		return nil, nil, err
	}
	_, err = c.Subject.check(p, s)
	return p, s, err
}

func (c Cell) simulate() (*result.Row, *Program, error) {
	p, s, err := c.checked()
	if err != nil {
		return nil, nil, err
	}
	n, err := s.count()
	if err != nil {
		return nil, nil, err
	}
	row := c.row(p, n)
	if c.Build.BothEnds && c.Build.Size == 0 && c.CPU.Timed() {
		row.Small, err = c.small(row, p)
	}
	return row, p, err
}

func (c Cell) row(p *Program, n *counted) *result.Row {
	row := newRow(c.CPU, n)
	row.Kernel = c.Subject.Name
	row.Verified = c.Subject.Verified()
	row.Blocks, row.Bytes = result.Count(p.Blocks), result.Count(p.Bytes)
	row.CyclesPerByte = result.Figure(n.cycles / float64(p.Bytes))
	row.CodeBytes = result.Count(codeBytes(p.Image))
	row.StackBytes = p.StackBytes
	row.Form = result.Looped
	if p.Roll == 0 {
		row.Form = result.Unrolled
	}
	return row
}

// newRow fills what follows from CPU and counts.
func newRow(cpu *costmodel.CPU, n *counted) *result.Row {
	row := &result.Row{
		Schema: result.Schema, Tool: result.Tool,
		CPU: cpu.Name, CPUFile: cpu.Hash(), ISA: cpu.ISA,
		Cycles: result.Figure(n.cycles), ColdCycles: result.Figure(n.cold), Instructions: result.Figure(n.instructions), Causes: n.causes,
		Published:   []result.Published{},
		NotModelled: append([]string{}, cpu.NotModelled...),
	}
	if n.cycles > 0 {
		row.IPC = result.Figure(n.instructions / n.cycles)
	}
	return row
}

// Progress is told how many of the cells are done. It may be called from several goroutines,
// one at a time.
type Progress func(done, total int)

// SimulateAll makes the rows of all cells, in their order. Cells of one kernel run one after
// the other, kernels side by side. The first error in the order of cells is returned.
func SimulateAll(ctx context.Context, cells []Cell, progress Progress) ([]result.Row, []*Program, error) {
	rows := make([]result.Row, len(cells))
	programs := make([]*Program, len(cells))
	errs := make([]error, len(cells))
	var mu sync.Mutex
	done := 0
	run := func(i int) {
		row, p, err := cells[i].Simulate()
		if errs[i] = err; err == nil {
			rows[i], programs[i] = *row, p
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		if progress != nil {
			progress(done, len(cells))
		}
	}
	inGroups(ctx, groupBySubject(cells), run)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	for _, err := range errs {
		if err != nil {
			return nil, nil, err
		}
	}
	return rows, programs, nil
}

func groupBySubject(cells []Cell) [][]int {
	var groups [][]int
	index := map[*Subject]int{}
	for i, c := range cells {
		g, ok := index[c.Subject]
		if !ok {
			g = len(groups)
			index[c.Subject] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// inGroups runs every number of every group, as many groups at a time as there are cores.
func inGroups(ctx context.Context, groups [][]int, run func(int)) {
	work := make(chan []int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(groups)) {
		wg.Go(func() {
			for g := range work {
				for _, i := range g {
					if ctx.Err() == nil {
						run(i)
					}
				}
			}
		})
	}
	for _, g := range groups {
		work <- g
	}
	close(work)
	wg.Wait()
}
