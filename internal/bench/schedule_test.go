package bench

import (
	"math"
	"slices"
	"testing"

	"simrun/ciphers"
	"simrun/costmodel"
)

// TestSchedules: every kernel of the catalogue has a stored schedule for every CPU with cycles, or for the one whose file it
// inherits; it fits the code and its CPU file, and the code made from it is right and takes the cycles that it claims.
func TestSchedules(t *testing.T) {
	entries, err := ciphers.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		s, err := NewSubject(e)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			for _, name := range costmodel.Names() {
				if c := (Cell{Subject: s, CPU: load(t, name)}); c.CPU.Timed() && c.Possible() {
					checkSchedule(t, c)
				}
			}
		})
	}
}

func checkSchedule(t *testing.T, c Cell) {
	t.Helper()
	const mend = "run make schedules, then make report"
	sched, err := c.Subject.schedule(c.CPU)
	if err != nil || sched == nil {
		t.Errorf("%s on %s: no stored schedule (%v): %s", c.Subject.Name, c.CPU.Name, err, mend)
		return
	}
	own := sched.CPU == c.CPU.Name
	if !own && !slices.Contains(c.CPU.Inherited, sched.CPU) {
		t.Errorf("%s on %s: the schedule is of %s: %s", c.Subject.Name, c.CPU.Name, sched.CPU, mend)
	}
	if own && sched.CPUFile != c.CPU.Hash() {
		t.Errorf("%s on %s: the schedule is of another CPU file: %s", c.Subject.Name, c.CPU.Name, mend)
	}
	c.Build.Warn = func(m string) { t.Errorf("%s: %s", m, mend) }
	row, _, err := c.Simulate()
	if err != nil {
		t.Fatal(err)
	}
	if own && math.Abs(float64(row.Cycles)-sched.Cycles) > 0.001 {
		t.Errorf("%s on %s: %v cycles, the schedule claims %v: %s", c.Subject.Name, c.CPU.Name, row.Cycles, sched.Cycles, mend)
	}
}

// TestScheduleOfInherited: a board on a CPU that has no schedules of its own takes those of the CPU which that inherits from.
func TestScheduleOfInherited(t *testing.T) {
	cpu := load(t, "stm32f407-168mhz")
	if want := []string{"cortex-m4", "cortex-m3"}; !slices.Equal(cpu.Inherited, want) {
		t.Fatalf("inherits from %v, want %v", cpu.Inherited, want)
	}
	sched, err := find(t, "aes128/fixsliced").schedule(cpu)
	if err != nil || sched == nil || sched.CPU != "cortex-m3" {
		t.Errorf("schedule %v, %v: want that of the Cortex-M3", sched, err)
	}
}
