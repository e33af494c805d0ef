package ooo

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simrun/costmodel"
	"simrun/isa"
	"simrun/isa/x86"
)

// pieces are what random programs are made of; %[1]d is a number that makes labels unique. RDI holds an address.
var pieces = []string{
	"\tpxor xmm0, [rdi]\n", "\tmovdqa xmm1, [rdi+64]\n\tpaddd xmm1, xmm0\n", "\tmovdqa [rdi+16], xmm1\n\tmovdqa xmm2, [rdi+16]\n",
	"\tmov [rdi+32], eax\n\tmov rax, [rdi+32]\n", "\tmov eax, [rdi+rcx*8]\n", "\tmov [rdi+rcx*8], edx\n", "\tmovdqu xmm3, [rdi+57]\n",
	"\tmovdqu [rdi+121], xmm3\n", "\timul rax, rdx\n\tadd rdx, rax\n", "\tmul rdx\n", "\trol eax, 3\n\tadc edx, eax\n",
	"\tpshufb xmm4, xmm0\n\tpunpcklbw xmm4, xmm1\n", "\tmov al, dl\n\tadd edx, eax\n", "\tmov ax, 0x1234\n", "\tpush rax\n\tpop rdx\n\tmov r9, rsp\n",
	"\tadd r8d, r10d\n\tadd r9d, r11d\n\tadd eax, [r12+r13+16]\n", "\txor edx, edx\n\tmov esi, 7\n\tmov eax, 9\n\tdiv esi\n", "\tmovdqa xmm5, xmm0\n\tpslld xmm5, 3\n",
	"\tmov ebp, 6\nl%[1]d:\n\tadd rax, [rdi+rbp*8]\n\tmov [rdi+rbp*8+8], rax\n\tdec ebp\n\tjne l%[1]d\n",
	"\ttest ecx, 2\n\tje l%[1]d\n\tpxor xmm0, xmm1\n\tmov [rdi+8], ecx\nl%[1]d:\n",
	"\tcall l%[1]d\n\tjmp m%[1]d\nl%[1]d:\n\tmov eax, [rdi+4]\n\tret\nm%[1]d:\n",
	"\ttest ecx, 4\n\tje l%[1]d\n\txor eax, eax\nl%[1]d:\n", "\tmov al, dl\n", "\txor eax, eax\n", "\tmov ah, dl\n", "\tadd edx, eax\n", "\tpxor xmm6, xmm6\n", "\txor esi, esi\n\timul esi, eax, 0\n\tmov [rdi+rsi], edx\n",
	"\tadd [rdi+24], eax\n", "\tmov [rdi+4096], rax\n\tmov eax, [rdi+4]\n", "\tmov edx, [rdi+4098]\n", "\tmov [rdi+6], rdx\n\tmov rdx, [rdi+6]\n\tmov ax, [rdi+8]\n",
}

// drawProgram makes a loop of random pieces that walks through memory.
func drawProgram(t *rapid.T) string {
	var s strings.Builder
	s.WriteString("\tmov r12, rdi\n\txor r13d, r13d\n\tmov ecx, 24\nagain:\n")
	for i, piece := range rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 20).Draw(t, "pieces") {
		if strings.Contains(piece, "%") {
			piece = fmt.Sprintf(piece, i)
		}
		s.WriteString(piece)
	}
	fmt.Fprintf(&s, "\tadd rdi, %d\n\tdec ecx\n\tjne again\n", rapid.SampledFrom([]int{0, 16, 48, 2048}).Draw(t, "step"))
	return s.String()
}

// totals retires runs three times.
func totals(tb testing.TB, cpu *costmodel.CPU, runs []isa.Retired, set func(*Pipeline)) costmodel.Totals {
	tb.Helper()
	p := newPipe(tb, cpu)
	set(p)
	for range 3 {
		for i := range runs {
			p.Retire(&runs[i])
		}
	}
	if err := p.Totals().Check(); err != nil {
		tb.Fatal(err)
	}
	return p.Totals()
}

