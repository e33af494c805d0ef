// Package tune drives the schedule search: seeds, shards, checkpoints and the last judgement by the pipeline. It must not
// know how an order is searched (programs/compile) or how cycles are counted (internal/bench).
package tune

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"time"

	"simrun/internal/bench"
	"simrun/internal/input"
	"simrun/internal/output"
	"simrun/programs/compile"
)

// Job is one search.
type Job struct {
	Cell  bench.Cell
	Seed  uint64
	Evals int
	Time  time.Duration // stop after this long, 0 = never; the checkpoint lets a later run go on
	Shard int           // of Of: shards search with different seeds
	Of    int
	State string // path of the checkpoint
	// Progress is told how many tries are done and the best estimate so far, now and then. May be nil.
	Progress func(done, total int, best float64)
}

// seed is that of the shard.
func (j *Job) seed() uint64 { return j.Seed*uint64(j.Of) + uint64(j.Shard) }

// checkpoint is the file that a search goes on from.
type checkpoint struct {
	Kernel string              `json:"kernel"`
	CPU    string              `json:"cpu"`
	File   string              `json:"cpu_file"` // hash: costs in the state are of this model
	Code   string              `json:"code"`
	Seed   uint64              `json:"seed"`
	Evals  int                 `json:"evals"`
	State  compile.SearchState `json:"state"`

	Settle *compile.SettleState `json:"settle,omitempty"` // nil = not begun
}

// Between looks at the clock and the context: tries, or moves of settling; and time between checkpoints.
const (
	chunk     = 64
	saveEvery = 2 * time.Second
)

// maxState bounds a checkpoint in bytes.
const maxState = 64 << 20

// ErrStopped says that the search was ended before all its tries; the checkpoint is written.
var ErrStopped = errors.New("stopped; the same command goes on from here")

// Run searches, and returns the better of the found order and the text's as a schedule, judged by the pipeline and checked
// against the vectors. An unfinished search of the same job goes on where it stood. If the context ends or
// the time is over it writes a checkpoint and returns ErrStopped.
func Run(ctx context.Context, j Job) (*compile.Schedule, error) {
	s, err := j.Cell.Searcher(compile.Search{Tries: j.Evals, Seed: j.seed()})
	if err != nil {
		return nil, err
	}
	settled, err := j.resume(s)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if err := j.search(ctx, s, start, settled); err != nil {
		return nil, err
	}
	text := compile.Order{Roll: s.Best().Roll, Code: s.Best().Code}
	found, err := j.settle(ctx, s, start, settled)
	if err != nil {
		return nil, err
	}
	return j.judge(text, s.Best(), found)
}

func (j *Job) search(ctx context.Context, s *compile.Searcher, start time.Time, settled *compile.SettleState) error {
	saved := time.Now()
	for {
		st := s.State()
		if j.Progress != nil {
			j.Progress(st.Done, j.Evals, st.BestCost)
		}
		over := st.Done >= j.Evals
		stop := ctx.Err() != nil || j.Time > 0 && time.Since(start) > j.Time
		if over || stop || time.Since(saved) > saveEvery {
			if err := j.save(s, st, settled); err != nil {
				return err
			}
			saved = time.Now()
		}
		switch {
		case over:
			return nil
		case stop:
			return ErrStopped
		}
		s.Run(min(st.Done+chunk, j.Evals))
	}
}

// save writes the checkpoint so that a kill at any moment leaves the old one or the new one.
func (j *Job) save(s *compile.Searcher, st compile.SearchState, settled *compile.SettleState) error {
	data, err := json.Marshal(checkpoint{j.Cell.Subject.Name, j.Cell.CPU.Name, j.Cell.CPU.Hash(), s.Code(), j.seed(), j.Evals, st, settled})
	if err != nil {
		return err
	}
	return output.WriteFile(j.State, data)
}

