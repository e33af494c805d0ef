package tune

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simrun/ciphers"
	"simrun/costmodel"
	"simrun/internal/bench"
	"simrun/programs/compile"
)

func job(t *testing.T, dir string, evals int) Job {
	return jobOf(t, "gift64/fixsliced", "cortex-m3", dir, evals)
}

func jobOf(t *testing.T, kernel, model, dir string, evals int) Job {
	t.Helper()
	e, err := ciphers.Find(kernel)
	if err != nil {
		t.Fatal(err)
	}
	s, err := bench.NewSubject(e)
	if err != nil {
		t.Fatal(err)
	}
	cpu, err := costmodel.Load(model)
	if err != nil {
		t.Fatal(err)
	}
	return Job{Cell: bench.Cell{Subject: s, CPU: cpu}, Seed: 7, Evals: evals, Of: 1, State: filepath.Join(dir, "state")}
}

// TestResume: a search that is stopped after every few tries ends in the same bytes as one that is not.
func TestResume(t *testing.T) {
	if s := resumed(t, "gift64/fixsliced", "cortex-m3", 600, 2*chunk); len(s.Settled) > 0 {
		t.Error("settled for a CPU that executes in order")
	}
}

// TestResumeSettling: the same where instructions move behind the allocator.
func TestResumeSettling(t *testing.T) {
	if s := resumed(t, "aes128/byteshuffle", "core2-penryn", 100, 40); len(s.Settled) == 0 {
		t.Error("nothing was settled")
	}
}

// TestStopWithinWindow: a long search stops, and saves its state, within a window of settling, not behind it.
func TestStopWithinWindow(t *testing.T) {
	const evals = 4000
	j := jobOf(t, "aes128/byteshuffle", "core2-penryn", t.TempDir(), evals)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	calls := 0
	j.Progress = func(done, total int, _ float64) {
		if total != evals { // settling
			if calls++; calls == 3 {
				cancel()
			}
		}
	}
	if _, err := Run(ctx, j); !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	data, err := os.ReadFile(j.State)
	if err != nil {
		t.Fatal(err)
	}
	var c checkpoint
	if err := json.Unmarshal(data, &c); err != nil || c.Settle == nil {
		t.Fatalf("%v, %v", err, c.Settle)
	}
	if c.Settle.Done != 0 || c.Settle.Moves != 2*chunk {
		t.Errorf("stopped behind %d windows and %d moves, want %d moves", c.Settle.Done, c.Settle.Moves, 2*chunk)
	}
}

// resumed compares a search in one go with one that stops after every few tries or windows.
func resumed(t *testing.T, kernel, model string, evals, every int) *compile.Schedule {
	t.Helper()
	whole, err := Run(context.Background(), jobOf(t, kernel, model, t.TempDir(), evals))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var parts *compile.Schedule
	stops := 0
	for parts == nil {
		j := jobOf(t, kernel, model, dir, evals)
		ctx, cancel := context.WithCancel(context.Background())
		begun, before := -1, 0
		j.Progress = func(done, total int, _ float64) {
			if begun < 0 || total != before { // settling counts anew
				begun, before = done, total
			}
			if done >= begun+every {
				cancel()
			}
		}
		parts, err = Run(ctx, j)
		cancel()
		if err != nil && !errors.Is(err, ErrStopped) {
			t.Fatal(err)
		}
		stops++
	}
	if stops < 3 {
		t.Errorf("the search ended after %d parts: nothing was resumed", stops)
	}
	if !bytes.Equal(whole.Bytes(), parts.Bytes()) {
		t.Error("the resumed search gave another schedule")
	}
	return parts
}

// TestRefuse: a checkpoint of another job, or damaged, is named and left alone.
func TestRefuse(t *testing.T) {
	dir := t.TempDir()
	if _, err := Run(context.Background(), job(t, dir, 10)); err != nil {
		t.Fatal(err)
	}
	other := job(t, dir, 11)
	if _, err := Run(context.Background(), other); err == nil || !strings.Contains(err.Error(), "delete it to start anew") {
		t.Errorf("another job's checkpoint: %v", err)
	}
	model := job(t, dir, 10)
	if err := model.Cell.CPU.Set("load.word", "6"); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), model); err == nil || !strings.Contains(err.Error(), "another CPU model") {
		t.Errorf("a checkpoint of another model: %v", err)
	}
	for _, bad := range []string{"", "{", `{"state":{"Done":-1}}`} {
		if err := os.WriteFile(other.State, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(context.Background(), other); err == nil || !strings.Contains(err.Error(), other.State) {
			t.Errorf("checkpoint %q: %v", bad, err)
		}
	}
}

// found makes a schedule by so many tries.
func found(t *testing.T, evals int) (Job, *compile.Schedule) {
	t.Helper()
	j := jobOf(t, "aes128/table", "cortex-m3", t.TempDir(), evals)
	s, err := Run(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	return j, s
}

// TestKeep: only a better schedule replaces the one there is, whatever that claims.
func TestKeep(t *testing.T) {
	j, slow := found(t, 1)
	_, fast := found(t, 300)
	if fast.Cycles >= slow.Cycles {
		t.Fatalf("%v cycles after 300 tries, %v after 1", fast.Cycles, slow.Cycles)
	}
	claim := func(s *compile.Schedule, cycles float64) *compile.Schedule {
		c := *s
		c.Cycles = cycles
		return &c
	}
	damaged := *fast
	damaged.Places = slices.Clone(fast.Places)
	damaged.Places[0] += 5
	for what, c := range map[string]struct{ there, kept, want *compile.Schedule }{
		"nothing there":       {nil, slow, slow},
		"a slower one":        {slow, fast, fast},
		"a faster one":        {fast, slow, fast},
		"a claim too good":    {claim(slow, 1), fast, fast},
		"a claim too bad":     {claim(fast, 1e9), slow, fast},
		"an order of nothing": {&damaged, slow, slow},
	} {
		name := filepath.Join(t.TempDir(), "k.sched")
		if c.there != nil {
			if err := os.WriteFile(name, c.there.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := j.Keep(name, c.kept)
		data, _ := os.ReadFile(name)
		if err != nil || got != c.want.Cycles || !bytes.Equal(data, c.want.Bytes()) {
			t.Errorf("%s: %v cycles, %v, in the file:\n%s", what, got, err, data)
		}
	}
}
