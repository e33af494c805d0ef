package nearest

import "testing"

func TestName(t *testing.T) {
	names := []string{"aes128/fixsliced", "gift128/fixsliced", "cortex-m3", "cortex-m4", "text"}
	for word, want := range map[string]string{
		"aes128/fixslised": "aes128/fixsliced",
		"cortexm4":         "cortex-m4",
		"gift128":          "gift128/fixsliced",
		"txt":              "text",
		"z80":              "",
		"":                 "",
	} {
		if got := Name(word, names); got != want {
			t.Errorf("Name(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"abc", "abc", 0}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestHint(t *testing.T) {
	names := []string{"cortex-m3", "cortex-m4"}
	if got, want := Hint("cortexm4", names), " (did you mean cortex-m4?)"; got != want {
		t.Errorf("Hint = %q, want %q", got, want)
	}
	if got := Hint("z80", names); got != "" {
		t.Errorf("Hint of nothing near = %q", got)
	}
}
