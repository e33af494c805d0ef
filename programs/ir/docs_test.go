package ir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// snippets returns the blocks of a Markdown text that are marked kir.
func snippets(text string) []string {
	var list []string
	parts := strings.Split(text, "```kir\n")
	for _, p := range parts[1:] {
		body, _, _ := strings.Cut(p, "```")
		list = append(list, body)
	}
	return list
}

// TestTutorial checks docs/language.md: after each snippet the text so far is well formed,
// and in the end all tests hold.
func TestTutorial(t *testing.T) {
	text, err := os.ReadFile("../../docs/language.md")
	if err != nil {
		t.Fatal(err)
	}
	list := snippets(string(text))
	if len(list) < 8 {
		t.Fatalf("%d snippets in docs/language.md", len(list))
	}
	sofar := ""
	for n, s := range list {
		sofar += s
		if _, err := parse(sofar); err != nil {
			t.Fatalf("snippet %d:\n%s\n%v", n+1, s, err)
		}
	}
	f := mustParse(t, sofar)
	if err := f.RunTests(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"tutorial/plain", "tutorial/fixsliced"} {
		if f.Kernel(name) == nil {
			t.Errorf("the tutorial declares no kernel %s", name)
		}
	}
}

// TestBuiltinsAreDocumented looks for every function in docs/language.md.
func TestBuiltinsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/language.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range builtins {
		if !strings.Contains(string(text), "`"+name+"(") && !strings.Contains(string(text), "| `"+name+"(") {
			t.Errorf("%s is not in the table of docs/language.md", name)
		}
	}
}

// TestCourse checks the answers of docs/course.
func TestCourse(t *testing.T) {
	const dir = "../../docs/course"
	files, err := filepath.Glob(dir + "/*.kir")
	if err != nil || len(files) != 3 {
		t.Fatalf("answers: %v, %v", files, err)
	}
	for _, name := range files {
		f, err := ParseFile(os.DirFS(dir), filepath.Base(name))
		if err != nil {
			t.Error(err)
			continue
		}
		if err := f.RunTests(); err != nil {
			t.Error(err)
		}
		tests := 0
		for _, d := range f.decls {
			switch d.(type) {
			case *testDecl, *equivDecl:
				tests++
			}
		}
		if tests < 2 {
			t.Errorf("%s has %d tests", name, tests)
		}
	}
}
