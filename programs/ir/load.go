package ir

import (
	"io/fs"
	"path"
	"strings"

	"simrun/internal/input"
)

// loader parses a file and the files it uses, each once.
type loader struct {
	fsys  fs.FS
	files map[string]*File
	stack []string // files being loaded, outermost first
	errs  errorList
}

// ParseFile parses and checks the kernel file at path in fsys, and the files it uses.
// Mistakes are reported as *Error, up to ten of them joined by errors.Join; other errors
// (a file that cannot be read) come as they are.
func ParseFile(fsys fs.FS, path string) (*File, error) {
	l := &loader{fsys: fsys, files: map[string]*File{}}
	text, err := l.read(path)
	if err != nil {
		return nil, err
	}
	f := l.load(path, text)
	if !l.errs.empty() {
		return nil, l.errs.err()
	}
	return f, nil
}

func (l *loader) read(name string) (string, error) {
	src, err := input.ReadFS(l.fsys, name, input.MaxText)
	return string(input.NoBOM(src)), err
}

// load parses the text and binds its names; mistakes go to l.errs.
func (l *loader) load(name, text string) *File {
	f := &File{path: name, scope: map[string]ref{}, keyDefs: map[string]*kernelDecl{}, work: work{budget, maxConstants}}
	l.files[name] = f
	l.stack = append(l.stack, name)
	defer func() { l.stack = l.stack[:len(l.stack)-1] }()
	parseText(f, text, &l.errs)
	for _, u := range f.uses {
		l.use(f, u)
	}
	if l.errs.sound() {
		f.bind(&l.errs)
	}
	if l.errs.sound() {
		f.check(&l.errs)
	}
	return f
}

// use loads the file of a use clause and takes over its declarations.
func (l *loader) use(f *File, u *useDecl) {
	if !strings.HasSuffix(u.path, ".kir") {
		l.errs.add(&Error{Pos: u.pos, Msg: "use names a kernel file (.kir), not " + u.path})
		return
	}
	name := path.Join(path.Dir(f.path), u.path)
	for _, open := range l.stack {
		if open == name {
			chain := strings.Join(append(l.stack, name), " -> ")
			l.errs.add(&Error{Pos: u.pos, Msg: "files use each other: " + chain, Hint: "move what both need to a third file"})
			return
		}
	}
	if u.file = l.files[name]; u.file != nil {
		return
	}
	text, err := l.read(name)
	if err != nil {
		l.errs.add(&Error{Pos: u.pos, Msg: "cannot read " + err.Error(), Hint: "the path is relative to this file"})
		return
	}
	u.file = l.load(name, text)
}

// bind enters the declarations of the file and of the files it uses into its scope, then
// resolves every name.
func (f *File) bind(errs *errorList) {
	for _, u := range f.uses {
		f.takeOver(u, errs)
	}
	for _, d := range f.decls {
		f.enter(d, errs)
	}
	for _, d := range f.decls {
		f.resolve(d, errs)
	}
	if errs.sound() {
		f.refuseRecursion(errs)
	}
}

// takeOver makes the names of a used file visible here. A file reached on two ways gives
// the same declarations, which is no conflict.
func (f *File) takeOver(u *useDecl, errs *errorList) {
	for _, name := range sortedKeys(u.file.scope) {
		x := u.file.scope[name]
		if old, ok := f.scope[name]; ok && old == x {
			continue
		}
		f.add(name, u.pos, x, errs)
	}
	for _, name := range sortedKeys(u.file.keyDefs) {
		f.keyDefs[name] = u.file.keyDefs[name]
	}
}

func (f *File) enter(d any, errs *errorList) {
	switch d := d.(type) {
	case *constDecl:
		d.work = &f.work
		f.add(d.name, d.pos, ref{kind: refConst, con: d}, errs)
	case *tableDecl:
		d.work = &f.work
		f.add(d.name, d.pos, ref{kind: refTable, table: d}, errs)
	case *defDecl:
		f.add(d.name, d.pos, ref{kind: refDef, def: d}, errs)
	case *kernelDecl:
		f.enterKernel(d, errs)
	}
}

func (f *File) enterKernel(d *kernelDecl, errs *errorList) {
	if d.keys {
		if old := f.keyDefs[d.name]; old != nil {
			errs.add(&Error{Pos: d.pos, Msg: "keys " + d.name + " is already declared at " + old.pos.String()})
		}
		f.keyDefs[d.name] = d
		return
	}
	if old := f.Kernel(d.name); old != nil {
		errs.add(&Error{Pos: d.pos, Msg: "kernel " + d.name + " is already declared at " + old.Pos.String()})
		return
	}
	f.kernels = append(f.kernels, &Kernel{Name: d.name, Leaky: d.leaky, Pos: d.pos, file: f, decl: d})
}

func (f *File) resolve(d any, errs *errorList) {
	switch d := d.(type) {
	case *constDecl:
		if d.typ != nil {
			resolveType(f, d.typ, errs)
		}
		resolveClosed(f, d.val, errs)
	case *tableDecl:
		resolveType(f, d.elem, errs)
		for _, e := range d.entries {
			resolveClosed(f, e, errs)
		}
	case *defDecl:
		if d.anf != nil {
			if err := catch(func() { d.factor(&f.work) }); err != nil {
				errs.addLoose(err)
				return
			}
		}
		resolveDef(f, d, errs)
	case *kernelDecl:
		resolveKernel(f, d, errs)
	case *testDecl:
		f.resolveTest(d, errs)
	case *equivDecl:
		resolveClosed(f, d.f, errs)
		resolveClosed(f, d.g, errs)
	}
}

func resolveType(f *File, t *typeExpr, errs *errorList) {
	newResolver(f, errs).typ(t)
}

func (f *File) resolveTest(d *testDecl, errs *errorList) {
	if d.kernel == "" {
		resolveClosed(f, d.a, errs)
		resolveClosed(f, d.b, errs)
		return
	}
	if f.Kernel(d.kernel) == nil {
		var names []string
		for _, k := range f.kernels {
			names = append(names, k.Name)
		}
		errs.add(&Error{Pos: d.pos, Msg: "unknown kernel " + d.kernel, Hint: didYouMean(d.kernel, names)})
	}
}
