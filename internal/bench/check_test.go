package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simrun/ciphers"
)

// spoiled is a runner whose output has one wrong bit, in every call or in one of them only.
type spoiled struct {
	*simulated
	byteAt int
	only   int // 0 = every call
	gets   int
}

func (s *spoiled) get(name string) ([]byte, error) {
	s.gets++
	out, err := s.simulated.get(name)
	if err == nil && (s.only == 0 || s.only == s.gets) {
		out[s.byteAt] ^= 0x10
	}
	return out, err
}

func open(t *testing.T, s *Subject, cpu string) (*Program, *simulated) {
	t.Helper()
	p, err := Compile(s.Kernel, load(t, cpu), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := simulate(p, s.Public)
	if err != nil {
		t.Fatal(err)
	}
	return p, m
}

// A wrong bit in any byte of any block position is found, by vectors and by the interpreter.
func TestEveryPositionIsChecked(t *testing.T) {
	byVectors := find(t, "gift64/fixsliced")
	byInterpreter := own(t, `
kernel own/mix(in a: w32[3], out b: w32[2], public n: int) {
  b[0] = a[0] ^ (a[1] <<< 5)
  b[1] = a[1] + a[2]
}`)
	byInterpreter.Public = map[string]int64{"n": 3}
	for _, s := range []*Subject{byVectors, byInterpreter} {
		for _, cpu := range []string{"cortex-m4", "x86-64-ssse3"} {
			p, m := open(t, s, cpu)
			if _, err := s.check(p, m); err != nil {
				t.Fatalf("%s on %s: %v", s.Name, cpu, err)
			}
			for at := range p.Bytes {
				_, err := s.check(p, &spoiled{simulated: m, byteAt: at})
				if err == nil || !strings.Contains(err.Error(), "wrong result") {
					t.Errorf("%s on %s: byte %d of the output is wrong, the check says %v", s.Name, cpu, at, err)
				}
			}
		}
	}
}

// A result that is wrong once is found too.
func TestEveryCallIsChecked(t *testing.T) {
	s := find(t, "gift128/fixsliced")
	p, m := open(t, s, "cortex-m3")
	calls, err := s.check(p, m)
	if err != nil || calls < s.Cases() {
		t.Fatalf("%d calls for %d vectors, error %v", calls, s.Cases(), err)
	}
	for _, call := range []int{1, calls / 2, calls} {
		if _, err := s.check(p, &spoiled{simulated: m, only: call}); err == nil {
			t.Errorf("call %d of %d gives a wrong result that is not found", call, calls)
		}
	}
}

// Machine code with one bit changed gives an error and no figures, but for the few bits that mean
// nothing (REX.X of an instruction without an index register).
func TestWrongCodeIsFound(t *testing.T) {
	const changes = 20
	s := find(t, "gift64/fixsliced")
	for _, cpu := range []string{"cortex-m4", "sifive-e31", "x86-64-ssse3"} {
		p, _ := open(t, s, cpu)
		code := p.Image.Segments[0].Data
		found := 0
		for i := range changes {
			at := len(code) * (i + 1) / (changes + 2) &^ 3
			code[at] ^= 2
			m, err := simulate(p, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.check(p, m); err != nil {
				found++
			}
			code[at] ^= 2
		}
		if found < changes*3/4 {
			t.Errorf("%s: %d of %d changes of the code are found", cpu, found, changes)
		}
	}
}

// own is a subject out of a kernel text without vectors.
func own(t *testing.T, text string) *Subject {
	t.Helper()
	file := filepath.Join(t.TempDir(), "own.kir")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	entries, err := ciphers.FromFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSubject(entries[0])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPublicIsWanted(t *testing.T) {
	s := own(t, `
kernel own/loop(in a: w32[1], out b: w32[1], public n: int) {
  x = a[0]
  repeat i in 0..n { x = x <<< 3 }
  b[0] = x
}`)
	if _, _, err := (Cell{Subject: s, CPU: load(t, "cortex-m4")}).Simulate(); err == nil || !strings.Contains(err.Error(), "--public n=N") {
		t.Errorf("a public parameter without a value: %v", err)
	}
	s.Public = map[string]int64{"n": 5}
	for _, cpu := range []string{"cortex-m4", "sifive-e31", "x86-64-ssse3"} {
		if _, _, err := (Cell{Subject: s, CPU: load(t, cpu)}).Simulate(); err != nil {
			t.Error(err)
		}
	}
}
