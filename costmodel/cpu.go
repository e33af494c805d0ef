package costmodel

import (
	"fmt"
	"sort"
	"strings"
)

// CPU is a resolved CPU file: its base merged in, every number checked.
type CPU struct {
	Name        string
	Title       string
	File        string   // where it was read from
	Base        string   // the CPU that it inherits, "" = none
	Inherited   []string // the names of all that it inherits, the nearest first
	Aliases     []string
	Hosts       []Host   // the processors that it is the model of; not inherited
	ISA         string   // name of the isa.Arch
	Features    []string // extensions that are present
	Pipeline    string   // "cortex-m", "rocket", "ooo", or "functional": no cycles
	CodeBudget  Budget
	Memory      Memory
	Regions     []Region // of a board; none = all memory answers at once
	NotModelled []string
	Rules       map[int]string       // rule number -> what it says, with placeholders; see CPU.Rule
	Classes     map[string]Class     // timing class or prefix of one -> cost
	Params      map[string]Parameter // the pipeline's own numbers; see Parameters
	Schedulers  map[string]Scheduler // out of order: name -> ports and entries
	Sources     map[string]Source
}

// Budget is the size of code up to which loops are unrolled.
type Budget struct {
	Value int    `toml:"value"` // bytes
	Why   string `toml:"why"`
}

// Memory is the default memory map: where the machine puts code, buffers and stack.
type Memory struct {
	Code  Span `toml:"code"`
	Data  Span `toml:"data"`
	Stack Span `toml:"stack"` // grows down from its end
}

// Span is a range of addresses, in bytes.
type Span struct {
	Base uint64 `toml:"base"`
	Size uint64 `toml:"size"`
}

// Class is the cost of a timing class in cycles.
type Class struct {
	Cycles  int    `toml:"cycles"`  // the issue stage is held this long; 0 in the file = 1
	Latency int    `toml:"latency"` // from issue until a reader may issue; 0 in the file = Cycles
	Max     int    `toml:"max"`     // operand-dependent: upper bound of Latency, or of Cycles if no latency is given; 0 = fixed
	Ports   string `toml:"ports"`   // out of order: its uops, see ParseUops; cycles is how long each holds its port
	Split   bool   `toml:"split"`   // out of order: no two of its uops are fused
	Rule    int    `toml:"rule"`
	Source  string `toml:"source"` // key of Sources, then where in it
}

// Parameter is a number of the pipeline that belongs to no class.
type Parameter struct {
	Value  int    `toml:"value"`
	Rule   int    `toml:"rule"`
	Source string `toml:"source"`
}

// Source is where numbers come from.
type Source struct {
	Kind  string `toml:"kind"` // one of SourceKinds
	Title string `toml:"title"`
}

// SourceKinds says how well a source is known.
var SourceKinds = map[string]string{
	"doc":    "vendor documentation",
	"rtl":    "published hardware description",
	"tool":   "a compiler's model of the CPU",
	"meas":   "measured by a third party on hardware",
	"fit":    "chosen with published cycle counts in view",
	"memory": "recalled, not looked up",
	"choice": "decided by this project",
}

// Timed reports whether the CPU has cycles at all.
func (c *CPU) Timed() bool { return c.Pipeline != "functional" }

// Class returns the cost of a timing class: the row of its longest prefix.
func (c *CPU) Class(class string) (Class, error) {
	row, ok := c.row(class)
	if !ok {
		return Class{}, fmt.Errorf("%s: no row for timing class %q; add one to [class]", c.File, class)
	}
	return row.filled(), nil
}

func (k Class) filled() Class {
	k.Cycles = max(k.Cycles, 1)
	if k.Latency == 0 {
		k.Latency = k.Cycles
	}
	return k
}

// Latency returns the result latency of a class in cycles, 1 for a class without a row:
// what a scheduler wants.
func (c *CPU) Latency(class string) int {
	row, err := c.Class(class)
	if err != nil {
		return 1
	}
	return row.Latency
}

// Param returns a parameter of the pipeline. Asking for one that the pipeline's list in
// Parameters does not have is a programming error.
func (c *CPU) Param(name string) int {
	p, ok := c.Params[name]
	if !ok {
		panic("costmodel: " + c.Name + " has no parameter " + name)
	}
	return p.Value
}

