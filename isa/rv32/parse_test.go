package rv32

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/internal/foreign"
	"simrun/isa"
)

// TestCompressionGNU compares what the two assemblers make of random base instructions under rvc,
// with operands drawn so that about half can be compressed.
func TestCompressionGNU(t *testing.T) {
	foreign.Tool(t, Arch{}.Triple()+"as")
	rnd := rand.New(rand.NewPCG(3, 4))
	var lines []goldenLine
	for range foreign.Count(4000, 200_000) {
		e := entries[rnd.IntN(len(entries))]
		in := compressibleInst(e, rnd)
		for i, op := range in.Form.Ops {
			if op.Kind == isa.KindLabel {
				in.Sym = fmt.Sprintf(".%+d", int32(in.Args[i]))
			}
		}
		lines = append(lines, goldenLine{mode: ".option rvc", asm: Arch{}.Print(in)})
	}
	for i, want := range gnuLines(t, lines) {
		code, err := ownText(lines[i].mode + "\n" + lines[i].asm)
		if got := fmt.Sprintf("%x", code); err != nil || got != want {
			t.Errorf("%s: %s (%v), GNU makes %s", lines[i].asm, got, err, want)
		}
	}
}

// compressibleInst draws registers and immediates from few values that compressed forms like.
func compressibleInst(e *entry, rnd *rand.Rand) isa.Inst {
	regs := []isa.Reg{Zero, RA, SP, S0, A0, A1, T6}
	in := randomInst(e, 0, func(lo, hi int64) int64 {
		if hi-lo == 31 || rnd.IntN(4) == 0 {
			return lo + rnd.Int64N(hi-lo+1)
		}
		return min(max(rnd.Int64N(80)-40, lo), hi)
	})
	for i, op := range e.form.Ops {
		f := &e.pat.fields[e.slots[i]]
		if r := int64(regs[rnd.IntN(len(regs))]); op.Kind == isa.KindReg {
			if _, err := f.encode(r); err == nil {
				in.Args[i] = r
			}
		}
	}
	return in
}

// programs are whole files whose bytes must be those of the GNU tools.
var programs = map[string]string{
	"labels": `
	.global f
	.type f, %function
f:	li a0, 10
	li a1, 0
1:	addi a1, a1, 3 # first loop
	addi a0, a0, -1
	bnez a0, 1b
	beq a0, zero, 2f ; nop
1:	j 1b
2:	call g   # forward
	la a2, table
	lw a3, 4(a2)
	lui a4, %hi(table)
	lw a4, %lo(table+8)(a4)
	ret
	.global g
	.align 3
g:	/* a comment
	over lines */ .equ four, 4
	addi a0, a0, four*2
	c.jr ra
	.balign 4
table:	.word 1, 2, -3, 0x80000000
	.byte 1, 2
	.half 3
	.asciz "a;b#\n"
	.zero 5
	.align 2
end:	j end
`,
	"anchor": `
f:	lui a5, %hi(.LANCHOR0)
	addi a5, a5, %lo(.LANCHOR0)
	sh2add a0, a0, a5
	jr 8(a0)
	.align 2
	.set .LANCHOR0,. + 0
	.set here, .
	.word 1, 2
	j here
`,
	"norvc": `
	.option push
	.option norvc
start:	xor a0, a0, a1
	beqz a0, start
	j start
	.p2align 4
	.option pop
	xor a0, a0, a1
	tail start
`,
	"far": "f:\n\tbeqz a0, g\n\tbne t6, a1, g\n\tj g\n\t.option norvc\n\tbltu a0, a1, g\n\t.option rvc\n" +
		strings.Repeat("\tlw a0, 200(a1)\n", 1100) + "g:\tbnez a0, f\n\tbge a0, a1, f\n\tbeqz a0, g\n",
	"border": "f:\n\tbeqz a0, g\n\tbnez a1, g\n" + strings.Repeat("\tlw a0, 200(a1)\n", 63) + "g:\tbnez a0, f\n\tbeqz a0, f\n",
}

