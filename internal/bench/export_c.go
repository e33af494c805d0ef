package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"simrun/programs/compile"
	"simrun/programs/ir"
)

// reserved are the words of C and C++ that a kernel may use as a name.
var reserved = strings.Fields(`alignas alignof and asm auto bool break case catch char class compl concept const constexpr continue
	default delete do double dynamic_cast enum explicit export extern false float friend goto inline int intptr_t long mutable namespace
	new noexcept not nullptr operator or private protected public register requires restrict return short signed sizeof static
	static_assert static_cast struct switch template this throw true try typedef typeid typename union unsigned using virtual void
	volatile wchar_t while xor`)

// cName is the name of a parameter in C.
func cName(name string) string {
	if slices.Contains(reserved, name) {
		return name + "_"
	}
	return name
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
		restrict := "__restrict " // as C++ compilers know it too
		if param.Public {
			restrict = ""
		}
		args[i] = cType(param) + restrict + cName(param.Name)
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
		fmt.Fprintf(w, "\t%s%s;\n", types[f.Name], cName(f.Name))
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
