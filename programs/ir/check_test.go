package ir

import (
	"strings"
	"testing"
)

// TestAccepted holds bodies that the checker must not refuse: the exact side of the rules
// whose other side is in testdata/errors.
func TestAccepted(t *testing.T) {
	for name, body := range map[string]string{
		"known turns write an output":     "repeat i in 0..8 { b[i] = a[i] }",
		"down":                            "repeat i in 7..-1 by -1 { b[i] = a[i] }",
		"stride":                          "for i in 0..8 { b[i] = a[i] }\nrepeat i in 0..8 by 4 { c[i+3] = a[i+3] }",
		"stride with an open end":         "b = a\nrepeat i in 0..n by 4 { c[i+3] ^= a[i+3] }",
		"stride down with an open start":  "b = a\nrepeat i in n-1..-1 by -1 { c[i] ^= a[i] }",
		"stride down with an open end":    "b = a\nrepeat i in 7..n by -4 { c[i-3] ^= a[i] }",
		"triangle":                        "b = a\nrepeat i in 0..8 { repeat j in 0..i { c[i] ^= a[j] } }",
		"two variables":                   "b = a\nrepeat i in 0..2 { repeat j in 0..4 { c[4*i + j] ^= a[4*i + j] } }",
		"no turn":                         "b = a\nrepeat i in 8..8 { c[i] ^= a[i] }",
		"range of known length":           "b = a\nrepeat i in 0..2 { x = a[4*i..4*i+4]\nc[i] ^= x[0] ^ x[3] }",
		"condition in a loop":             "repeat i in 0..8 { if i == 3 { b[i] = a[i] } else { b[i] = ~a[i] } }",
		"inout under a public condition":  "b = a\nif n == 3 { c[0] = a[0] } else if n > 4 { c[1] = a[1] }",
		"scratch filled in a loop":        "scratch s: w32[8]\nrepeat i in 0..8 { s[i] = a[i] }\nb = s",
		"scratch filled in an open loop":  "scratch s: w32[8]\nrepeat i in 0..n { s[i] = a[i] }\nb = s",
		"constant condition leaves unset": "x: w32\nif 1 == 1 { x = a[0] }\nb = a ^ x",
	} {
		text := "kernel t/k(in a: w32[8], out b: w32[8], inout c: w32[8], public n: int in 0..9) {\n" + body + "\n}\n"
		if _, err := parse(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHostileTextEnds holds short texts that ask for much work: they end with an error
// instead of keeping the machine busy for hours.
func TestHostileTextEnds(t *testing.T) {
	loop := "def f(n: int) { k = 0\nfor i in 0..n { k = k + 1 }\nreturn k }\n"
	var many strings.Builder
	many.WriteString(loop)
	for i := range 2000 {
		many.WriteString("const C" + string(rune('a'+i%26)) + strings.Repeat("x", i/26) + " = f(600000)\n")
	}
	for name, text := range map[string]string{
		"constants":  many.String(),
		"doubling":   doubling(40),
		"dimensions": loop + "kernel t/k(in a: w32[f(900000)], out b: w32) { b = a[0] }\n",
		"arrays":     "const A = [" + strings.Repeat("1, ", 60000) + "1]\nconst B = [" + strings.Repeat("A..., ", 1000) + "1]\n",
	} {
		if _, err := parse(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// doubling is a chain of defs, each calling the one before twice.
func doubling(n int) string {
	s := "def d0(x: w32) -> w32 { return x + 1 }\n"
	name := func(i int) string { return "d" + strings.Repeat("x", i) + "0" }
	for i := 1; i <= n; i++ {
		s += "def " + name(i) + "(x: w32) -> w32 { return " + name(i-1) + "(" + name(i-1) + "(x)) }\n"
	}
	return s + "kernel t/k(in a: w32, out b: w32) { b = " + name(n) + "(a) }\n"
}
