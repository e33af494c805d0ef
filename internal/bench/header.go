package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"simrun/isa"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// WriteAsm writes the program as an assembler file in GNU syntax, of which the public
// assemblers make exactly the bytes of the image.
func WriteAsm(w io.Writer, p *Program) error {
	return isa.WriteGNU(w, p.Arch, []*isa.Block{p.Block})
}

// WriteHeader writes a C header: the prototype and what the caller must know, for code that
// takes a context block also its struct.
func WriteHeader(w io.Writer, p *Program) error {
	var out strings.Builder
	name := p.Block.Name
	guard := "SIMRUN_" + strings.ToUpper(name) + "_H"
	fmt.Fprintf(&out, "#ifndef %s\n#define %s\n\n#include <stdint.h>\n\n", guard, guard)
	fmt.Fprintf(&out, "/* %s for %s: one call works on %d blocks, %d bytes.\n", p.Kernel.Name, p.CPU.Name, p.Blocks, p.Bytes)
	for _, param := range p.Params {
		fmt.Fprintf(&out, " * %s\n", describe(p, param))
	}
	out.WriteString(" */\n")
	if p.Context == nil {
		fmt.Fprintf(&out, "void %s(%s);\n", name, strings.Join(arguments(p), ", "))
	} else {
		writeContext(&out, p)
	}
	out.WriteString("\n#endif\n")
	_, err := io.WriteString(w, out.String())
	return err
}

var memUse = map[ir.MemKind]string{ir.In: "input", ir.Out: "output", ir.InOut: "input and output", ir.Key: "expanded key"}

func describe(p *Program, param ir.Param) string {
	if param.Public {
		return param.Name + ": a number that is not secret"
	}
	order := "little-endian"
	if param.Mem.BigEndian {
		order = "big-endian"
	}
	text := fmt.Sprintf("%s: %s, %d bytes", param.Name, memUse[param.Mem.Kind], p.bufferBytes(param.Mem))
	if param.Mem.Width > 8 {
		text += fmt.Sprintf(" in %s words of %d bits", order, param.Mem.Width)
	}
	if param.Mem.Width > 64 {
		text += ", aligned to 16"
	}
	return text
}

// cType is the C type of a parameter. Words are given as they stand in memory.
func cType(param ir.Param) string {
	if param.Public {
		return "intptr_t "
	}
	t := fmt.Sprintf("uint%d_t *", min(param.Mem.Width, 64))
	if param.Mem.Kind == ir.In || param.Mem.Kind == ir.Key {
		return "const " + t
	}
	return t
}

func arguments(p *Program) []string {
	args := make([]string, len(p.Params))
	for i, param := range p.Params {
		args[i] = cType(param) + param.Name
	}
	return args
}

// writeContext writes the struct of the context block, field by field at its offset; the gaps are
// the code's own.
func writeContext(w io.Writer, p *Program) {
	types := map[string]string{}
	for _, param := range p.Params {
		types[param.Name] = cType(param)
	}
	fields := slices.Clone(p.Context.Fields)
	slices.SortFunc(fields, func(a, b compile.Field) int { return a.Offset - b.Offset })
	name, at := p.Block.Name, 0
	fmt.Fprintf(w, "struct %s_context {\n", name)
	for _, f := range fields {
		at = writeGap(w, at, f.Offset)
		fmt.Fprintf(w, "\t%s%s;\n", types[f.Name], f.Name)
		at += 8
	}
	writeGap(w, at, p.Context.Size)
	fmt.Fprintf(w, "} __attribute__((aligned(64)));\n\nvoid %s(struct %s_context *context);\n", name, name)
}

func writeGap(w io.Writer, from, to int) int {
	if to > from {
		fmt.Fprintf(w, "\tunsigned char own%d[%d];\n", from, to-from)
	}
	return to
}
