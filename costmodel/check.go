package costmodel

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"simrun/internal/input"
	"simrun/internal/nearest"
)

// where gives file:line of a key in a table ("" = top level), or the file alone if the
// key comes from a base file.
func where(name string, data []byte, table, key string) string {
	current := ""
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			current = strings.Trim(line, "[] ")
			continue
		}
		k, _, found := strings.Cut(line, "=")
		if found && current == table && strings.Trim(k, "\" ") == key {
			return fmt.Sprintf("%s:%d", name, i+1)
		}
	}
	return name
}

func ruleNumber(key string) (int, error) {
	n, err := strconv.Atoi(key)
	if err != nil || n < 1 || strconv.Itoa(n) != key {
		return 0, errors.New("a rule's key is its number, from 1")
	}
	return n, nil
}

// check demands that a resolved file is complete and that every number is in range, names
// its rule and names its source.
func (c *CPU) check(name string, data []byte) error {
	if err := c.checkHead(name, data); err != nil {
		return err
	}
	used := map[int]bool{}
	cite := func(table, key string, rule int, source string) error {
		used[rule] = true
		if err := c.checkCitation(rule, source); err != nil {
			return fmt.Errorf("%s: %s %s: %w", where(name, data, table, key), table, key, err)
		}
		return nil
	}
	if err := c.checkSchedulers(name, data, cite); err != nil {
		return err
	}
	for _, k := range sorted(c.Classes) {
		row := c.Classes[k]
		err := row.check()
		if err == nil {
			err = c.checkPorts(row)
		}
		if err != nil {
			return fmt.Errorf("%s: class %s: %w", where(name, data, "class", k), k, err)
		}
		if err := cite("class", k, row.Rule, row.Source); err != nil {
			return err
		}
	}
	if err := c.checkParams(name, data, cite); err != nil {
		return err
	}
	if err := c.checkRegions(name, data, cite); err != nil {
		return err
	}
	return c.checkRules(name, data, used)
}

func (c *CPU) checkRules(name string, data []byte, used map[int]bool) error {
	for _, n := range sorted(c.Rules) {
		if !used[n] {
			return fmt.Errorf("%s: rule %d: no number cites it", where(name, data, "rule", strconv.Itoa(n)), n)
		}
		if err := c.checkRuleText(n); err != nil {
			return fmt.Errorf("%s: rule %d: %w", where(name, data, "rule", strconv.Itoa(n)), n, err)
		}
	}
	return nil
}

func (c *CPU) checkHead(name string, data []byte) error {
	at := func(key string) string { return where(name, data, "", key) }
	known := slices.Sorted(maps.Keys(Parameters))
	switch {
	case c.Name == "":
		return fmt.Errorf("%s: no name; add name = \"...\"", name)
	case !isName(c.Name):
		return fmt.Errorf("%s: name \"%s\": %s", at("name"), input.Clip(c.Name), wantName)
	case c.ISA == "":
		return fmt.Errorf("%s: no isa; add isa = \"...\" or a base", name)
	case c.Title == "":
		return fmt.Errorf("%s: no title; add title = \"...\": one line that says what this CPU is", name)
	case !slices.Contains(known, c.Pipeline):
		return fmt.Errorf("%s: unknown pipeline %q; it is one of %s", at("pipeline"), c.Pipeline, strings.Join(known, ", "))
	case c.CodeBudget.Value < 0 || c.CodeBudget.Why == "":
		return fmt.Errorf("%s: code_budget needs a value of 0 or more bytes and a why", at("code_budget"))
	case c.Timed() && len(c.Classes) == 0:
		return fmt.Errorf("%s: no timing classes; add a [class] table or a base", name)
	}
	for _, id := range sorted(c.Sources) {
		if _, ok := SourceKinds[c.Sources[id].Kind]; !ok {
			kinds := slices.Sorted(maps.Keys(SourceKinds))
			return fmt.Errorf("%s: source %s: unknown kind %q; it is one of %s",
				where(name, data, "sources", id), id, c.Sources[id].Kind, strings.Join(kinds, ", "))
		}
	}
	if err := c.checkHosts(name, data); err != nil {
		return err
	}
	return c.Memory.check(name, data)
}