func TestProgramsGNU(t *testing.T) {
	foreign.Tool(t, Arch{}.Triple()+"as")
	for name, text := range programs {
		t.Run(name, func(t *testing.T) {
			want, _ := gnuText(t, text)
			got, err := ownText(text)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(disassembly(want), disassembly(got)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestListingGNU sees that the GNU tools make the same bytes of what isa.WriteGNU writes.
func TestListingGNU(t *testing.T) {
	foreign.Tool(t, Arch{}.Triple()+"as")
	for name, text := range programs {
		t.Run(name, func(t *testing.T) {
			blocks, err := Arch{}.Parse("a.s", text)
			if err != nil {
				t.Fatal(err)
			}
			im, err := Arch{}.Assemble(blocks, gnuBase)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := isa.WriteGNU(&b, Arch{}, blocks); err != nil {
				t.Fatal(err)
			}
			want, _ := gnuText(t, b.String())
			if d := cmp.Diff(disassembly(want), disassembly(im.Segments[0].Data)); d != "" {
				t.Error(d)
			}
			again, err := ownText(b.String())
			if err != nil || !bytes.Equal(again, want) {
				t.Errorf("the listing reads back differently: %v", err)
			}
		})
	}
}

// disassembly shows code so that a difference can be read.
func disassembly(code []byte) []string {
	var out []string
	for at := 0; at < len(code); {
		in, n, err := Arch{}.Decode(code[at:], uint64(at))
		text := "?"
		if err == nil {
			text = Arch{}.Print(in)
		} else {
			n = min(2, len(code)-at)
		}
		out = append(out, fmt.Sprintf("%x %x %s", at, code[at:at+n], text))
		at += n
	}
	return out
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"xori a0,a1,5000":                   `a.s:1: xori: XORI: imm 5000 is outside -2048..2047`,
		"\nfoo a0":                          `a.s:2: unknown instruction "foo"`,
		"add a0,a1":                         `a.s:1: add takes rd,rs1,rs2, not "a0,a1"`,
		"ret a0":                            `a.s:1: ret takes 0 operands, not 1`,
		"j 1f":                              `a.s:1: 1f: no label 1: follows`,
		"j 1b":                              `a.s:1: j: 1b: no label 1: precedes`,
		"c.xor t6,a0":                       `a.s:1: c.xor: C.XOR: rd'/rs1' 31 is outside 8..15`,
		"c.addi4spn a0,sp,2":                `a.s:1: c.addi4spn: C.ADDI4SPN: nzuimm 2 is no multiple of 4`,
		"lw a0,%got(x)(a1)":                 `a.s:1: lw: %got(x) cannot stand here; %pcrel_hi, %pcrel_lo, %hi, %lo are understood`,
		"li a0,0x100000000":                 `a.s:1: li: 4294967296 does not fit 32 bits`,
		"li a0,1/0":                         `a.s:1: li: expression "1/0": division by zero`,
		".macro m":                          `a.s:1: directive .macro is not understood; assemble the file with the GNU tools and run the ELF`,
		".data":                             `a.s:1: directive .data is not understood; assemble the file with the GNU tools and run the ELF`,
		".byte 256":                         `a.s:1: .byte: 256 does not fit 1 bytes`,
		".set a, . + 4":                     `a.s:1: .set: a can only be set to the place where it stands`,
		".balign 3":                         `a.s:1: .balign: 3 is no power of two`,
		".option pop":                       `a.s:1: .option: pop without push`,
		"csrr a0,nothing":                   `a.s:1: csrr: expression "nothing": nothing is not a constant`,
		"fence x,w":                         `a.s:1: fence: pred "x" has other letters than iorw`,
		"la a0":                             `a.s:1: la does not take 1 operands like a0`,
		"amoadd.w.xy a0,a1,(a2)":            `a.s:1: unknown instruction "amoadd.w.xy"`,
		"jalr a0,a1,a2,a3":                  `a.s:1: jalr takes rd,imm(rs1), not "a0,a1,a2,a3"`,
		".section .bss":                     `a.s:1: .section: section ".bss" is not .text or .rodata; for writable data assemble with the GNU tools and run the ELF`,
		"lw a0," + strings.Repeat("(", 200): `a.s:1: lw takes rd,imm(rs1), not "a0,` + strings.Repeat("(", 200) + `"`,
	} {
		_, err := Arch{}.Parse("a.s", text)
		if err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}

// TestRelaxEnds sees that a text whose branches push each other out of reach one by one is refused
// in time.
func TestRelaxEnds(t *testing.T) {
	var b strings.Builder
	const n, reach = 16_000, 127
	for i := range n {
		fmt.Fprintf(&b, "l%d: beqz a0, l%d\n", i, i+reach)
	}
	for i := range reach {
		fmt.Fprintf(&b, "l%d: c.nop\n", n+i)
	}
	b.WriteString("beq a0, a1, l0\n")
	if _, err := ownText(b.String()); err != nil {
		t.Fatalf("branches at the border: %v", err)
	}
	grow := strings.Replace(b.String(), fmt.Sprintf("l%d: c.nop", n), fmt.Sprintf("l%d: .zero 6", n), 1)
	if _, err := ownText(grow); err == nil || !strings.Contains(err.Error(), "do not settle") {
		t.Errorf("got %v", err)
	}
}

func TestAssembleErrors(t *testing.T) {
	for text, want := range map[string]string{
		"j nowhere":                              `.Ltext+0x0: line 1: label nowhere is not defined`,
		"a:\nnop\na:":                            `line 3: label a is defined twice`,
		"f: c.j g\n.zero 4096\ng: nop":           `f+0x0: line 1: C.J: offset 4098 is outside -2048..2046`,
		"f: addi a0,a0,%pcrel_lo(f)":             `f+0x0: line 1: %pcrel_lo(f): there is no %pcrel_hi at that label`,
		"f: j g\n.zero 1048576\n.zero 9\ng: nop": `f+0x0: line 1: JAL: offset 1048589 is outside -1048576..1048574`,
		"f: beq a0,a1,g\n.byte 1\ng: nop":        `f+0x0: line 1: BEQ: offset 5 is no multiple of 2`,
	} {
		if _, err := ownText(text); err == nil || err.Error() != want {
			t.Errorf("%.40s:\n got %v\nwant %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range programs {
		if len(text) < 2000 {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		blocks, err := Arch{}.Parse("a.s", text)
		if err != nil {
			return
		}
		if _, err := (Arch{}).Assemble(blocks, gnuBase); err != nil {
			return
		}
		for _, b := range blocks {
			for _, it := range b.Items {
				if it.Inst.Form != nil {
					Arch{}.Print(it.Inst)
				}
			}
		}
	})
}
