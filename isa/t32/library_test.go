package t32

import (
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// libraries are the builds of libgcc and newlib whose every instruction is decoded, by the options that
// choose them. Those with a floating-point unit may hold instructions that are refused.
var libraries = []struct {
	options string
	refuses bool
}{
	{"-mcpu=cortex-m3 -mthumb", false},
	{"-mcpu=cortex-m4 -mthumb", false},
	{"-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16", true},
	{"-mcpu=cortex-m4 -mthumb -mfloat-abi=softfp -mfpu=fpv4-sp-d16", true},
}

// knownDifferences are texts of objdump that differ from ours, with the reason.
var knownDifferences = []struct {
	objdump *regexp.Regexp
	reason  string
}{
	{regexp.MustCompile(`^((ld|st)f[ep]|(ld|st)c2)\t`), "registers of other coprocessors, FPA and iWMMXt; the unwinder saves them if they are there"},
	{regexp.MustCompile(`^v(ld|st)mia\t.*d(16|31)`), "d16 to d31, which Cortex-M has not; the unwinder saves them if they are there"},
	{regexp.MustCompile(`^f(ld|st)m[id][ab]x\t`), "a deprecated load and store of the unwinder"},
}

// libraryNames are the archives, the large one last: it is read in the long form only.
func libraryNames() []string {
	return []string{"libgcc.a", "libc_nano.a", "libc.a"}[:foreign.Count(2, 3)]
}

// Every instruction of libgcc and newlib decodes and prints as objdump does; arithmetic of the
// floating-point unit is refused by objdump's name for it.
func TestLibraries(t *testing.T) {
	gcc, objdump := foreign.Tool(t, "arm-none-eabi-gcc"), foreign.Tool(t, "arm-none-eabi-objdump")
	for _, l := range libraries[:foreign.Count(3, 4)] {
		for _, name := range libraryNames() {
			args := append(strings.Fields(l.options), "-print-file-name="+name)
			path := strings.TrimSpace(string(run(t, gcc, args...)))
			foreign.File(t, path) // gcc prints the bare name of what it does not have
			c := comparison{refused: map[string]int{}, known: map[string]int{}}
			for _, line := range strings.Split(string(run(t, objdump, "-d", path)), "\n") {
				c.line(line)
			}
			c.report(t, l.options+" "+name, l.refuses)
		}
	}
}

// comparison reads a listing of objdump and decodes the same code.
type comparison struct {
	it      uint8
	count   int
	refused map[string]int
	known   map[string]int
	errors  []string
}

var listingLine = regexp.MustCompile(`^ *([0-9a-f]+):\t([0-9a-f ]+?) *\t(.*)$`)

// branchTarget is an address as objdump prints it, with the label it lies behind.
var branchTarget = regexp.MustCompile(`\b([0-9a-f]+) <[^>]*>`)

func (c *comparison) line(text string) {
	m := listingLine.FindStringSubmatch(text)
	if m == nil {
		if strings.HasPrefix(text, "Disassembly") {
			c.it = 0
		}
		return
	}
	if strings.HasPrefix(m[3], ".") {
		return // data in the code
	}
	pc, err := strconv.ParseUint(m[1], 16, 32)
	if err != nil {
		return
	}
	var code []byte
	for _, half := range strings.Fields(m[2]) {
		v, err := strconv.ParseUint(half, 16, 16)
		if err != nil {
			return
		}
		code = binary.LittleEndian.AppendUint16(code, uint16(v))
	}
	c.count++
	if bad := c.compare(code, pc, branchTarget.ReplaceAllString(m[3], "0x$1")); bad != "" {
		c.errors = append(c.errors, bad)
	}
}

// compare returns the difference of one instruction, "" if there is none.
func (c *comparison) compare(code []byte, pc uint64, theirs string) string {
	in, n, err := Arch{}.Decode(code, pc)
	it := c.it
	c.it = nextIT(c.it)
	var r *refusal
	switch {
	case errors.As(err, &r):
		name, _, _ := strings.Cut(strings.ToUpper(theirs), "\t")
		if base, _, _ := strings.Cut(r.name, "."); !strings.HasPrefix(name, base) {
			return fmt.Sprintf("refused as %s, objdump %q", r.name, theirs)
		}
		c.refused[name]++
		return ""
	case c.isKnown(theirs):
		return ""
	case err != nil || n != len(code):
		return fmt.Sprintf("%s: %v, objdump %q", hexOf(code), err, theirs)
	}
	if it != 0 {
		in.Cond = 1 + it>>4
	}
	if encodings[in.Form.Num] == encIT {
		c.it = uint8(in.Args[1])<<4 | uint8(in.Args[0])
	}
	ours := printAt(in, pc)
	if canonical(ours) == canonical(theirs) {
		return ""
	}
	if in.Form.Flags&isa.Branch != 0 && hasLabel(&in) && len(code) == 4 && in.Args[0] == int64(pc) {
		c.known["the linker fills in the target, which objdump already shows"]++
		return ""
	}
	return fmt.Sprintf("%s: ours %q, objdump %q", hexOf(code), ours, theirs)
}

// isKnown notes a text of knownDifferences.
func (c *comparison) isKnown(theirs string) bool {
	for _, k := range knownDifferences {
		if k.objdump.MatchString(theirs) {
			c.known[k.reason]++
			return true
		}
	}
	return false
}

func (c *comparison) report(t *testing.T, name string, refuses bool) {
	if c.count < 10_000 {
		t.Errorf("%s: %d instructions only", name, c.count)
	}
	if !refuses && len(c.refused) > 0 {
		t.Errorf("%s: refused %v", name, c.refused)
	}
	for i, e := range c.errors {
		if i == 20 {
			t.Fatalf("%s: %d differences", name, len(c.errors))
		}
		t.Errorf("%s: %s", name, e)
	}
	t.Logf("%s: %d instructions, refused %v, known differences %v", name, c.count, c.refused, c.known)
}

// printAt prints an instruction as objdump does, which shows the distance of a literal.
func printAt(in isa.Inst, pc uint64) string {
	text := Arch{}.Print(in)
	for i, op := range in.Form.Ops {
		if op.Kind != isa.KindLabel || in.Form.Flags&isa.Branch != 0 {
			continue
		}
		label := fmt.Sprintf("%#x", in.Args[i]&^negZeroLabel)
		offset := in.Args[i] - int64((pc+4)&^3)
		if register, ok := strings.CutPrefix(text, "adr"); ok {
			return "add" + strings.Replace(register, label, fmt.Sprintf("pc, #%d", offset), 1)
		}
		return strings.Replace(text, label, fmt.Sprintf("[pc, #%d]", offset), 1)
	}
	return text
}
