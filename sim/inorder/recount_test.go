package inorder

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simrun/costmodel"
	"simrun/internal/foreign"
)

// The recount is a second opinion on straight-line code: it works on the list below, from
// which the assembly text is made too, looks ahead where the pipelines look back, and shares no code with
// them.

// line is one instruction of a random program. Registers are numbers in a small pool.
type line struct {
	op       string // of the tables below
	dst, src int    // src is also the data of a store
	base     int    // register that addresses memory; never written, except by "bump"
	offset   int
}

// drawProgram makes n lines out of ops; a bump of a base register comes in now and then.
func drawProgram(t *rapid.T, ops []string) []line {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) line {
		return line{
			op:  rapid.SampledFrom(ops).Draw(t, "op"),
			dst: rapid.IntRange(0, 3).Draw(t, "dst"), src: rapid.IntRange(0, 3).Draw(t, "src"),
			base: rapid.IntRange(0, 1).Draw(t, "base"), offset: 4 * rapid.IntRange(0, 3).Draw(t, "offset"),
		}
	}), 1, 40).Draw(t, "program")
}

// Cortex-M: all instructions are wide and begin at a multiple of 4, so fetching costs nothing.
var thumbText = map[string]string{
	"eor":  "eor.w r%[1]d, r%[2]d, r5, ror #3",
	"mov":  "movw r%[1]d, #0x1234",
	"mul":  "mul r%[1]d, r%[2]d, r5",
	"mla":  "mla r%[1]d, r%[2]d, r5, r6",
	"bump": "add.w r%[3]d, r%[3]d, #0",
	"nop":  "nop.w",
	"ldr":  "ldr.w r%[1]d, [r%[3]d, #%[4]d]",
	"ldrb": "ldrb.w r%[1]d, [r%[3]d, #%[4]d]",
	"str":  "str.w r%[2]d, [r%[3]d, #%[4]d]",
	"ldm":  "ldmia.w r%[3]d, {r0, r1, r2}",
	"stm":  "stmia.w r%[3]d, {r0, r1, r2}",
	"ldrd": "ldrd r0, r1, [r%[3]d, #%[4]d]",
}

// thumbCycles is the cost of each alone, a load with its stall.
func thumbCycles(cpu string) map[string]int {
	c := map[string]int{
		"eor": 1, "mov": 1, "mul": 1, "mla": 2, "bump": 1, "nop": 1,
		"ldr": 2, "ldrb": 2, "str": 1, "ldm": 4, "stm": 4, "ldrd": 3,
	}
	if cpu == "cortex-m4" {
		c["mla"] = 1
	}
	return c
}

// recountThumb adds up the instructions, takes one cycle off for every load whose follower runs in its
// stall, and adds one for every load behind a store and every address that comes too late.
func recountThumb(cpu string, program []line) int {
	cycles := thumbCycles(cpu)
	sum := 0
	for i, l := range program {
		sum += cycles[l.op]
		if i+1 == len(program) {
			break
		}
		next := program[i+1].op
		if l.op == "ldr" || l.op == "ldrb" {
			switch next {
			case "ldr", "ldrb", "str", "nop":
				sum--
			}
		}
		if l.op == "str" && (next == "ldr" || next == "ldrb") {
			sum++
		}
		if l.op == "bump" && l.base == program[i+1].base {
			switch next {
			case "ldr", "ldrb", "str", "ldm", "stm", "ldrd":
				sum++
			}
		}
	}
	return sum
}

// rocketText: uncompressed, so that every instruction is one fetch word.
var rocketText = map[string]string{
	"xor":  "xor t%[1]d, t%[2]d, a5",
	"addi": "addi t%[1]d, t%[2]d, 5",
	"bump": "addi a%[3]d, a%[3]d, 0",
	"mul":  "mul t%[1]d, t%[2]d, a5",
	"lw":   "lw t%[1]d, %[4]d(a%[3]d)",
	"lbu":  "lbu t%[1]d, %[4]d(a%[3]d)",
	"sw":   "sw t%[2]d, %[4]d(a%[3]d)",
}

var rocketLatency = map[string]int{"xor": 1, "addi": 1, "bump": 1, "mul": 5, "lw": 2, "lbu": 3, "sw": 0}

