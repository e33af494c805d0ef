package bench

import (
	"fmt"
	"io"
	"slices"

	"simrun/programs/compile"
	"simrun/programs/ir"
)

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
		restrict := "__restrict " // as C++ compilers know it too
		if param.Public {
			restrict = ""
		}
		args[i] = cType(param) + restrict + param.Name
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