// isName reports whether a word can be part of the name of a file, of a list and of a line of text.
func isName(s string) bool {
	return s != "" && len(s) <= maxName && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._+-", r)
	})
}

const (
	maxName  = 64
	wantName = "up to 64 letters, digits and . _ + - are possible"
)

// MaxMemory bounds the memory map, in bytes: a machine of the simulator has no more.
const MaxMemory = 64 << 20

// namedSpan is a line of the memory map.
type namedSpan struct {
	key string
	Span
}

func (m Memory) spans() []namedSpan {
	return []namedSpan{{"code", m.Code}, {"data", m.Data}, {"stack", m.Stack}}
}

func (m Memory) check(name string, data []byte) error {
	spans := m.spans()
	total := uint64(0)
	for i, s := range spans {
		if s.Size == 0 || s.Base+s.Size < s.Base {
			return fmt.Errorf("%s: memory %s: size %d at %#x: it must be over 0 and not wrap around",
				where(name, data, "memory", s.key), s.key, s.Size, s.Base)
		}
		if total += min(s.Size, MaxMemory+1); total > MaxMemory {
			return fmt.Errorf("%s: memory %s: size %#x: code, data and stack can have up to %#x bytes together",
				where(name, data, "memory", s.key), s.key, s.Size, MaxMemory)
		}
		for _, o := range spans[:i] {
			if s.Base < o.Base+o.Size && o.Base < s.Base+s.Size {
				return fmt.Errorf("%s: memory %s overlaps %s", where(name, data, "memory", s.key), s.key, o.key)
			}
		}
	}
	return nil
}

// maxCycles bounds every cost, so that pipelines can keep them in 16 bits.
const maxCycles = 1 << 15

func (k Class) check() error {
	f := k.filled()
	bounded := f.Cycles
	if k.Latency != 0 {
		bounded = k.Latency
	}
	switch {
	case k.Cycles < 0 || k.Latency < 0 || k.Max < 0:
		return errors.New("cycles cannot be negative")
	case f.Cycles > maxCycles || f.Latency > maxCycles || k.Max > maxCycles:
		return fmt.Errorf("over %d cycles", maxCycles)
	case k.Max != 0 && k.Max < bounded:
		return fmt.Errorf("max %d is below %d", k.Max, bounded)
	}
	return nil
}

func (c *CPU) checkCitation(rule int, source string) error {
	if _, ok := c.Rules[rule]; !ok {
		return fmt.Errorf("rule %d does not exist; add it to [rule]", rule)
	}
	return c.checkSource(source)
}

func (c *CPU) checkSource(source string) error {
	id, _ := splitSource(source)
	if _, ok := c.Sources[id]; !ok {
		return fmt.Errorf("source %q is not in [sources]%s", id, nearest.Hint(id, sorted(c.Sources)))
	}
	return nil
}

func (c *CPU) checkParams(name string, data []byte, cite func(table, key string, rule int, source string) error) error {
	want := Parameters[c.Pipeline]
	var names []string
	for _, info := range want {
		names = append(names, info.Name)
		p, ok := c.Params[info.Name]
		if !ok {
			return fmt.Errorf("%s: pipeline %s needs [param] %s (%s: %s)", name, c.Pipeline, info.Name, info.Unit, info.What)
		}
		if err := info.check(p.Value); err != nil {
			return fmt.Errorf("%s: param %s: %w", where(name, data, "param", info.Name), info.Name, err)
		}
		if err := cite("param", info.Name, p.Rule, p.Source); err != nil {
			return err
		}
	}
	for _, k := range sorted(c.Params) {
		if !slices.Contains(names, k) {
			return fmt.Errorf("%s: pipeline %s has no parameter %q%s",
				where(name, data, "param", k), c.Pipeline, k, nearest.Hint(k, names))
		}
	}
	if err := c.checkRelations(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (p ParamInfo) check(v int) error {
	if v < p.Min || v > p.Max {
		return fmt.Errorf("%d is outside %d to %d (%s)", v, p.Min, p.Max, p.Unit)
	}
	return nil
}

func sorted[K interface{ ~int | ~string }, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
