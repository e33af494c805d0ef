package ir

import "slices"

// Part names the def, or the kernel, that the text at pos belongs to; "" if it is in no file of the kernel.
func (k *Kernel) Part(pos Pos) string {
	name, line := "", 0
	note := func(p Pos, n string) {
		if p.File == pos.File && p.Line <= pos.Line && p.Line > line {
			name, line = n, p.Line
		}
	}
	for _, f := range k.file.all(nil) {
		for _, d := range f.decls {
			switch d := d.(type) {
			case *defDecl:
				note(d.pos, d.name)
			case *kernelDecl:
				note(d.pos, d.name)
			}
		}
	}
	return name
}

// all appends the file and those it uses, each once.
func (f *File) all(list []*File) []*File {
	if slices.Contains(list, f) {
		return list
	}
	list = append(list, f)
	for _, u := range f.uses {
		list = u.file.all(list)
	}
	return list
}
