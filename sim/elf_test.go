package sim_test

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
	"simrun/isa/all"
	"simrun/sim"
)

// toolchain is one public compiler and how it makes code for an instruction set here.
type toolchain struct {
	arch  string
	gcc   string
	flags []string
}

var toolchains = []toolchain{
	{"t32", "arm-none-eabi-gcc", []string{"-mcpu=cortex-m3", "-mthumb"}},
	{"rv32", "riscv64-unknown-elf-gcc", []string{"-march=rv32imc", "-mabi=ilp32", "-mno-relax"}},
	{"rv32", "riscv64-unknown-elf-gcc", []string{"-march=rv32im", "-mabi=ilp32"}},
	{"rv32", "riscv64-unknown-elf-gcc", []string{"-march=rv32imc", "-mabi=ilp32"}},
	{"x86", "gcc", []string{"-fno-pic", "-fno-pie", "-fcf-protection=none", "-mno-avx"}},
}

// build compiles testdata/relocs.c and returns the file.
func (tc toolchain) build(t testing.TB, out string, flags ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), out)
	args := append([]string{"-O2", "-ffreestanding", "-nostdlib", "-fno-asynchronous-unwind-tables", "-o", path}, tc.flags...)
	args = append(append(args, flags...), "testdata/relocs.c")
	if text, err := exec.Command(foreign.Tool(t, tc.gcc), args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", tc.gcc, err, text)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// run calls both functions of testdata/relocs.c.
func run(t *testing.T, file []byte, arch string) {
	t.Helper()
	im, err := sim.LoadELF(file, all.Archs(), sim.DefaultPlace)
	if err != nil {
		t.Fatal(err)
	}
	if im.Arch != arch {
		t.Fatalf("instruction set %s, want %s", im.Arch, arch)
	}
	stack := []sim.Area{{Name: "stack", Base: 0x30000000, Size: 4096, Perm: isa.R | isa.W, Use: sim.Stack}}
	m, err := sim.New(sim.Config{Arch: all.Arch(arch), Image: im, Areas: stack, Features: []string{"m", "c", "sse2"}})
	if err != nil {
		t.Fatal(err)
	}
	for round := range uint64(3) {
		for i, want := range []uint64{11, 22, 33, 44} {
			got, _, err := m.Call(symbol(t, m, "lookup"), []uint64{uint64(i)}, 0)
			if err != nil {
				t.Fatal(err)
			}
			if calls := 4*round + uint64(i) + 1; got != want+calls {
				t.Fatalf("lookup(%d) = %d, want %d", i, got, want+calls)
			}
		}
	}
	if arch == "x86" {
		return // its table has no jump through memory
	}
	got, _, err := m.Call(symbol(t, m, "indirect"), []uint64{1, 5}, 0)
	if err != nil || got != 10 {
		t.Errorf("indirect(1, 5) = %d, %v; want 10", got, err)
	}
}

func TestLoadELF(t *testing.T) {
	for _, tc := range toolchains {
		t.Run(tc.arch+tc.flags[0], func(t *testing.T) {
			run(t, tc.build(t, "relocs.o", "-c"), tc.arch)
			run(t, tc.build(t, "relocs.o", "-c", "-fcommon", "-Os"), tc.arch)
			run(t, tc.build(t, "relocs.elf", "-static", "-Wl,-e,lookup"), tc.arch)
		})
	}
}

// hostile checks that a damaged file is an error of one line and nothing worse.
func hostile(t *testing.T, data []byte) {
	t.Helper()
	im, err := sim.LoadELF(data, all.Archs(), sim.DefaultPlace)
	if err != nil {
		if strings.Contains(err.Error(), "\n") || len(err.Error()) > 400 {
			t.Errorf("error is not one clear line: %q", err)
		}
		return
	}
	total := uint64(0)
	for _, s := range im.Segments {
		total += max(s.Size, uint64(len(s.Data)))
	}
	if total > sim.MaxMemory {
		t.Errorf("%d bytes were loaded", total)
	}
	sim.New(sim.Config{Arch: all.Arch(im.Arch), Image: im, Areas: areas})
}

// runHostile runs a damaged file as a whole program, briefly: it ends by exit or with an error of one line.
func runHostile(t *testing.T, data []byte) {
	t.Helper()
	im, err := sim.LoadELF(data, all.Archs(), sim.DefaultPlace)
	if err != nil {
		return
	}
	p, err := sim.NewProgram(sim.ProgramConfig{
		Config: sim.Config{Arch: all.Arch(im.Arch), Image: im, Areas: boards[im.Arch], Features: programFeatures[im.Arch]},
		Limit:  2000,
	})
	if err != nil {
		return
	}
	defer p.Close()
	if _, err := p.RunTo(isa.NoAddr); err != nil && strings.Contains(err.Error(), "\n") {
		t.Errorf("error is not one clear line: %q", err)
	}
}

// TestRelocations compares the bytes of relocated objects with those of the public linker.
func TestRelocations(t *testing.T) {
	for _, c := range []struct{ arch, gcc, flags string }{
		{"t32", "arm-none-eabi-gcc", "-mcpu=cortex-m3 -mthumb"},
		{"rv32", "riscv64-unknown-elf-gcc", "-march=rv32imc -mabi=ilp32 -Wl,--no-relax"},
	} {
		t.Run(c.arch, func(t *testing.T) {
			gcc := foreign.Tool(t, c.gcc)
			load := func(flags ...string) []byte {
				path := filepath.Join(t.TempDir(), "f")
				args := append(append(strings.Fields(c.flags), flags...), "-nostdlib", "-o", path, "testdata/relocs_"+c.arch+".s")
				if text, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", c.gcc, err, text)
				}
				file, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				im, err := sim.LoadELF(file, all.Archs(), sim.DefaultPlace)
				if err != nil {
					t.Fatal(err)
				}
				return textOf(im, codeBase)
			}
			got, want := load("-c"), load("-Wl,-Ttext=0x10000", "-Wl,-e,a")
			if len(got) < 100000 {
				t.Fatalf("%d bytes of code", len(got))
			}
			for i := 0; i < len(got); i += 2 {
				if !bytes.Equal(got[i:i+2], want[i:min(i+2, len(want))]) {
					t.Fatalf("at %#x: % x, the linker makes % x", codeBase+i, got[i:i+4], want[i:i+4])
				}
			}
		})
	}
}

