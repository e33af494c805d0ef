package bench

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simrun/internal/foreign"
	"simrun/internal/result"
)

// sumSource is a C function that needs a call, a loop, a table and memory.
const sumSource = `
static const unsigned char weights[4] = {1, 2, 3, 4};
__attribute__((noinline)) unsigned weigh(unsigned x, unsigned i) { return x * weights[i & 3]; }
void sum(unsigned *out, const unsigned char *in, unsigned n) {
	unsigned s = 0;
	for (unsigned i = 0; i < n; i++) s += weigh(in[i], i);
	*out = s;
}
`

// compilers make an object file of C for the CPUs that the ELF door is tried on.
var compilers = []struct {
	cpu, tool string
	flags     []string
}{
	{"cortex-m4", "arm-none-eabi-gcc", []string{"-mcpu=cortex-m4", "-mthumb"}},
	{"cortex-m3", "arm-none-eabi-gcc", []string{"-mcpu=cortex-m3", "-mthumb"}},
	{"sifive-e31", "riscv64-unknown-elf-gcc", []string{"-march=rv32imac", "-mabi=ilp32", "-mcmodel=medany"}},
	{"x86-64-ssse3", "gcc", []string{"-mno-avx", "-fno-pic", "-fcf-protection=none"}},
}

// TestCallObject calls a compiled C function through the ELF door on every instruction set.
func TestCallObject(t *testing.T) {
	for _, c := range compilers {
		t.Run(c.cpu, func(t *testing.T) {
			dir := t.TempDir()
			src, obj := filepath.Join(dir, "sum.c"), filepath.Join(dir, "sum.o")
			if err := os.WriteFile(src, []byte(sumSource), 0o644); err != nil {
				t.Fatal(err)
			}
			args := append(c.flags, "-O2", "-ffreestanding", "-fno-tree-vectorize", "-c", "-o", obj, src)
			if out, err := exec.Command(foreign.Tool(t, c.tool), args...).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", c.tool, err, out)
			}
			callSum(t, c.cpu, obj)
		})
	}
}

func callSum(t *testing.T, cpuName, obj string) {
	t.Helper()
	cpu := load(t, cpuName)
	data, err := os.ReadFile(obj)
	if err != nil {
		t.Fatal(err)
	}
	im, err := LoadImage(obj, data, cpu)
	if err != nil {
		t.Fatal(err)
	}
	want := []byte{350 & 0xff, 350 >> 8, 0, 0} // 10*1 + 20*2 + 30*3 + 40*4 + 50*1
	call := Call{
		Symbol: "sum",
		Args:   []Arg{{Buffer: true, Data: make([]byte, 4)}, {Buffer: true, Data: []byte{10, 20, 30, 40, 50}}, {Value: 5}},
		Bytes:  5,
		Expect: map[int][]byte{0: want},
	}
	called, err := RunCall("sum.o", im, cpu, call)
	if err != nil {
		t.Fatal(err)
	}
	row := called.Row
	if row.Verified != result.Expected || row.Instructions < 20 || row.Kernel != "sum.o:sum" {
		t.Errorf("row %+v", row)
	}
	if cpu.Timed() && row.CyclesPerByte != row.Cycles/5 {
		t.Errorf("%v cycles are %v c/B for 5 bytes", row.Cycles, row.CyclesPerByte)
	}
	call.Expect[0] = []byte{1}
	if _, err := RunCall("sum.o", im, cpu, call); err == nil || !strings.Contains(err.Error(), "expected 01") {
		t.Errorf("a wrong expectation gives %v", err)
	}
}

func TestParseArg(t *testing.T) {
	file := filepath.Join(t.TempDir(), "three")
	if err := os.WriteFile(file, []byte("abc"), 0o644); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]Arg{
		"12":                {Value: 12},
		"0x1f":              {Value: 0x1f},
		"-1":                {Value: ^uint64(0)},
		"@" + file:          {Buffer: true, Data: []byte("abc")},
		"alloc:2":           {Buffer: true, Data: []byte{0, 0}},
		"alloc:0x4:" + file: {Buffer: true, Data: []byte("abc\x00")},
	} {
		got, err := ParseArg(text)
		if err != nil || got.Value != want.Value || got.Buffer != want.Buffer || !bytes.Equal(got.Data, want.Data) {
			t.Errorf("ParseArg(%q) = %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "twelve", "@/no/such/file", "alloc:", "alloc:-1", "alloc:99999999999", "alloc:2:" + file, "1e3"} {
		if got, err := ParseArg(text); err == nil {
			t.Errorf("ParseArg(%q) = %+v, want an error", text, got)
		}
	}
}

// TestCallOfData calls a symbol that is no function, in a linked program where data lies beside code.
func TestCallOfData(t *testing.T) {
	dir := t.TempDir()
	src, exe := filepath.Join(dir, "sum.c"), filepath.Join(dir, "sum.elf")
	if err := os.WriteFile(src, []byte(sumSource), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(foreign.Tool(t, "arm-none-eabi-gcc"), "-mcpu=cortex-m3", "-mthumb", "-O2", "-ffreestanding",
		"-nostdlib", "-Wl,-Ttext=0x10000,-esum", "-o", exe, src).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	cpu := load(t, "cortex-m3")
	im, err := LoadImage(exe, data, cpu)
	if err != nil {
		t.Fatal(err)
	}
	_, err = RunCall("sum.elf", im, cpu, Call{Symbol: "weights"})
	if err == nil || !strings.Contains(err.Error(), "is no function") {
		t.Errorf("%v", err)
	}
}
