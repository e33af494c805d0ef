package profile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/internal/foreign"
	"simrun/isa"
	"simrun/isa/all"
	"simrun/sim"
)

// toolchain is a public compiler with the flags for an instruction set here.
type toolchain struct {
	prefix string
	flags  []string
}

var (
	arm   = toolchain{"arm-none-eabi-", []string{"-mcpu=cortex-m4", "-mthumb", "-Wl,-Ttext=0x8000000"}}
	riscv = toolchain{"riscv64-unknown-elf-", []string{"-march=rv32imc", "-mabi=ilp32", "-Wl,-Ttext=0x20400000"}}
)

// build compiles testdata/calls.c and returns the path of the file.
func (tc toolchain) build(t testing.TB, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "calls.elf")
	args := append([]string{"-nostdlib", "-ffreestanding", "-Wl,-e,main_call", "-o", out}, tc.flags...)
	args = append(append(args, flags...), "testdata/calls.c")
	if text, err := exec.Command(foreign.Tool(t, tc.prefix+"gcc"), args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

func readELF(t testing.TB, file string) ([]byte, *isa.Image) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	im, err := sim.LoadELF(data, all.Archs(), sim.DefaultPlace)
	if err != nil {
		t.Fatal(err)
	}
	return data, im
}

// TestFramesAsAddr2line compares every halfword of code with the public addr2line, inlined
// functions included.
func TestFramesAsAddr2line(t *testing.T) {
	for _, tc := range []toolchain{arm, riscv} {
		for _, flags := range [][]string{
			{"-g", "-O0"}, {"-g", "-O2"}, {"-gdwarf-4", "-O2"}, {"-gdwarf-3", "-O1"},
			{"-g", "-O2", "-gz"}, {"-g", "-O2", "-ffunction-sections", "-Wl,--gc-sections"},
		} {
			t.Run(tc.prefix+strings.Join(flags, " "), func(t *testing.T) {
				file := tc.build(t, flags...)
				data, im := readELF(t, file)
				src := NewSource(im)
				if err := src.AddELF(data); err != nil {
					t.Fatal(err)
				}
				pcs := codeOf(im)
				want := addr2line(t, tc.prefix, file, pcs)
				inlined := false
				for i, pc := range pcs {
					var got []string
					for _, f := range src.Frames(pc) {
						got = append(got, fmt.Sprintf("%s %s:%d", f.Func, filepath.Base(f.File), f.Line))
					}
					if diff := cmp.Diff(want[i], got); diff != "" {
						t.Errorf("%#x: -addr2line +here\n%s", pc, diff)
					}
					inlined = inlined || len(got) == 3
				}
				if !inlined {
					t.Errorf("no code of a function inlined into an inlined function")
				}
			})
		}
	}
}

// codeOf lists every even address of every function.
func codeOf(im *isa.Image) (pcs []uint64) {
	for _, s := range im.Symbols {
		for pc := s.Addr; s.Func && pc < s.Addr+s.Size; pc += 2 {
			pcs = append(pcs, pc)
		}
	}
	return pcs
}

// addr2line returns "function file:line" of each address, then of what it was inlined into.
func addr2line(t *testing.T, prefix, file string, pcs []uint64) [][]string {
	t.Helper()
	var in strings.Builder
	for _, pc := range pcs {
		fmt.Fprintf(&in, "%#x\n", pc)
	}
	cmd := exec.Command(foreign.Tool(t, prefix+"addr2line"), "-a", "-i", "-f", "-s", "-e", file)
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var frames [][]string
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i := 0; i < len(lines); i++ {
		if strings.HasPrefix(lines[i], "0x") {
			frames = append(frames, nil)
			continue
		}
		place, _, _ := strings.Cut(lines[i+1], " (") // (discriminator 2)
		last := len(frames) - 1
		frames[last] = append(frames[last], lines[i]+" "+place)
		i++
	}
	if len(frames) != len(pcs) {
		t.Fatalf("%d answers for %d addresses", len(frames), len(pcs))
	}
	return frames
}

