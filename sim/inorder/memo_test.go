package inorder

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simrun/costmodel"
)

// pieces are what random programs with branches are made of, by ISA. %d is a number that makes labels
// unique; the data registers hold addresses at the start of every call.
var pieces = map[string][]string{
	"t32": {
		"\teor r0, r1, r2\n", "\teors r0, r1\n", "\tadd.w r6, r6, #0\n", "\tnop\n",
		"\tldr r0, [r6]\n", "\tldr.w r1, [r7, #4]\n", "\tldr r2, [r6], #4\n", "\tstr r0, [r6, #8]\n", "\tstr.w r1, [r7]\n",
		"\tldmia r7, {r0, r1, r2}\n", "\tldr.w r1, [r7, #3]\n", "\tldrh r0, [r6, #2]\n\tldrh.w r2, [r7, #1]\n", "\tldrd r0, r1, [r7]\n", "\tumull r0, r1, r2, r3\n", "\tudiv r0, r6, r3\n",
		"\tcmp r0, r1\n\tit lt\n\tldrlt r2, [r7]\n",
		"\tmovs r5, #3\nl%[1]d:\n\tldr r0, [r7]\n\tsubs r5, #1\n\tbne l%[1]d\n",
		"\ttst r0, #4\n\tbeq l%[1]d\n\teor.w r1, r1, r3\n\tstr r3, [r7, #4]\nl%[1]d:\n",
		"\tbl l%[1]d\n\tb m%[1]d\nl%[1]d:\n\tldr r1, [r7]\n\tbx lr\nm%[1]d:\n",
		"\tldr r1, l%[1]d\n\tldr r2, [r6]\n\tb m%[1]d\n\t.balign 4\nl%[1]d:\n\t.word 5\nm%[1]d:\n",
	},
	"rv32": {
		"\txor a0, a1, a2\n", "\taddi a3, a3, 4\n", "\tmul a0, a1, a2\n", "\tdivu a0, a4, a1\n", "\tcsrr a0, mcycle\n",
		"\tlw a0, 0(a4)\n", "\tlbu a1, 4(a5)\n", "\tsw a0, 0(a4)\n", "\tsw a0, 4(a5)\n", "\tlw a2, 0(a5)\n",
		"\tsb a1, 0(a4)\n\tlw a2, 0(a4)\n", "\taddi a5, a4, 0\n",
		"\tli t0, 3\nl%[1]d:\n\tlw a0, 0(a4)\n\taddi t0, t0, -1\n\tbnez t0, l%[1]d\n",
		"\tandi a1, a0, 4\n\tbeqz a1, l%[1]d\n\txor a2, a2, a3\n\tsw a2, 0(a4)\nl%[1]d:\n",
		"\tauipc a1, 0\n\tandi a1, a1, -4\n\tlw a2, 0(a1)\n\tlw a1, 0(a5)\n",
		"\tjal t0, l%[1]d\n\tj m%[1]d\nl%[1]d:\n\tlw a1, 0(a5)\n\tjr t0\nm%[1]d:\n",
		"\t.option rvc\n\tc.addi a0, 1\n\t.option norvc\n", "\tamoadd.w a0, a1, (a4)\n",
	},
}

// frames put a program in a loop of so many rounds, so that runs follow each other in many states.
var frames = map[string]string{
	"t32": "\t.syntax unified\n\t.thumb\n\t.global f\n\t.type f, %%function\nf:\n\tmov r12, lr\n\tmov r4, #%d\n" +
		"again:\n%s\tsubs r4, #1\n\tbeq.w done\n\tb.w again\ndone:\n\tbx r12\n",
	"rv32": "\t.option norvc\n\t.global f\n\t.type f, @function\nf:\n\tli s2, %d\n" +
		"again:\n%s\taddi s2, s2, -1\n\tbeqz s2, done\n\tj again\ndone:\n\tret\n",
}

func drawBranchy(t *rapid.T, isaName string) string {
	list := rapid.SliceOfN(rapid.SampledFrom(pieces[isaName]), 1, 25).Draw(t, "pieces")
	var s strings.Builder
	for i, piece := range list {
		if strings.Contains(piece, "%") {
			piece = fmt.Sprintf(piece, i)
		}
		s.WriteString(piece)
	}
	return fmt.Sprintf(frames[isaName], 3, s.String())
}

