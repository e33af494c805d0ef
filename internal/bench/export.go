package bench

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"simrun/internal/result"
	"simrun/isa"
	"simrun/programs/ir"
)

// Export is a checked kernel, and the keys function that makes its key parameter, as C code links them.
type Export struct {
	Kernel *Program
	Keys   *Program // nil if there is none
	Proof  string   // how the kernel was checked, for people
}

// Export compiles the kernel of the cell and its keys function and proves both right on the simulator.
func (c Cell) Export() (*Export, error) {
	p, err := c.Check()
	if err != nil {
		return nil, err
	}
	e := &Export{Kernel: p, Proof: c.Subject.proof()}
	if c.Subject.Kernel.Keys != nil {
		if e.Keys, err = c.Keys().Check(); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// Keys is the cell of the keys function that the kernel names, which the interpreter judges.
func (c Cell) Keys() Cell {
	k := c.Subject.Kernel.Keys
	c.Subject = &Subject{Name: k.Name, Kernel: k}
	return c
}

func (s *Subject) proof() string {
	if s.Verified() == result.Vectors {
		return fmt.Sprintf("%d blocks of test vectors, each in every position among others", len(s.cases))
	}
	return fmt.Sprintf("the interpreter of the language on %d inputs", interpreterCalls)
}

func (e *Export) programs() []*Program {
	if e.Keys == nil {
		return []*Program{e.Kernel}
	}
	return []*Program{e.Kernel, e.Keys}
}

// stackNote tells the linker of an operating system that the code needs no executable stack. The compilers for
// bare machines write none, and linkers complain of a mixture.
const stackNote = "\n\t.section .note.GNU-stack,\"\",%progbits\n"

// WriteAsm writes an assembler file in GNU syntax, of which the public assemblers make exactly the bytes of the
// images.
func (e *Export) WriteAsm(w io.Writer) error {
	var blocks []*isa.Block
	for i, p := range e.programs() {
		b := p.Block
		if i > 0 {
			b = withOwnLabels(b)
		}
		blocks = append(blocks, b)
	}
	if err := isa.WriteGNU(w, e.Kernel.Arch, blocks); err != nil {
		return err
	}
	if e.Kernel.Arch.Triple() != "" { // a tool for another machine than this
		return nil
	}
	_, err := io.WriteString(w, stackNote)
	return err
}

// symbolWord is a name in a symbolic operand, which may be an expression: %hi(.Ltable).
var symbolWord = regexp.MustCompile(`[.A-Za-z_$][.\w$]*`)

// withOwnLabels returns the block with its name in every local label, so that it can stand in one file with others.
func withOwnLabels(b *isa.Block) *isa.Block {
	local := map[string]bool{}
	for _, it := range b.Items {
		local[it.Label] = it.Label != ""
	}
	own := *b
	own.Items = slices.Clone(b.Items)
	for i := range own.Items {
		it := &own.Items[i]
		for _, text := range []*string{&it.Label, &it.Sym, &it.Inst.Sym} {
			*text = symbolWord.ReplaceAllStringFunc(*text, func(name string) string {
				if local[name] {
					name += "_" + b.Name
				}
				return name
			})
		}
	}
	return &own
}

// WriteHeader writes a C header: the prototypes and what the caller must know, for code that takes a context
// block also its struct.
func (e *Export) WriteHeader(w io.Writer) error {
	var out strings.Builder
	guard := "SIMRUN_" + strings.ToUpper(e.Kernel.Block.Name) + "_H"
	fmt.Fprintf(&out, "#ifndef %s\n#define %s\n\n#include <stdint.h>\n\n", guard, guard)
	fmt.Fprintf(&out, "/* %s for %s, made by %s.\n", e.Kernel.Kernel.Name, e.Kernel.CPU.Name, result.Tool)
	fmt.Fprintf(&out, " * Checked on the simulator by %s.\n", e.Proof)
	out.WriteString(" * Buffers must not overlap, an input and an output neither. */\n\n")
	out.WriteString("#ifdef __cplusplus\nextern \"C\" {\n#endif\n")
	for _, p := range e.programs() {
		out.WriteString("\n")
		writeDeclaration(&out, p)
	}
	out.WriteString("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	_, err := io.WriteString(w, out.String())
	return err
}

func writeDeclaration(w io.Writer, p *Program) {
	fmt.Fprintf(w, "/* %s.\n", summary(p))
	for _, param := range p.Params {
		fmt.Fprintf(w, " * %s\n", describe(p, param))
	}
	io.WriteString(w, " */\n")
	if p.Context == nil {
		fmt.Fprintf(w, "void %s(%s);\n", p.Block.Name, strings.Join(arguments(p), ", "))
		return
	}
	writeContext(w, p)
}

func summary(p *Program) string {
	switch {
	case p.Kernel.IsKeys():
		return "Round keys: one call expands one key"
	case p.Blocks == 1:
		return fmt.Sprintf("One call works on 1 block, %d bytes", p.Bytes)
	}
	return fmt.Sprintf("One call works on %d blocks, %d bytes", p.Blocks, p.Bytes)
}

// memUse says what a buffer is for.
var memUse = map[ir.MemKind]string{ir.In: "input", ir.Out: "output", ir.InOut: "input and output", ir.Key: "expanded key"}

func describe(p *Program, param ir.Param) string {
	if param.Public {
		return cName(param.Name) + ": a number that is not secret" + rangeOf(param)
	}
	m := param.Mem
	text := fmt.Sprintf("%s: %s, %d bytes", cName(param.Name), memUse[m.Kind], p.bufferBytes(m))
	switch {
	case m.Sliced:
		text += fmt.Sprintf(" in slices of %d bits, aligned to %d: bit b of slice 8*p + i is bit 7-i of byte p of block b", m.Width, m.Width/8)
	case m.Width > 8:
		order := "little-endian"
		if m.BigEndian {
			order = "big-endian"
		}
		text += fmt.Sprintf(" in %s words of %d bits, aligned to %d", order, m.Width, m.Width/8)
	}
	return text
}

func rangeOf(param ir.Param) string {
	if param.Lo == param.Hi {
		return ""
	}
	return fmt.Sprintf(", from %d to %d", param.Lo, param.Hi-1)
}
