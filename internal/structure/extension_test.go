package structure

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simrun/ciphers"
	"simrun/costmodel"
	"simrun/internal/bench"
	"simrun/internal/result"
)

// block returns the indented text of a page of docs/ that begins with the given line, without its
// indentation of eight blanks: so the pages are what the tests do.
func block(t *testing.T, page, first string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	const indent = "        "
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		code, indented := strings.CutPrefix(line, indent)
		switch {
		case out.Len() == 0 && indented && strings.HasPrefix(code, first):
			out.WriteString(code)
		case out.Len() == 0:
		case indented:
			out.WriteString(code)
		case strings.TrimSpace(line) == "":
			out.WriteString("\n")
		default:
			return out.String()
		}
	}
	t.Fatalf("docs/%s has no block that begins with %q", page, first)
	return ""
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func subject(t *testing.T, e ciphers.Entry) *bench.Subject {
	t.Helper()
	s, err := bench.NewSubject(e)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAddCPU does what docs/add-a-cpu.md says: a CPU is one file, used by its path.
func TestAddCPU(t *testing.T) {
	file := write(t, t.TempDir(), "my-m4.toml", block(t, "add-a-cpu.md", `name = "my-m4"`))
	entry, err := ciphers.Find("aes128/fixsliced")
	if err != nil {
		t.Fatal(err)
	}
	cycles := map[string]float64{}
	for _, name := range []string{"cortex-m4", file} {
		cpu, err := costmodel.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		row, _, err := bench.Cell{Subject: subject(t, entry), CPU: cpu}.Simulate()
		if err != nil {
			t.Fatal(err)
		}
		cycles[row.CPU] = float64(row.Cycles)
	}
	if cycles["my-m4"] <= cycles["cortex-m4"] {
		t.Errorf("loads of one more cycle give %v cycles, the original %v", cycles["my-m4"], cycles["cortex-m4"])
	}
}

// TestAddCipher does what docs/add-a-cipher.md says: a cipher is a kernel file and a vectors file. It
// then runs, checked, on every CPU; with a wrong vector it does not.
func TestAddCipher(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "toy.kir", block(t, "add-a-cipher.md", "keys toy_keys"))
	for _, right := range []bool{true, false} {
		write(t, dir, "toy.json", toyVectors(right))
		entries, err := ciphers.FromFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := subject(t, entries[0])
		for _, name := range costmodel.Names() {
			cpu, err := costmodel.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			row, _, err := bench.Cell{Subject: s, CPU: cpu}.Simulate()
			if right && (err != nil || row.Verified != result.Vectors) {
				t.Errorf("%s: row %+v, error %v", name, row, err)
			}
			if !right && (err == nil || row != nil) {
				t.Errorf("%s: a wrong vector gives the row %+v", name, row)
			}
		}
	}
}

// toyVectors are vectors of a cipher that XORs its key; the last one may be wrong.
func toyVectors(right bool) string {
	var list []string
	for i := range byte(7) {
		key, plain := []byte{i % 2, 2, 3, 4}, []byte{10 * i, 20, 30, 40}
		cipher := make([]byte, 4)
		for b := range cipher {
			cipher[b] = key[b] ^ plain[b]
		}
		if i == 6 && !right {
			cipher[3] ^= 0x80
		}
		list = append(list, fmt.Sprintf(`{"name": "v%d", "kind": "official", "source": "by hand", "key": %q, "plaintext": %q, "ciphertext": %q}`,
			i, hex.EncodeToString(key), hex.EncodeToString(plain), hex.EncodeToString(cipher)))
	}
	return `{"cipher": "toy", "byte_order": "as they stand", "checked": "by hand", "vectors": [` + strings.Join(list, ",\n") + `]}`
}