// recountRocket places every instruction in the first cycle that suits it.
func recountRocket(program []line) int {
	free := map[string]int{} // name of a register or unit -> first cycle it is free in
	cycle := 0               // of the instruction before
	var slots []*line        // who issued in each cycle so far
	for i := range program {
		l := &program[i]
		data, addr := fmt.Sprint("t", l.src), fmt.Sprint("a", l.base)
		dst := fmt.Sprint("t", l.dst)
		needs := map[string][]string{
			"xor": {data, dst}, "addi": {data, dst}, "bump": {addr}, "mul": {data, dst, "unit"},
			"lw": {addr, dst}, "lbu": {addr, dst}, "sw": {addr, data},
		}[l.op]
		cycle = len(slots)
		for _, n := range needs {
			cycle = max(cycle, free[n])
		}
		for len(slots) < cycle {
			slots = append(slots, nil)
		}
		latency := rocketLatency[l.op]
		if conflicts(slots, l) { // done again
			slots = append(slots, make([]*line, 5)...)
			cycle += 5
		}
		slots = append(slots, l)
		if l.op == "bump" {
			dst = addr
		}
		if l.op != "sw" {
			free[dst] = cycle + latency
		}
		if l.op == "mul" {
			free["unit"] = cycle + latency
		}
	}
	return len(slots)
}

// conflicts looks back over loads to the store right before them.
func conflicts(slots []*line, l *line) bool {
	if l.op != "lw" && l.op != "lbu" {
		return false
	}
	for i := len(slots) - 1; i >= 0 && slots[i] != nil; i-- {
		switch slots[i].op {
		case "lw", "lbu":
		case "sw":
			return slots[i].base == l.base && slots[i].offset == l.offset
		default:
			return false
		}
	}
	return false
}

// body counts the cycles between the markers of a program: the nops around it.
func body(t testing.TB, b *testbed, first, count uint64) int {
	p := b.pipeline(t)
	var sum costmodel.Totals
	p.SetSink(func(x costmodel.Timed) {
		if x.Index >= first && x.Index < first+count {
			sum.Add(&x)
		}
	})
	if err := b.call(b.core(t), p); err != nil {
		t.Fatal(err)
	}
	return int(sum.Slots)
}

func render(texts map[string]string, program []line, firstBase int) string {
	var s strings.Builder
	for _, l := range program {
		fmt.Fprintf(&s, "\t"+texts[l.op]+"%[5]s\n", l.dst, l.src, firstBase+l.base, l.offset, "")
	}
	return s.String()
}

func keys(m map[string]string) []string {
	var out []string
	for _, k := range []string{"eor", "mov", "mul", "mla", "bump", "nop", "ldr", "ldrb", "str", "ldm", "stm", "ldrd", "xor", "addi", "lw", "lbu", "sw"} {
		if _, ok := m[k]; ok {
			out = append(out, k)
		}
	}
	return out
}

func TestRecountCortexM(t *testing.T) {
	for _, name := range []string{"cortex-m3", "cortex-m4"} {
		cpu := load(t, name)
		t.Run(name, func(t *testing.T) {
			checkMany(t, func(t *rapid.T, tb testing.TB) {
				program := drawProgram(t, keys(thumbText))
				text := "\t.syntax unified\n\t.thumb\n\t.global f\n\t.type f, %function\nf:\n\tnop.w\n" +
					render(thumbText, program, 8) + "\tmovw r12, #0\n\tmovw r12, #0\n\tbx lr\n"
				b := newTestbed(tb, cpu, text)
				got := body(tb, b, 1, uint64(len(program)+1))
				if want := recountThumb(name, program) + 1; got != want {
					t.Fatalf("%d cycles, the recount says %d\n%s", got, want, text)
				}
			})
		})
	}
}

func TestRecountRocket(t *testing.T) {
	cpu := load(t, "sifive-e31")
	if err := cpu.Set("icache_miss", "0"); err != nil {
		t.Fatal(err)
	}
	checkMany(t, func(t *rapid.T, tb testing.TB) {
		program := drawProgram(t, keys(rocketText))
		text := "\t.option norvc\n\t.global f\n\t.type f, @function\nf:\n\tnop\n" + render(rocketText, program, 0) + "\tret\n"
		b := newTestbed(tb, cpu, text)
		got := body(tb, b, 1, uint64(len(program)))
		if want := recountRocket(program); got != want {
			t.Fatalf("%d cycles, the recount says %d\n%s", got, want, text)
		}
	})
}

// checkMany checks a property on 400 programs, on 20,000 in the long form.
func checkMany(t *testing.T, property func(*rapid.T, testing.TB)) {
	for range foreign.Count(4, 200) {
		rapid.Check(t, func(r *rapid.T) { property(r, t) })
	}
}
