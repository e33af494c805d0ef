package t32

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// disassemble returns the instructions of text as objdump prints them.
func disassemble(t testing.TB, as, objdump, text string) []string {
	t.Helper()
	dir := t.TempDir()
	src, obj := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o")
	if err := os.WriteFile(src, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, as, "-mcpu=cortex-m4", "-o", obj, src)
	var list []string
	for _, line := range strings.Split(string(run(t, objdump, "-d", obj)), "\n") {
		cols := strings.SplitN(line, "\t", 3)
		if len(cols) < 3 || !strings.Contains(cols[0], ":") {
			continue
		}
		list = append(list, cols[2])
	}
	return list
}

// floatNumber writes the constant of VMOV as objdump does: the encoded byte.
func floatNumber(rest string) string {
	reg, text, ok := strings.Cut(rest, ",#")
	m := matcher{rest: text}
	if v, err := m.float(); ok && err == nil && strings.Contains(text, ".") {
		return fmt.Sprintf("%s,#%d", reg, v)
	}
	return rest
}

var (
	comment   = regexp.MustCompile(`\s*(;|@|<).*$`)
	number    = regexp.MustCompile(`\b0x[0-9a-f]+`)
	noOffset  = regexp.MustCompile(`, #0\]`)
	otherName = regexp.MustCompile(`\b(fp|ip|sl|sb)\b`)
)

// canonical removes what two correct texts of one instruction may differ in: width suffixes, the
// spelling of numbers and registers, "#0" offsets, a repeated destination.
func canonical(s string) string {
	s = strings.ToLower(comment.ReplaceAllString(strings.TrimSpace(s), ""))
	name, rest, _ := strings.Cut(strings.Replace(s, "\t", " ", 1), " ")
	name, _, _ = strings.Cut(name, ".")
	rest = number.ReplaceAllStringFunc(rest, func(h string) string {
		v, err := strconv.ParseUint(h[2:], 16, 64)
		if err != nil {
			return h
		}
		return strconv.FormatUint(v, 10)
	})
	rest = otherName.ReplaceAllStringFunc(rest, func(r string) string {
		return map[string]string{"fp": "r11", "ip": "r12", "sl": "r10", "sb": "r9"}[r]
	})
	rest = noOffset.ReplaceAllString(rest, "]")
	return synonym(name, strings.ReplaceAll(strings.TrimSpace(rest), " ", ""))
}

var (
	shiftedMov = regexp.MustCompile(`^(r\d+|lr|sp),(r\d+|lr|sp),(lsl|lsr|asr|ror|rrx)`)
	psrField   = regexp.MustCompile(`psr_(nzcvqg|nzcvq|g|fs|s|f)\b`) // objdump leaves it out
	flagsName  = regexp.MustCompile(`\b[axc]psr\b`)
)

// synonym replaces the names that objdump prefers: it prints shifts as moves and some RSB as NEG.
func synonym(name, rest string) string {
	if m := shiftedMov.FindStringSubmatch(rest); m != nil && strings.HasPrefix(name, "mov") {
		amount := rest[len(m[0]):]
		if amount != "" {
			amount = "," + amount
		}
		return m[3] + strings.TrimPrefix(name, "mov") + " " + m[1] + "," + m[2] + amount
	}
	if strings.HasPrefix(name, "vmov") {
		rest = floatNumber(rest)
	}
	switch name {
	case "ssbb", "pssbb", "dfb":
		return "dsb"
	case "dmb", "dsb", "isb": // newer names of reserved options
		return name
	case "bkpt", "svc":
		rest = strings.TrimPrefix(rest, "#")
	case "mrs", "msr":
		rest = psrField.ReplaceAllString(rest, "psr")
		rest = flagsName.ReplaceAllString(rest, "psr")
	}
	if s, ok := strings.CutPrefix(name, "neg"); ok {
		name, rest = "rsb"+s, rest+",#0"
	}
	return name + " " + rest
}
