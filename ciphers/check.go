package ciphers

import (
	"fmt"
	"path"
	"slices"

	"simrun/programs/ir"
)

// Check decides every test and equiv clause of a kernel file on disk, in text order. Vectors are run on
// the interpreter, each in every block position. The error says why the file could not be read.
func Check(name string) ([]ir.Outcome, error) {
	fsys, base := onDisk(name)
	f, err := ir.ParseFile(fsys, base)
	if err != nil {
		return nil, err
	}
	list := f.Check()
	for _, v := range f.Vectors() {
		e := Entry{Name: v.Kernel.Name, File: base, FS: fsys, Kernel: v.Kernel, Vectors: []string{path.Join(path.Dir(base), v.File)}}
		o := ir.Outcome{Pos: v.Pos, Clause: fmt.Sprintf("test %s vectors %q", v.Kernel.Name, v.File)}
		blocks, err := e.interpretAll()
		if err != nil {
			o.Err = fmt.Errorf("%s: %w", v.Pos, err)
		}
		o.How = ir.Evidence(fmt.Sprintf("%d blocks by the interpreter", blocks))
		list = append(list, o)
	}
	slices.SortStableFunc(list, func(a, b ir.Outcome) int { return a.Pos.Line - b.Pos.Line })
	return list, nil
}

// checkSliceBits is the width of S for a check on the interpreter.
const checkSliceBits = 32

// interpretAll runs the kernel on all its vectors and returns their number of blocks.
func (e Entry) interpretAll() (blocks int, err error) {
	cases, skipped, err := e.Cases()
	if err != nil {
		return 0, err
	}
	if len(cases) == 0 {
		return 0, NoCases(e.Name, skipped)
	}
	s, err := ShapeOf(e.Kernel, checkSliceBits)
	if err != nil {
		return 0, err
	}
	batches := FillBatches(cases, s.Blocks, nil)
	mem, err := e.memories(s, checkSliceBits, batches)
	if err != nil {
		return 0, err
	}
	if err := ir.RunMany(e.Kernel, checkSliceBits, mem, nil); err != nil {
		return 0, err
	}
	for i := range batches {
		if err := batches[i].Check(s.Read(mem[i][s.Out])); err != nil {
			return 0, err
		}
	}
	return len(cases), nil
}

// memories lays the batches out for calls of the kernel.
func (e Entry) memories(s Shape, sliceBits int, batches []Batch) ([]map[string][]byte, error) {
	keys, err := e.expandKeys(sliceBits, batches)
	if err != nil {
		return nil, err
	}
	list := make([]map[string][]byte, len(batches))
	for i, b := range batches {
		m := s.Memory(&b)
		m[s.Key] = keys[string(b.Key)]
		list[i] = m
	}
	return list, nil
}

func (e Entry) expandKeys(sliceBits int, batches []Batch) (map[string][]byte, error) {
	list := make([][]byte, len(batches))
	for i, b := range batches {
		list[i] = b.Key
	}
	return e.ExpandKeys(sliceBits, list)
}
