package ciphers

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"simrun/internal/nearest"
	"simrun/programs/ir"
)

//go:embed */*.kir */*.json */*.sched
var embedded embed.FS

// Entry is a kernel with where it comes from.
type Entry struct {
	Name    string     // "aes128/fixsliced"
	Family  string     // the folder: "aes"; "" for a file of the user's
	File    string     // path of the kernel file in FS: "aes/fixsliced.kir"
	FS      fs.FS      // holds File, the files it uses and Vectors
	Kernel  *ir.Kernel // parsed and checked
	Vectors []string   // paths in FS of the files that its test clauses name
}

// Catalogue returns the kernels of the product, sorted by name.
func Catalogue() ([]Entry, error) {
	all, err := catalogue()
	return slices.Clone(all), err
}

var catalogue = sync.OnceValues(func() ([]Entry, error) { return Read(embedded) })

// Read returns the kernels of every file FAMILY/*.kir in fsys, sorted by name.
func Read(fsys fs.FS) ([]Entry, error) {
	files, err := fs.Glob(fsys, "*/*.kir")
	if err != nil {
		return nil, err
	}
	var all []Entry
	for _, f := range files {
		list, err := readFile(fsys, f)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	for i := 1; i < len(all); i++ {
		if all[i].Name == all[i-1].Name {
			return nil, fmt.Errorf("kernel %s is declared in %s and in %s; rename one", all[i].Name, all[i-1].File, all[i].File)
		}
	}
	return all, nil
}

// Find returns the kernel of that name; the error offers the nearest one.
func Find(name string) (Entry, error) {
	if e, ok := findQuick(name); ok {
		return e, nil
	}
	all, err := Catalogue()
	if err != nil {
		return Entry{}, err
	}
	names := make([]string, len(all))
	for i, e := range all {
		if e.Name == name {
			return e, nil
		}
		names[i] = e.Name
	}
	hint := nearest.Hint(name, names)
	if hint == "" {
		hint = "; 'simrun list kernels' shows all"
	}
	return Entry{}, fmt.Errorf("no kernel %q%s", name, hint)
}

// findQuick parses only files in which the name occurs, because parsing checks every kernel
// of a file, which takes milliseconds. Mistakes are left for Catalogue to report.
func findQuick(name string) (Entry, bool) {
	files, _ := fs.Glob(embedded, "*/*.kir")
	for _, f := range files {
		text, err := embedded.ReadFile(f)
		if err != nil || !bytes.Contains(text, []byte("kernel "+name+"(")) {
			continue
		}
		list, _ := readFile(embedded, f)
		for _, e := range list {
			if e.Name == name {
				return e, true
			}
		}
	}
	return Entry{}, false
}

// FromFile returns the kernels that a kernel file on disk declares, in text order. Files that
// it uses and vectors must lie in its folder or below. The closed tests and the equivalences of the file
// must hold.
func FromFile(name string) ([]Entry, error) {
	fsys, base := onDisk(name)
	f, err := ir.ParseFile(fsys, base)
	if err != nil {
		return nil, err
	}
	if err := f.RunTests(); err != nil {
		return nil, err
	}
	list := entriesOf(fsys, base, f)
	if len(list) == 0 {
		return nil, fmt.Errorf("%s declares no kernel; name the file that holds one", name)
	}
	for i := range list {
		list[i].Family = ""
	}
	return list, nil
}

// onDisk splits the name of a file into its folder and the rest.
func onDisk(name string) (fsys fs.FS, base string) {
	dir, base := filepath.Split(name)
	if dir == "" {
		dir = "."
	}
	return os.DirFS(dir), base
}

func readFile(fsys fs.FS, name string) ([]Entry, error) {
	f, err := ir.ParseFile(fsys, name)
	if err != nil {
		return nil, err
	}
	return entriesOf(fsys, name, f), nil
}

func entriesOf(fsys fs.FS, name string, f *ir.File) []Entry {
	var list []Entry
	for _, k := range f.Kernels() {
		e := Entry{Name: k.Name, Family: path.Dir(name), File: name, FS: fsys, Kernel: k}
		for _, t := range f.Vectors() {
			if t.Kernel == k {
				e.Vectors = append(e.Vectors, path.Join(path.Dir(name), t.File))
			}
		}
		list = append(list, e)
	}
	return list
}

// NoCases is the error of a kernel to which none of its vectors applies.
func NoCases(kernel string, skipped map[string]int) error {
	return fmt.Errorf("%s: none of its vectors applies (%s); give vectors of its sizes or take the test line out",
		kernel, strings.Join(slices.Sorted(maps.Keys(skipped)), ", "))
}

// Cases loads the vector files of the kernel and returns their single blocks. skipped counts
// the vectors that do not apply, by reason.
func (e Entry) Cases() (cases []Case, skipped map[string]int, err error) {
	skipped = map[string]int{}
	for _, name := range e.Vectors {
		f, err := LoadVectors(e.FS, name)
		if err != nil {
			return nil, nil, err
		}
		some, not, err := f.For(e.Kernel)
		if err != nil {
			return nil, nil, err
		}
		cases = append(cases, some...)
		for reason, n := range not {
			skipped[reason] += n
		}
	}
	return cases, skipped, nil
}
