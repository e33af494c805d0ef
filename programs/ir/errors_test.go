package ir

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the expected error texts")

// TestErrors parses every file of testdata/errors; the messages expected stand in the file
// of the same name ending in .txt.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.kir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no error texts: %v", err)
	}
	for _, name := range files {
		base := strings.TrimSuffix(filepath.Base(name), ".kir")
		t.Run(base, func(t *testing.T) {
			got := messages(t, base+".kir")
			golden := strings.TrimSuffix(name, ".kir") + ".txt"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
		})
	}
}

// messages returns what is wrong with a text: at checking, else in its tests.
func messages(t *testing.T, name string) string {
	f, err := ParseFile(os.DirFS("testdata/errors"), name)
	if err == nil {
		err = f.RunTests()
	}
	if err == nil {
		t.Fatalf("%s has no mistake", name)
	}
	return err.Error() + "\n"
}
