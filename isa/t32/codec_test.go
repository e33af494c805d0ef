package t32

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simrun/internal/foreign"
	"simrun/isa"
)

// Every row: what encodes decodes to itself.
func TestRoundTrip(t *testing.T) {
	for _, e := range encodings {
		t.Run(e.form.ID, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				r := seeded(rapid.Uint64().Draw(t, "seed"))
				pc := uint64(r.Uint32() & 0x0fff_fffe)
				in := randomInst(r, e, uint32(pc))
				code, err := Arch{}.Encode(in, pc)
				if err != nil {
					t.Fatalf("%v: %v", in.Args, err)
				}
				back, n, err := Arch{}.Decode(code, pc)
				if err != nil || n != len(code) || back.Form != in.Form || back.Args != in.Args {
					t.Fatalf("%s %v -> %s -> %v %v %v", in.Form.ID, in.Args, hexOf(code), back.Form, back.Args, err)
				}
			})
		})
	}
}

// No two rows claim one word unless the more special one wins, so any word that decodes encodes to
// itself again.
func TestDecodeAnything(t *testing.T) {
	r := seeded(1)
	var code [4]byte
	for range foreign.Count(300_000, 20_000_000) {
		binary.LittleEndian.PutUint32(code[:], r.Uint32())
		if r.IntN(2) == 0 {
			code[1] |= 0xe8 // favour 32-bit encodings
		}
		checkDecode(t, code[:])
	}
}