// resume restores a checkpoint of the same job; another job's is refused.
func (j *Job) resume(s *compile.Searcher) (*compile.SettleState, error) {
	data, err := input.ReadFile(j.State, maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var c checkpoint
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("%s: not a checkpoint: %w; delete it to start anew", j.State, input.JSONError(err))
	}
	if c.Kernel != j.Cell.Subject.Name || c.CPU != j.Cell.CPU.Name || c.File != j.Cell.CPU.Hash() || c.Code != s.Code() || c.Seed != j.seed() || c.Evals != j.Evals {
		return nil, fmt.Errorf("%s: the checkpoint is of %s on %s with seed %d and %d evals, or of other code or another CPU model; delete it to start anew",
			j.State, c.Kernel, c.CPU, c.Seed, c.Evals)
	}
	if err := s.Restore(c.State); err != nil {
		return nil, fmt.Errorf("%s: %w; delete it to start anew", j.State, err)
	}
	return c.Settle, nil
}

// settle goes on behind the allocator, where the CPU has that: from the order that the search found. It gives that order
// as it is if not.
func (j *Job) settle(ctx context.Context, s *compile.Searcher, start time.Time, state *compile.SettleState) (compile.Order, error) {
	order := s.Best()
	t, err := j.Cell.Settler(order, j.Evals, j.seed())
	if t == nil || err != nil {
		return order, err
	}
	if state != nil {
		if err := t.Restore(*state); err != nil {
			return order, fmt.Errorf("%s: %w; delete it to start anew", j.State, err)
		}
	}
	saved := time.Now()
	for {
		st := t.State()
		if j.Progress != nil {
			j.Progress(st.Done, t.Windows(), st.Cost)
		}
		over := st.Done >= t.Windows()
		stop := ctx.Err() != nil || j.Time > 0 && time.Since(start) > j.Time
		if over || stop || time.Since(saved) > saveEvery {
			if err := j.save(s, s.State(), &st); err != nil {
				return order, err
			}
			saved = time.Now()
		}
		switch {
		case over:
			order.Settled = t.Best()
			return order, nil
		case stop:
			return order, ErrStopped
		}
		t.Move(chunk)
	}
}

// judge simulates orders, and makes a schedule of the fastest, the earliest of several.
func (j *Job) judge(orders ...compile.Order) (*compile.Schedule, error) {
	best, order := math.Inf(1), orders[0]
	for _, o := range orders {
		c, err := j.cycles(&o)
		if err != nil {
			return nil, err
		}
		if c < best {
			best, order = c, o
		}
	}
	s := &compile.Schedule{Kernel: j.Cell.Subject.Name, CPU: j.Cell.CPU.Name, CPUFile: j.Cell.CPU.Hash(),
		Seed: j.seed(), Evals: j.Evals, Cycles: best}
	s.SetOrder(order)
	return s, nil
}

func (j *Job) cycles(o *compile.Order) (float64, error) {
	cell := j.Cell
	cell.Build.Order = o
	row, _, err := cell.Simulate()
	if err != nil {
		return 0, err
	}
	return float64(row.Cycles), nil
}

// Keep writes the schedule to name unless one that is no slower is there already, for the same code and CPU file: what
// that one claims is not believed, but counted. It returns the cycles of what is in the file then. Several searches may
// keep theirs in one file at the same time.
func (j *Job) Keep(name string, s *compile.Schedule) (cycles float64, err error) {
	err = output.Alone(name, func() error {
		cycles = s.Cycles
		data, old := stored(name, s)
		if old != nil {
			if c, err := j.cycles(old.Order()); err == nil && c <= s.Cycles {
				old.Cycles, s, cycles = c, old, c
			}
		}
		if bytes.Equal(data, s.Bytes()) {
			return nil
		}
		return output.WriteFile(name, s.Bytes())
	})
	return cycles, err
}

// stored reads the schedule in the file of that name; it is nil if it is not for the same as s.
func stored(name string, s *compile.Schedule) ([]byte, *compile.Schedule) {
	data, err := input.ReadFile(name, input.MaxText)
	if err != nil {
		return nil, nil
	}
	old, err := compile.ParseSchedule(data)
	if err != nil || old.Code != s.Code || old.CPUFile != s.CPUFile || old.Kernel != s.Kernel || old.CPU != s.CPU {
		return data, nil
	}
	return data, old
}
