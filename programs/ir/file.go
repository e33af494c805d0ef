package ir

import (
	"maps"
	"slices"
)

// File is a parsed and checked kernel file.
type File struct {
	path    string
	uses    []*useDecl
	decls   []any // in text order: *constDecl, *tableDecl, *defDecl, *kernelDecl, *testDecl, *equivDecl
	scope   map[string]ref
	keyDefs map[string]*kernelDecl
	kernels []*Kernel
	work    work
}

// VectorTest is a clause: test KERNEL vectors "FILE".
type VectorTest struct {
	Kernel *Kernel
	File   string // as written; relative to the folder of the kernel file
	Pos    Pos
}

// Kernels returns the kernels that the file declares, in text order. Keys functions are
// reached by Kernel.Keys; kernels of used files are not among them.
func (f *File) Kernels() []*Kernel { return f.kernels }

// Kernel returns the kernel of that name, or nil.
func (f *File) Kernel(name string) *Kernel {
	for _, k := range f.kernels {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// Vectors returns the vectors clauses in text order.
func (f *File) Vectors() []VectorTest {
	var list []VectorTest
	for _, d := range f.decls {
		if t, ok := d.(*testDecl); ok && t.kernel != "" {
			list = append(list, VectorTest{f.Kernel(t.kernel), t.vectors, t.pos})
		}
	}
	return list
}

// lookup finds a name of the file or of the language; its kind is refNone if there is none.
func (f *File) lookup(name string) ref {
	if x, ok := f.scope[name]; ok {
		return x
	}
	if b, ok := builtins[name]; ok {
		return ref{kind: refBuiltin, fn: b}
	}
	if w, ok := typeNames[name]; ok {
		return ref{kind: refType, width: w}
	}
	return ref{}
}

// meaning says what a name of the file or of the language is, or "" if it is free.
func (f *File) meaning(name string) string {
	x := f.lookup(name)
	switch x.kind {
	case refConst:
		return "a constant, declared at " + x.con.pos.String()
	case refTable:
		return "a table, declared at " + x.table.pos.String()
	case refDef:
		return "a def, declared at " + x.def.pos.String()
	case refBuiltin:
		return "a built-in function"
	case refType:
		return "a type"
	}
	return ""
}

// names lists the names of the file and of the language.
func (f *File) names() []string {
	list := append(sortedKeys(f.scope), sortedKeys(builtins)...)
	return append(list, sortedKeys(typeNames)...)
}

// add enters a declaration into the scope.
func (f *File) add(name string, pos Pos, x ref, errs *errorList) {
	if what := f.meaning(name); what != "" {
		errs.add(&Error{Pos: pos, Msg: name + " is already " + what, Hint: "choose another name"})
		return
	}
	f.scope[name] = x
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