// textOf returns what the executable segments put at base and behind.
func textOf(im *isa.Image, base uint64) (text []byte) {
	for _, s := range im.Segments {
		if s.Perm&isa.X == 0 {
			continue
		}
		skip := max(base, s.Addr) - s.Addr
		at := int(s.Addr + skip - base)
		text = append(text, make([]byte, max(0, at-len(text)))...)
		text = append(text[:at], s.Data[skip:]...)
	}
	return text
}

func TestTruncatedELF(t *testing.T) {
	for _, tc := range toolchains[:2] {
		for _, flags := range [][]string{{"-c"}, {"-static", "-Wl,-e,lookup", "-s"}} {
			file := tc.build(t, "f", flags...)
			for n := 0; n < len(file); n += 1 + n/64 {
				if _, err := sim.LoadELF(file[:n], all.Archs(), sim.DefaultPlace); err == nil && flags[0] == "-c" {
					t.Errorf("%s: %d of %d bytes were accepted", tc.arch, n, len(file))
				}
				hostile(t, file[:n])
			}
			for i := range min(len(file), 4096) {
				bad := bytes.Clone(file)
				bad[i] ^= 0xff
				hostile(t, bad)
				if i%32 == 0 {
					runHostile(t, bad)
				}
			}
		}
	}
}

func TestELFErrors(t *testing.T) {
	tc := toolchains[0]
	object := tc.build(t, "f.o", "-c")
	patch := func(file []byte, at int, v byte) []byte {
		file = bytes.Clone(file)
		file[at] = v
		return file
	}
	for _, c := range []struct {
		want string
		file []byte
	}{
		{"not a whole ELF file", []byte("text")},
		{"not a whole ELF file", nil},
		{"big-endian", bigEndian()},
		{"is for EM_MIPS", patch(object, 18, byte(elf.EM_MIPS))},
		{"link it with -static -no-pie", patch(object, 16, byte(elf.ET_DYN))},
		{`symbol outside is not defined in this object`, tc.build(t, "f.o", "-c", "-DOUTSIDE")},
		{`".te\nt"+0x`, bytes.ReplaceAll(tc.build(t, "f.o", "-c", "-DOUTSIDE"), []byte(".text"), []byte(".te\nt"))},
		{"R_ARM_GOTPC, which is not known here", tc.build(t, "f.o", "-c", "-DOUTSIDE", "-fPIC")},
	} {
		_, err := sim.LoadELF(c.file, all.Archs(), sim.DefaultPlace)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// bigEndian is the header of an ELF file for big-endian ARM without sections.
func bigEndian() []byte {
	h := make([]byte, 52)
	copy(h, elf.ELFMAG)
	h[elf.EI_CLASS], h[elf.EI_DATA], h[elf.EI_VERSION] = byte(elf.ELFCLASS32), byte(elf.ELFDATA2MSB), 1
	h[17], h[19], h[23] = byte(elf.ET_EXEC), byte(elf.EM_ARM), 1
	return h
}

func FuzzLoadELF(f *testing.F) {
	f.Add(bigEndian())
	for _, tc := range toolchains {
		f.Add(tc.build(f, "f.o", "-c"))
		f.Add(tc.build(f, "f.elf", "-static", "-Wl,-e,lookup"))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		hostile(t, data)
		runHostile(t, data)
	})
}

// TestSegmentWithoutFlags runs a file whose segments say neither read, nor write, nor execute, as some linker scripts make them.
func TestSegmentWithoutFlags(t *testing.T) {
	path := builders[1].link(t, "-O1 -ffreestanding -nostdlib -Wl,-N", "start.c", "recursion.c", "-lgcc")
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const table, size, flags = 52, 32, 24 // of the ELF32 program headers
	for i := range int(file[44]) {
		clear(file[table+size*i+flags:][:4])
	}
	im, err := sim.LoadELF(file, all.Archs(), sim.DefaultPlace)
	if err != nil {
		t.Fatal(err)
	}
	p := newProgram(t, im, nil)
	if exit, err := p.RunTo(isa.NoAddr); err != nil || exit.Status != 22 {
		t.Errorf("exit %+v, %v; want status 22", exit, err)
	}
}
