package structure

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
)

const module = "simrun"

// edge permits packages that match from to import packages that match to. Both are folders of
// the module; * stands for one path element.
type edge struct{ from, to, reason string }

// order is every import inside the module that is permitted, and why. What is not here is
// forbidden, above all: sim and costmodel never see an instruction set, instruction sets
// never see a compiler, and isa sees nobody.
var order = []edge{
	{"isa/*", "isa", "an instruction set speaks the shared vocabulary"},
	{"isa/x86", "internal/asmenv", "golang-asm reads GO* variables at start-up and dies of bad ones"},
	{"isa/all", "isa/*", "the explicit list of instruction sets"},

	{"isa/*/lower", "isa", "lowering makes instructions"},
	{"isa/*/lower", "isa/*", "of its own instruction set"},
	{"isa/*/lower", "programs/ir", "from kernel operations"},
	{"isa/*/lower", "programs/compile", "as the compiler's Target asks"},

	{"programs/ir", "internal/input", "kernel files are read within a limit, and their words quoted in messages"},
	{"programs/ir", "internal/nearest", "an unknown name gets the nearest"},
	{"programs/ir", "programs/anf", "an anf becomes gates"},
	{"programs/compile", "isa", "the compiler ends in blocks and images"},
	{"programs/compile", "programs/ir", "and begins with kernels"},
	{"programs/compile", "internal/input", "mistakes of schedule files are told in their own words"},
	{"programs/prove", "isa", "a proof reads code as the terms of its instruction set"},
	{"programs/prove", "programs/ir", "and the kernel text as symbolic words"},
	{"programs/prove", "programs/compile", "of a compiled kernel"},
	{"programs/native", "isa", "a native call runs an image"},
	{"programs/targets", "isa/*/lower", "the explicit list of lowerings"},
	{"programs/targets", "programs/compile", "a lowering is a compile.Target"},

	{"sim", "isa", "a machine is made of memory, images and cores, all given to it"},
	{"sim", "sim/host", "a whole program has a world outside"},
	{"sim", "sim/device", "and devices around its core"},
	{"sim/host", "isa", "its answers go to the program's memory"},
	{"sim/device", "isa", "a device is mapped into memory"},
	{"sim/ooo", "isa", "a pipeline listens to retired events"},
	{"sim/ooo", "costmodel", "and takes its numbers and causes from the CPU file"},
	{"sim/inorder", "isa", "a pipeline listens to retired events"},
	{"sim/inorder", "costmodel", "and takes its numbers and causes from the CPU file"},
	{"sim/trace", "isa", "a trace prints instructions"},
	{"sim/trace", "costmodel", "with the pipeline's Timed records"},
	{"costmodel", "internal/input", "a CPU file of the user is read within a limit"},
	{"costmodel", "internal/nearest", "a mistyped name is answered with the right one"},

	{"ciphers", "programs/ir", "the catalogue parses kernels"},
	{"ciphers", "internal/input", "vectors are read within a limit"},
	{"ciphers", "internal/nearest", "an unknown kernel gets the nearest name"},

	{"reports", "internal/result", "reports see rows and nothing that made them"},

	{"internal/compare", "internal/result", "a comparison sees rows and nothing that made them"},
	{"internal/compare", "internal/input", "their words come out of the user's files"},
	{"internal/compare", "internal/nearest", "an unknown kernel or CPU gets the nearest name"},

	{"internal/bench", "isa", "bench lays out memory and passes architectures on"},
	{"internal/bench", "isa/all", "a cell names its instruction set"},
	{"internal/bench", "programs/*", "it compiles, interprets and runs natively"},
	{"internal/bench", "sim", "it simulates"},
	{"internal/bench", "sim/*", "with the CPU's pipeline"},
	{"internal/bench", "costmodel", "as its CPU file says"},
	{"internal/bench", "ciphers", "on kernels of the catalogue with their vectors"},
	{"internal/bench", "internal/result", "and returns rows"},
	{"internal/bench", "internal/profile", "and sums cycles by function and line"},
	{"internal/bench", "internal/input", "files of arguments and schedules are read within a limit"},
	{"internal/bench", "internal/nearest", "an unknown function gets the nearest name"},

	{"internal/tune", "programs/compile", "tuning drives the order search"},
	{"internal/tune", "internal/input", "checkpoints are read within a limit"},
	{"internal/tune", "internal/output", "and replaced in one step"},
	{"internal/tune", "internal/bench", "and lets the pipeline judge what it found"},

	{"internal/profile", "isa", "a profile decodes calls and returns, and reads symbols and lines"},
	{"internal/profile", "costmodel", "it sums the pipeline's Timed records"},

	{"internal/profile", "internal/input", "names of functions and files come out of the user's file"},

	{"internal/layout", "programs/ir", "the layout of a kernel is one more meaning of its text"},

	{"cmd/simrun", "*", "the command line may use anything"},
	{"cmd/simrun", "*/*", "the command line may use anything"},
}

func matches(pattern, folder string) bool {
	ok, err := path.Match(pattern, folder)
	return err == nil && ok
}

func (e edge) permits(from, to string) bool {
	if !matches(e.from, from) || !matches(e.to, to) {
		return false
	}
	// isa/t32/lower may see isa/t32 and not isa/x86.
	if e.from == "isa/*/lower" && e.to == "isa/*" {
		return strings.HasPrefix(from, to+"/")
	}
	return true
}

// TestImportOrder compares every import of the product (tests may import more) with the table.
func TestImportOrder(t *testing.T) {
	imports := moduleImports(t, "../..")
	if len(imports) < 10 {
		t.Fatalf("only %d packages with imports found", len(imports))
	}
	used := make([]bool, len(order))
	for _, from := range sorted(imports) {
		for _, to := range sorted(imports[from]) {
			found := false
			for i, e := range order {
				if e.permits(from, to) {
					used[i], found = true, true
				}
			}
			if !found {
				t.Errorf("%s imports %s (%s), which the order of imports does not permit", from, to, imports[from][to])
			}
		}
	}
	for i, e := range order {
		if !used[i] {
			t.Errorf("no import needs %s -> %s (%q): take the line out", e.from, e.to, e.reason)
		}
		if e.reason == "" {
			t.Errorf("%s -> %s has no reason", e.from, e.to)
		}
	}
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// moduleImports maps each folder with Go files to the module's folders it imports, and each of
// those to a file that does so. Test files are left out.
func moduleImports(t *testing.T, root string) map[string]map[string]string {
	t.Helper()
	all := map[string]map[string]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && file != root && (strings.HasPrefix(name, ".") || name == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		return addImports(all, root, file)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func addImports(all map[string]map[string]string, root, file string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	folder, err := filepath.Rel(root, filepath.Dir(file))
	if err != nil {
		return err
	}
	folder = filepath.ToSlash(folder)
	for _, spec := range parsed.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		to, inside := strings.CutPrefix(name, module+"/")
		if !inside {
			continue
		}
		if all[folder] == nil {
			all[folder] = map[string]string{}
		}
		all[folder][to] = filepath.Base(file)
	}
	return nil
}