func TestAddELFRefuses(t *testing.T) {
	for _, tc := range []struct {
		what  string
		flags []string
		want  string
	}{
		{"no debugging information", nil, "compile with -g"},
		{"an object file", []string{"-g", "-c"}, "link it"},
	} {
		data, im := readELF(t, arm.build(t, tc.flags...))
		fib, _ := im.Lookup("fib")
		src := NewSource(im)
		if err := src.AddELF(data); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want one with %q", tc.what, err, tc.want)
		}
		if f := src.Frames(fib.Addr); len(f) != 1 || f[0].Func != "fib" || f[0].Line != 0 {
			t.Errorf("%s: frames %+v, want the function alone", tc.what, f)
		}
	}
	if err := NewSource(&isa.Image{}).AddELF([]byte("no ELF file")); err == nil || errors.Is(err, ErrNoDebug) {
		t.Errorf("text for an ELF file: error %v", err)
	}
}

// damage looks up every function of a file with damaged debugging information.
func damage(im *isa.Image, data []byte) {
	src := NewSource(im)
	_ = src.AddELF(data) // right or an error
	for _, s := range im.Symbols {
		src.Frames(s.Addr)
	}
}

func TestDamagedDebugNeverPanics(t *testing.T) {
	for _, flags := range [][]string{{"-g", "-O2"}, {"-gdwarf-4", "-O2"}, {"-g", "-gz", "-O2"}} {
		data, im := readELF(t, arm.build(t, flags...))
		rng := rand.New(rand.NewPCG(1, 2))
		for range foreign.Count(1000, 100_000) {
			broken := slices.Clone(data)
			for range 1 + rng.IntN(4) {
				broken[rng.IntN(len(broken))] = byte(rng.Uint32())
			}
			if rng.IntN(8) == 0 {
				broken = broken[:rng.IntN(len(broken))]
			}
			damage(im, broken)
		}
	}
}

func FuzzDebug(f *testing.F) {
	data, im := readELF(f, arm.build(f, "-g", "-O2"))
	old, _ := readELF(f, arm.build(f, "-gdwarf-3", "-O2"))
	f.Add(data)
	f.Add(old)
	f.Fuzz(func(t *testing.T, data []byte) { damage(im, data) })
}

// TestLineHeaderCounts has headers that count more files than there can be.
func TestLineHeaderCounts(t *testing.T) {
	head := []byte{
		0xff, 0, 0, 0, 5, 0, 4, 0, // length, version, address and selector size
		0xf0, 0, 0, 0, 1, 1, 1, 0xfb, 14, // header length, numbers of the program
		2, 1, // opcodes: one length
		1, 1, 0x08, // folders: a path in a string
	}
	many := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}
	for _, tc := range []struct {
		what string
		tail []byte
		ok   bool
	}{
		{"one folder, one file", []byte{1, '/', 0, 1, 1, 0x08, 1, 'a', 0}, true},
		{"too many folders", append(slices.Clone(many), '/', 0), false},
		{"too many files", append([]byte{1, '/', 0, 1, 1, 0x08}, many...), false},
		{"files without a form", append([]byte{1, '/', 0, 0}, many...), false},
		{"an unknown form", []byte{1, '/', 0, 1, 1, 0x7f, 1}, false},
		{"a string without an end", []byte{1, '/', 0, 1, 1, 0x08, 1, 'a'}, false},
		{"a block longer than the file", append([]byte{1, '/', 0, 1, 1, 0x09, 1}, many...), false},
		{"the end in the middle", []byte{1}, false},
	} {
		err := checkLineHeader(append(slices.Clone(head), tc.tail...), binary.LittleEndian)
		if (err == nil) != tc.ok {
			t.Errorf("%s: error %v", tc.what, err)
		}
	}
}