func checkDecode(t *testing.T, code []byte) {
	const pc = 0x8000
	in, n, err := Arch{}.Decode(code, pc)
	if err != nil {
		return
	}
	back, err := Arch{}.Encode(in, pc)
	if err != nil || !bytes.Equal(back, code[:n]) {
		t.Fatalf("%s decodes to %s %v, encodes to %s %v", hexOf(code[:n]), in.Form.ID, in.Args, hexOf(back), err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{0x80, 0xea, 0x71, 0x12})
	f.Add([]byte{0x40, 0x40})
	f.Add([]byte{0x2d})
	f.Fuzz(func(t *testing.T, code []byte) {
		checkDecode(t, code)
		if in, _, err := (Arch{}).Decode(code, 0); err == nil && (Arch{}).Print(in) == "" {
			t.Fatal("decoded but not printed")
		}
	})
}

// The GNU assembler makes our bytes of our text, and we parse our text to the same bytes.
func TestPrintGNU(t *testing.T) {
	r := seeded(2)
	for round := range foreign.Count(4, 200) {
		var text strings.Builder
		var want [][]byte
		text.WriteString(Arch{}.Prologue() + "\n" + floatUnit + "\n")
		for _, e := range encodings {
			in := randomInst(r, e, 0)
			if hasLabel(&in) || e == encIT {
				continue // TestBranchesGNU
			}
			line := Arch{}.Print(in)
			text.WriteString("\t" + line + "\n")
			want = append(want, bytesOf(t, in, 0))
			checkParse(t, line, bytesOf(t, in, 0))
		}
		got := assembleGNU(t, text.String())
		lines := strings.Split(text.String(), "\n")[4:]
		for i, w := range want {
			if !bytes.HasPrefix(got, w) {
				t.Fatalf("round %d: %s: %s, GNU has %s", round, lines[i], hexOf(w), hexOf(got[:min(4, len(got))]))
			}
			got = got[len(w):]
		}
	}
}

func checkParse(t *testing.T, line string, want []byte) {
	t.Helper()
	blocks, err := Arch{}.Parse("line", line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	im, err := Arch{}.Assemble(blocks, 0)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if got := im.Segments[0].Data; !bytes.Equal(got, want) {
		t.Fatalf("%s: parsed to %s, want %s", line, hexOf(got), hexOf(want))
	}
}

// Branches and literals of every row, forward and backward, at the distance their text is drawn with.
func TestBranchesGNU(t *testing.T) {
	r := seeded(3)
	for _, e := range encodings {
		in := isa.Inst{Form: &e.form}
		if !hasLabel(&in) {
			continue
		}
		for range foreign.Count(2, 20) {
			checkLabel(t, e, r.IntN(60)*4)
		}
	}
}

// checkLabel assembles one instruction between two targets n bytes away.
func checkLabel(t *testing.T, e *encoding, n int) {
	r := seeded(uint64(n))
	for _, sym := range []string{"before", "after"} {
		in := randomInst(r, e, 0x1000)
		in.Sym = sym
		items := []isa.Item{
			{Label: "before"}, {Data: make([]byte, n)}, {Inst: in}, {Inst: Make("NOP_T1")}, {Align: 4},
			{Data: make([]byte, n)}, {Label: "after"}, {Inst: Make("NOP_T1")},
		}
		if n == 0 {
			items = append(items[:1], items[2:5]...)
			items = append(items, isa.Item{Label: "after"}, isa.Item{Inst: Make("NOP_T1")})
		}
		blocks := []*isa.Block{{Name: "f", Align: 4, Items: items}}
		im, err := Arch{}.Assemble(blocks, 0)
		if err != nil {
			continue // out of this row's reach
		}
		var text strings.Builder
		if err := isa.WriteGNU(&text, Arch{}, blocks); err != nil {
			t.Fatal(err)
		}
		got := assembleGNU(t, text.String()) // padded at its end to the section's alignment
		if !bytes.HasPrefix(got, im.Segments[0].Data) {
			t.Fatalf("%s to %s:\n%s\nours %x\nGNU  %x", e.form.ID, sym, text.String(), im.Segments[0].Data, got)
		}
		parsed, err := Arch{}.Parse("f.s", text.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, text.String())
		}
		again, err := Arch{}.Assemble(parsed, 0)
		if err != nil || !bytes.Equal(again.Segments[0].Data, im.Segments[0].Data) {
			t.Fatalf("%s to %s: parsed again: %v\n%s", e.form.ID, sym, err, text.String())
		}
	}
}

// The disassembler of the GNU tools calls random valid words by the names we give them.
func TestDisassembleGNU(t *testing.T) {
	as, objdump := foreign.Tool(t, "arm-none-eabi-as"), foreign.Tool(t, "arm-none-eabi-objdump")
	r := seeded(4)
	var text strings.Builder
	text.WriteString("\t.syntax unified\n\t.thumb\n\t.text\n\t.thumb_func\nf:\n")
	var ours []string
	for range foreign.Count(6, 300) {
		for _, e := range encodings {
			in := randomInst(r, e, 0)
			if e == encIT || hasLabel(&in) || zeroOffset(&in) || e.noText(&in) {
				continue
			}
			code := bytesOf(t, in, 0)
			for i := 0; i < len(code); i += 2 {
				fmt.Fprintf(&text, "\t.inst.n 0x%04x\n", binary.LittleEndian.Uint16(code[i:]))
			}
			ours = append(ours, Arch{}.Print(in))
		}
	}
	listing := disassemble(t, as, objdump, text.String())
	if len(listing) != len(ours) {
		t.Fatalf("%d instructions, objdump lists %d", len(ours), len(listing))
	}
	for i := range ours {
		if canonical(ours[i]) != canonical(listing[i]) {
			t.Errorf("ours %q, objdump %q", ours[i], listing[i])
		}
	}
}

// zeroOffset finds offsets of zero in either direction, which objdump prints in several ways.
func zeroOffset(in *isa.Inst) bool {
	for i, op := range in.Form.Ops {
		if (strings.HasPrefix(op.Name, "±") || op.Name == "-imm") && (in.Args[i] == 0 || in.Args[i] == NegZero) {
			return true
		}
	}
	return false
}

func FuzzParse(f *testing.F) {
	f.Add("") // once made Assemble allocate a negative size
	f.Add("f:\n\teors\tr0, r1\n\tb\tf\n")
	f.Add(".global g\ng: ldr r0, =0x12345678\n\tite eq\n\tmoveq r0, #1\n\tmovne r0, #2\n1: cbz r0, 1f\n1: bx lr\n")
	f.Add(".macro m a, b=2\n\tadds \\a, #\\b\n.endm\nm r0\n.rept 3\nm b=1, a=r1\n.endr\n.irp r, r2, r3\nm \\r\n.endr\n")
	f.Add(".if 1 > 2\n nop\n.elseif 3 == 3\n bx lr\n.else\n.endif\n.section .rodata\nt: .word t, t+4\n.text\nldr r0, =t\nx = 5\n")
	f.Add(".balign 8\n.word 1,2,(3+4)*5\n.ascii \"a;b\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		blocks, err := Arch{}.Parse("fuzz.s", text)
		if err != nil {
			return
		}
		if im, err := (Arch{}).Assemble(blocks, 0x100); err == nil && im == nil {
			t.Fatal("no image and no error")
		}
	})
}
