package costmodel

import (
	"regexp"
	"strings"
	"testing"
)

// TestRulesFollowTheirNumbers changes a number of each sort and reads the rule that speaks of it.
func TestRulesFollowTheirNumbers(t *testing.T) {
	for _, c := range []struct {
		cpu, key, value string
		rule            int
		want            string
	}{
		{"cortex-m3", "refill", "3", 20, "and 3 cycles of refill"},
		{"cortex-m3", "mul", "2", 2, "MUL takes 2 cycles."},
		{"cortex-m3", "mul.long.max", "9", 4, "take 3 to 9 cycles,"},
		{"cortex-m3", "it_fold", "0", 27, "onto which it folds: no."},
		{"sifive-e31", "load.word", "4", 2, "LW has latency 4."},
		{"sifive-e31", "div.max", "40", 6, "latency 2 to 40, by operands"},
		{"stm32f407-168mhz", "flash.wait_states", "7", 40, "takes 7 cycles more"},
	} {
		cpu := mustLoad(t, c.cpu)
		if strings.Contains(cpu.Rule(c.rule), c.want) {
			t.Errorf("%s rule %d says %q before the change", c.cpu, c.rule, c.want)
		}
		if err := cpu.Set(c.key, c.value); err != nil {
			t.Fatal(err)
		}
		if got := cpu.Rule(c.rule); !strings.Contains(got, c.want) {
			t.Errorf("%s rule %d with %s = %s: %q, want %q in it", c.cpu, c.rule, c.key, c.value, got, c.want)
		}
	}
}

// TestRulesRepeatNoNumbers looks for costs written out: numbers with a unit of time.
func TestRulesRepeatNoNumbers(t *testing.T) {
	cost := regexp.MustCompile(`(?i)\b(\d+|one|two|three) (more )?(cycles?|entries|wait states?)\b|costs? \d|takes? \d`)
	for _, name := range append(Names(), Boards()...) {
		cpu := mustLoad(t, name)
		for n, text := range cpu.Rules {
			if m := cost.FindString(text); m != "" {
				t.Errorf("%s rule %d writes %q where a {name} belongs: %s", name, n, m, text)
			}
			if got := cpu.Rule(n); strings.ContainsAny(got, "{}") || got == "" {
				t.Errorf("%s rule %d: %q", name, n, got)
			}
		}
	}
}
