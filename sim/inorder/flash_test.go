package inorder

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simrun/costmodel"
)

// tickFlash is a second opinion on code in flash: it steps through single cycles and shares no code with
// flash. sizes are those of instructions of one cycle each, from address 0 on.
func tickFlash(sizes []int, waits, line, ahead, prefetch int) int {
	pos, next, asked, arrived, done := 0, 0, -1, -1, -1
	for cycle := 0; ; cycle++ {
		if done == cycle {
			arrived, done = asked, -1
		}
		if (pos+sizes[next]-1)/line <= arrived {
			pos += sizes[next]
			if next++; next == len(sizes) {
				return cycle + 1
			}
		}
		want := (pos + sizes[next] - 1) / line
		if next > 0 {
			want = max(want, (pos+ahead)/line+prefetch)
		}
		if done < 0 && asked < want {
			asked++
			done = cycle + waits + 1
		}
	}
}

func TestFlashAgainstSingleSteps(t *testing.T) {
	checkMany(t, func(r *rapid.T, tb testing.TB) {
		cpu := load(tb, "stm32f103-72mhz")
		number := func(name string, choices ...int) int {
			n := rapid.SampledFrom(choices).Draw(r, name)
			if err := cpu.Set("flash."+name, fmt.Sprint(n)); err != nil {
				r.Fatal(err)
			}
			return n
		}
		line, prefetch := number("line_bytes", 8, 16, 32), number("prefetch", 0, 1)
		waits, ahead := number("wait_states", 1, 2, 3, 5, 9), number("fetch_ahead", 0, 4, 6, 12)
		for _, name := range []string{"wide_run", "wide_target"} {
			set(r, cpu, name, 0)
		}
		sizes := rapid.SliceOfN(rapid.SampledFrom([]int{2, 4}), 1, 60).Draw(r, "sizes")
		var s strings.Builder
		s.WriteString("\t.syntax unified\n\t.thumb\n\t.global f\n\t.type f, %function\nf:\n")
		for _, size := range sizes {
			s.WriteString(map[int]string{2: "\tadds r0, r1\n", 4: "\tmovw r2, #0x1234\n"}[size])
		}
		got := body(tb, newTestbed(tb, cpu, s.String()+"\tbx lr\n"), 0, uint64(len(sizes)))
		if want := tickFlash(sizes, waits, line, ahead, prefetch); got != want {
			r.Fatalf("%d cycles, stepping gives %d", got, want)
		}
	})
}

// TestBoardWithoutWaitStates compares a board whose flash answers at once with its CPU.
func TestBoardWithoutWaitStates(t *testing.T) {
	for board, base := range map[string]string{"stm32f103-72mhz": "cortex-m3", "stm32f407-168mhz": "cortex-m4", "hifive1": "fe310-g000"} {
		checkMany(t, func(r *rapid.T, tb testing.TB) {
			fast, cpu := load(tb, board), load(tb, base)
			for _, region := range fast.Regions {
				set(r, fast, region.Name+".wait_states", 0)
			}
			if cpu.ISA == "rv32" {
				set(r, cpu, "icache_miss", 0) // memory without wait states is not cached
			} else {
				set(r, cpu, "pair_loads", 0) // literals and data are in different blocks
				set(r, fast, "pair_loads", 0)
			}
			text := drawBranchy(r, cpu.ISA)
			got := newTestbed(tb, fast, text).totals(tb, 2, func(*Pipeline) {})
			want := newTestbed(tb, cpu, text).totals(tb, 2, func(*Pipeline) {})
			if got != want {
				r.Fatalf("%s %v\n%s %v", board, got.Map(), base, want.Map())
			}
		})
	}
}

// TestCyclesWithoutWaitStates pins the cycles of CPUs on fixed programs: regions must not reach them.
func TestCyclesWithoutWaitStates(t *testing.T) {
	for name, want := range map[string]uint64{"cortex-m3": 103498, "cortex-m4": 103426, "sifive-e31": 226257, "fe310-g000": 215597} {
		cpu := load(t, name)
		sum := newTestbed(t, cpu, unrolled(cpu.ISA)).totals(t, 2, func(*Pipeline) {}).Slots
		for i, piece := range pieces[cpu.ISA] {
			if strings.Contains(piece, "%") {
				piece = fmt.Sprintf(piece, i)
			}
			text := fmt.Sprintf(frames[cpu.ISA], 9, piece)
			sum += newTestbed(t, cpu, text).totals(t, 2, func(*Pipeline) {}).Slots
		}
		if sum != want {
			t.Errorf("%s: %d cycles, want %d", name, sum, want)
		}
	}
}

// TestPlacement moves a loop: its cycles repeat with the length of a line, and not before.
func TestPlacement(t *testing.T) {
	cpu := load(t, "stm32f103-72mhz")
	cycles := map[uint64]uint64{}
	for offset := uint64(0); offset < 16; offset += 4 {
		placed, err := cpu.Placed(offset)
		if err != nil {
			t.Fatal(err)
		}
		cycles[offset] = newTestbed(t, placed, fmt.Sprintf(frames["t32"], 50, "\teor.w r0, r1, r2\n\teors r0, r1\n")).
			totals(t, 1, func(*Pipeline) {}).Slots
	}
	if cycles[0] != cycles[8] || cycles[4] != cycles[12] || cycles[0] == cycles[4] {
		t.Errorf("cycles by offset: %v", cycles)
	}
}

func TestLineCache(t *testing.T) {
	c := newLineCache(2)
	for _, line := range []uint64{0, 7, 0, 9} { // 7 is the least recently used
		c.fill(line)
	}
	if got := []bool{c.holds(0), c.holds(7), c.holds(9)}; !slices.Equal(got, []bool{true, false, true}) {
		t.Errorf("0, 7, 9 held: %v", got)
	}
	c.touch(0)
	c.fill(7)
	if c.holds(9) || !c.holds(0) {
		t.Error("9 was used before 0 and is held")
	}
	c.reset()
	if c.holds(0) {
		t.Error("0 is held after reset")
	}
	none := newLineCache(0)
	none.fill(3)
	if none.holds(3) {
		t.Error("a cache of no lines holds one")
	}
}

// TestBoardsAllocateNothing looks at code that is replayed, code that is walked, and flash data.
func TestBoardsAllocateNothing(t *testing.T) {
	for _, name := range costmodel.Boards() {
		cpu := load(t, name)
		b := newTestbed(t, cpu, unrolled(cpu.ISA))
		p, core := b.pipeline(t), b.core(t)
		run := func() {
			if err := b.call(core, p); err != nil {
				t.Fatal(err)
			}
		}
		run()
		run()
		if n := testing.AllocsPerRun(3, run); n != 0 {
			t.Errorf("%s: %v allocations per call", name, n)
		}
	}
}