// TestReplayIsExact compares every cause with and without replay, and the sum of the records.
func TestReplayIsExact(t *testing.T) {
	for _, name := range append(costmodel.Names(), costmodel.Boards()...) {
		cpu := load(t, name)
		if !cpu.Timed() || pieces[cpu.ISA] == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			checkMany(t, func(r *rapid.T, tb testing.TB) { checkReplay(r, newTestbed(tb, cpu, drawBranchy(r, cpu.ISA)), tb) })
		})
	}
}

// TestReplayIsExactWithAnyNumbers does the same with other numbers than the CPU files have.
func TestReplayIsExactWithAnyNumbers(t *testing.T) {
	for _, name := range []string{"cortex-m3", "sifive-e31", "stm32f103-72mhz", "stm32f407-168mhz", "hifive1"} {
		t.Run(name, func(t *testing.T) {
			checkMany(t, func(r *rapid.T, tb testing.TB) {
				cpu := load(tb, name)
				for _, info := range costmodel.Parameters[cpu.Pipeline] {
					set(r, cpu, info.Name, rapid.IntRange(info.Min, min(info.Max, 1024)).Draw(r, info.Name))
				}
				for _, region := range cpu.Regions {
					for _, info := range costmodel.RegionNumbers {
						set(r, cpu, region.Name+"."+info.Name, rapid.IntRange(info.Min, min(info.Max, 64)).Draw(r, region.Name+"."+info.Name))
					}
				}
				for _, class := range slices.Sorted(maps.Keys(cpu.Classes)) {
					set(r, cpu, class, rapid.IntRange(1, 40).Draw(r, class))
				}
				checkReplay(r, newTestbed(tb, cpu, drawBranchy(r, cpu.ISA)), tb)
			})
		})
	}
}

// set changes a number, or leaves it where it would contradict another.
func set(r *rapid.T, cpu *costmodel.CPU, key string, n int) {
	if err := cpu.Set(key, fmt.Sprint(n)); err != nil {
		r.Logf("%v", err)
	}
}

func checkReplay(r *rapid.T, b *testbed, tb testing.TB) {
	const calls = 3
	var records costmodel.Totals
	replayed := b.totals(tb, calls, func(*Pipeline) {})
	walked := b.totals(tb, calls, func(p *Pipeline) { p.Memoise(false) })
	watched := b.totals(tb, calls, func(p *Pipeline) {
		p.SetSink(func(x costmodel.Timed) { records.Add(&x) })
	})
	if replayed != walked || walked != watched || watched != records {
		r.Fatalf("replayed %v\nwalked   %v\nwatched  %v\nrecords  %v",
			replayed.Map(), walked.Map(), watched.Map(), records.Map())
	}
}

// unrolled is a straight run of 1,000 instructions like a kernel's, in a loop of 50.
func unrolled(isaName string) string {
	lines := map[string][]string{
		"t32": {"\teor.w r0, r1, r2, ror #8\n", "\tand.w r1, r0, r3\n", "\tldr.w r2, [r6]\n", "\tldr.w r3, [r7]\n", "\tstr.w r0, [r6, #4]\n",
			"\torr.w r0, r0, r2\n", "\teor.w r3, r3, r0\n", "\tbic.w r1, r1, r3\n"},
		"rv32": {"\txor a0, a1, a2\n", "\tand a1, a0, a3\n", "\tlw a2, 0(a4)\n", "\tlw a3, 0(a5)\n", "\tsw a0, 4(a4)\n",
			"\tor a0, a0, a2\n", "\txor a3, a3, a0\n", "\tsub a1, a1, a3\n"},
	}[isaName]
	var s strings.Builder
	for i := range 1000 {
		s.WriteString(lines[i%len(lines)])
	}
	return fmt.Sprintf(frames[isaName], 50, s.String())
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, name := range []string{"cortex-m4", "sifive-e31", "fe310-g000"} {
		cpu := load(t, name)
		b := newTestbed(t, cpu, unrolled(cpu.ISA))
		for _, memo := range []bool{true, false} {
			p, core := b.pipeline(t), b.core(t)
			p.Memoise(memo)
			run := func() {
				if err := b.call(core, p); err != nil {
					t.Fatal(err)
				}
			}
			run()
			run()
			if n := testing.AllocsPerRun(5, run); n != 0 {
				t.Errorf("%s, replay %v: %v allocations per call of 50,000 instructions", name, memo, n)
			}
		}
	}
}