// Number is one line of a CPU file for printing.
type Number struct {
	Key    string // "load.word", "refill"
	Text   string // "2 cycles", "1 cycle, latency 2 to 33"
	Rule   int
	Kind   string // of the source
	Source string // title and place
}

// Numbers lists every number with its source, by rule and key.
func (c *CPU) Numbers() []Number {
	var out []Number
	for k, row := range c.Classes {
		out = append(out, c.number(k, row.text(), row.Rule, row.Source))
	}
	for _, info := range Parameters[c.Pipeline] {
		p := c.Params[info.Name]
		out = append(out, c.number(info.Name, info.text(p.Value), p.Rule, p.Source))
	}
	for k, s := range c.Schedulers {
		out = append(out, c.number("scheduler."+k, fmt.Sprintf("%s, p%s", plural(s.Entries, "entries"), s.Ports), s.Rule, s.Source))
	}
	for i := range c.Regions {
		out = append(out, c.regionNumbers(&c.Regions[i])...)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Rule != out[j].Rule {
			return out[i].Rule < out[j].Rule
		}
		return out[i].Key < out[j].Key
	})
	return out
}

func (c *CPU) regionNumbers(r *Region) []Number {
	extent := fmt.Sprintf("%s, %d KiB at %#x", r.Kind, r.Size>>10, r.Base)
	out := []Number{c.number(r.Name, extent, r.Rule, r.Source)}
	for _, info := range RegionNumbers {
		if p := r.Number(info.Name); *p != (Parameter{}) {
			out = append(out, c.number(r.Name+"."+info.Name, info.text(p.Value), p.Rule, p.Source))
		}
	}
	return out
}

func (c *CPU) number(key, text string, rule int, source string) Number {
	id, _ := splitSource(source)
	return Number{Key: key, Text: text, Rule: rule, Kind: c.Sources[id].Kind, Source: c.Cited(source)}
}

// Cited is a source with its title and the place in it.
func (c *CPU) Cited(source string) string {
	id, place := splitSource(source)
	if place != "" {
		place = ", " + place
	}
	return c.Sources[id].Title + place
}

func (k Class) text() string {
	f := k.filled()
	if k.Ports != "" {
		return k.portsText()
	}
	switch {
	case k.Latency == 0 && k.Max > 0:
		return fmt.Sprintf("%d to %d cycles", f.Cycles, k.Max)
	case k.Latency == 0:
		return plural(f.Cycles, "cycles")
	case k.Max > 0:
		return fmt.Sprintf("%s, latency %d to %d", plural(f.Cycles, "cycles"), k.Latency, k.Max)
	}
	return fmt.Sprintf("%s, latency %d", plural(f.Cycles, "cycles"), k.Latency)
}

// portsText is text for a class out of order: "p015, latency 1".
func (k Class) portsText() string {
	f := k.filled()
	text := k.Ports
	if k.Latency != 0 {
		text += fmt.Sprintf(", latency %d", k.Latency)
	}
	if f.Cycles > 1 {
		text += fmt.Sprintf(", each holds its port %s", plural(f.Cycles, "cycles"))
	}
	if k.Split {
		text += ", not fused"
	}
	return text
}

// text gives a parameter's value with its unit.
func (p ParamInfo) text(v int) string {
	switch {
	case p.Unit == yesNo && v != 0:
		return "yes"
	case p.Unit == yesNo:
		return "no"
	case p.Unit == "choice":
		return fmt.Sprint(v)
	}
	return plural(v, p.Unit)
}

func plural(n int, units string) string {
	switch {
	case n == 1 && units == "entries":
		units = "entry"
	case n == 1:
		units = strings.TrimSuffix(units, "s")
	}
	return fmt.Sprint(n, " ", units)
}

// splitSource splits "trm table 3-1" into the key "trm" and the place.
func splitSource(s string) (id, place string) {
	id, place, _ = strings.Cut(s, " ")
	return id, place
}

// RowKey returns the key of the row that a timing class falls back to, its longest prefix; "" if there is none.
func (c *CPU) RowKey(class string) string {
	for class != "" {
		if _, ok := c.Classes[class]; ok {
			return class
		}
		class = class[:max(strings.LastIndexByte(class, '.'), 0)]
	}
	return ""
}