// TestEmptyIsState: two ways lead to the same code, and long before it one empties a register and the other does not.
// Only that tells which of them the code has been reached by, and one takes longer. EBX is empty both ways: that there is
// something to look at tells nothing.
func TestEmptyIsState(t *testing.T) {
	text := "\tmov ecx, 40\nagain:\n\txor ebx, ebx\n\txor eax, eax\n\tcall long\n\tcall part\n\tmov eax, 0\n\tcall long\n\tcall part\n\tdec ecx\n\tjne again\n\tjmp done\n" +
		"long:\n" + strings.Repeat("\tnop\n", 250) + "\tret\n" +
		"part:\n\tmov al, dl\n\tadd edx, eax\n\tret\ndone:\n"
	cpu, runs := merom(t, nil), record(t, text)
	replayed := totals(t, cpu, runs, func(*Pipeline) {})
	if walked := totals(t, cpu, runs, func(p *Pipeline) { p.Memoise(false) }); replayed != walked {
		t.Errorf("replayed %v, walked %v", replayed.Map(), walked.Map())
	}
}

func checkReplay(r *rapid.T, tb testing.TB, cpu *costmodel.CPU) {
	runs := record(tb, drawProgram(r))
	replayed := totals(tb, cpu, runs, func(*Pipeline) {})
	walked := totals(tb, cpu, runs, func(p *Pipeline) { p.Memoise(false) })
	var records costmodel.Totals
	watched := totals(tb, cpu, runs, func(p *Pipeline) { p.SetSink(func(x costmodel.Timed) { records.Add(&x) }) })
	if replayed != walked || walked != watched || watched != records {
		r.Fatalf("replayed %v\nwalked   %v\nwatched  %v\nrecords  %v", replayed.Map(), walked.Map(), watched.Map(), records.Map())
	}
}

// TestReplayIsExact compares every cause with and without replay, and the sum of the records.
func TestReplayIsExact(t *testing.T) {
	for _, name := range []string{"core2-merom", "core2-penryn", "znver3"} {
		t.Run(name, func(t *testing.T) {
			cpu, err := costmodel.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			rapid.Check(t, func(r *rapid.T) { checkReplay(r, t, cpu) })
		})
	}
}

// TestReplayIsExactWithAnyNumbers does the same with other numbers than the CPU files have.
func TestReplayIsExactWithAnyNumbers(t *testing.T) {
	for _, name := range []string{"core2-merom", "znver3"} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				cpu, err := costmodel.Load(name)
				if err != nil {
					t.Fatal(err)
				}
				set := func(key string, n int) {
					if err := cpu.Set(key, fmt.Sprint(n)); err != nil {
						r.Logf("%v", err) // it would contradict another number
					}
				}
				for _, info := range costmodel.Parameters[cpu.Pipeline] {
					if rapid.Bool().Draw(r, "set "+info.Name) {
						set(info.Name, rapid.IntRange(info.Min, min(info.Max, 4096)).Draw(r, info.Name))
					}
				}
				for _, name := range slices.Sorted(maps.Keys(cpu.Schedulers)) {
					set("scheduler."+name, rapid.IntRange(1, 60).Draw(r, name))
				}
				if _, err := New(cpu, x86.New()); err != nil {
					r.Skip(err.Error())
				}
				checkReplay(r, t, cpu)
			})
		})
	}
}

// TestReplays: a loop and a straight run reach a state that was seen before, and nothing is walked any more.
func TestReplays(t *testing.T) {
	for _, name := range []string{"core2-merom", "core2-penryn", "znver3"} {
		for _, text := range []string{sliced(50), "\tmov ecx, 50\nagain:\n" + sliced(5) + "\tdec ecx\n\tjne again\n"} {
			cpu, err := costmodel.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			p, runs := newPipe(t, cpu), record(t, text)
			pass := func() {
				for i := range runs {
					p.Retire(&runs[i])
				}
			}
			for range 20 {
				pass()
			}
			room := p.room
			if pass(); p.room != room || !p.apart {
				t.Errorf("%s: walked again after 20 passes", name)
			}
		}
	}
}
