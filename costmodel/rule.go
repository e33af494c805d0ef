package costmodel

import (
	"fmt"
	"regexp"
	"strings"

	"simrun/internal/nearest"
)

// placeholder in a rule's text stands for a number of the file, so that the text stays true under Set:
// {refill} and {flash.wait_states} for the value with its unit, {load.word} for what simrun cpu prints of a
// class, {load.word.latency} for one of its fields in cycles.
var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// Rule returns what rule n says, with the numbers that the CPU has now; "" if there is no such rule.
func (c *CPU) Rule(n int) string {
	return placeholder.ReplaceAllStringFunc(c.Rules[n], func(s string) string {
		text, _ := c.named(strings.Trim(s, "{}"))
		return text
	})
}

// named returns the text of a number; ok is false if the CPU has no number of that name.
func (c *CPU) named(key string) (text string, ok bool) {
	for _, info := range Parameters[c.Pipeline] {
		if info.Name == key {
			return info.text(c.Params[key].Value), true
		}
	}
	if r, info, ok := c.splitRegionKey(key); ok {
		return info.text(r.Number(info.Name).Value), true
	}
	if s, ok := c.Schedulers[strings.TrimPrefix(key, "scheduler.")]; ok {
		return plural(s.Entries, "entries"), true
	}
	if row, ok := c.row(key); ok && c.Classes[key] == row {
		return row.text(), true
	}
	i := strings.LastIndexByte(key, '.')
	if i < 0 || !isField(key[i+1:]) {
		return "", false
	}
	row, ok := c.row(key[:i])
	f := row.filled()
	return fmt.Sprint(map[string]int{"cycles": f.Cycles, "latency": f.Latency, "max": f.Max}[key[i+1:]]), ok
}

// checkRuleText demands that every placeholder names a number.
func (c *CPU) checkRuleText(n int) error {
	for _, s := range placeholder.FindAllString(c.Rules[n], -1) {
		key := strings.Trim(s, "{}")
		if _, ok := c.named(key); !ok {
			return fmt.Errorf("%s names no class, parameter or number of a region%s", s,
				nearest.Hint(key, append(sorted(c.Params), sorted(c.Classes)...)))
		}
	}
	return nil
}
