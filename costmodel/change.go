package costmodel

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Setting gives a number of a CPU a value, as CPU.Set does.
type Setting struct {
	Name  string
	Value int
}

func (s Setting) String() string { return s.Name + "=" + strconv.Itoa(s.Value) }

// Change makes one mechanism of a CPU other than it is.
type Change struct {
	What     string
	Settings []Setting // to be made in this order
}

func (c Change) String() string {
	words := make([]string, len(c.Settings))
	for i, s := range c.Settings {
		words[i] = s.String()
	}
	return strings.Join(words, " ")
}

// value finds a number's new value. What is outside the range of the number becomes the end of the range.
type value func(now, least, most int) int

// number is one that a mechanism changes: a parameter, "class.latency", or anyScheduler for the entries of each.
type number struct {
	name string
	value
}

const anyScheduler = "scheduler.*"

// mechanism is a part of a pipeline that can be taken away, made weaker or stronger. Its last number is the one that
// matters: those before it make room. Where that has the value already, there is nothing to change.
type mechanism struct {
	what string
	set  []number
}

// mechanisms are what is changed one at a time, by pipeline. Every parameter of these pipelines is here, or in the list
// of those that are sizes only in the test.
var mechanisms = map[string][]mechanism{
	OutOfOrder: {
		{"blocks of code twice as long", []number{{"fetch_queue", times(2)}, {"fetch_bytes", times(2)}}},
		{"no limit of instructions predecoded in a cycle", []number{{"predecode", most}}},
		{"length-changing prefixes stall nothing", []number{{"length_change", to(0)}}},
		{"a queue of code without limit", []number{{"fetch_queue", most}}},
		{"decoders without limit", []number{{"uop_queue", most}, {"decoders", most}, {"decoder_uops", most}}},
		{"a queue of uops without limit", []number{{"uop_queue", most}}},
		{"no micro-fusion", []number{{"micro_fusion", to(0)}}},
		{"no loop buffer", []number{{"loop_instructions", to(0)}}},
		{"a loop buffer for long loops", []number{{"loop_blocks", most}, {"loop_instructions", most}}},
		{"no cache of decoded uops", []number{{"op_cache", to(0)}}},
		{"all code from a cache of decoded uops", []number{{"op_cache", most}}},
		{"one uop less renamed in a cycle", []number{{"rename", less(1)}}},
		{"one uop more renamed in a cycle", []number{{"rename", more(1)}}},
		{"no limit of registers read", []number{{"read_ports", to(0)}}},
		{"one read port less", []number{{"read_ports", less(1)}}},
		{"no read port for an index alone", []number{{"read_ports_index", to(0)}}},
		{"no stack engine", []number{{"stack_sync", to(0)}}},
		{"narrow writes read the old register: no stop to merge", []number{{"partial_merge", to(0)}}},
		{"flags left alone stop nothing", []number{{"partial_flags", to(0)}}},
		{"rotates do not wait for flags", []number{{"rotate_flags", to(0)}}},
		{"moves between registers are eliminated", []number{{"move_elimination", to(1)}}},
		{"moves between registers execute", []number{{"move_elimination", to(0)}}},
		{"three quarters of the reorder buffer", []number{{"rob", percent(75)}}},
		{"a reorder buffer without limit", []number{{"rob", most}}},
		{"three quarters of the load buffer", []number{{"load_buffer", percent(75)}}},
		{"a load buffer without limit", []number{{"load_buffer", most}}},
		{"three quarters of the store buffer", []number{{"store_buffer", percent(75)}}},
		{"a store buffer without limit", []number{{"store_buffer", most}}},
		{"three quarters of the scheduler entries", []number{{anyScheduler, percent(75)}}},
		{"schedulers without limit", []number{{anyScheduler, most}}},
		{"the port chosen at issue", []number{{"bind", to(1)}}},
		{"issue a cycle earlier", []number{{"issue_delay", less(1)}}},
		{"issue a cycle later", []number{{"issue_delay", more(1)}}},
		{"issue in the cycle behind allocation", []number{{"issue_delay", least}}},
		{"scheduler entries free a cycle earlier", []number{{"release_delay", less(1)}}},
		{"scheduler entries free a cycle later", []number{{"release_delay", more(1)}}},
		{"several results of a port in a cycle", []number{{"write_back", to(0)}}},
		{"retirement without limit", []number{{"retire", most}}},
		{"mispredictions cost a cycle", []number{{"mispredict", least}}},
		{"no loop counters", []number{{"loop_period", to(0)}}},
		{"branches predicted without history", []number{{"history_bits", to(0)}}},
		{"no return stack", []number{{"return_stack", to(0)}}},
		{"a load has a stored value in the next cycle", []number{{"forward", least}}},
		{"forwarding never fails", []number{{"forward_fail", to(0)}}},
		{"whatever is inside a store is passed on", []number{{"forward_within", to(0)}}},
		{"addresses of loads and stores compared whole", []number{{"alias", to(0)}}},
		{"loads always pass stores of unknown address", []number{{"pass_after", to(0)}}},
		{"loads across lines cost nothing", []number{{"line_cross_load", to(0)}}},
		{"stores across lines cost nothing", []number{{"line_cross_store", to(0)}}},
		{"a data cache 64 times as large", []number{{"l1d_bytes", times(64)}}},
		{"an instruction cache 64 times as large", []number{{"l1i_bytes", times(64)}}},
		{"a load takes a cycle", []number{{"vec.load.latency", least}, {"load.latency", least}}},
	},
}

func to(v int) value { return func(int, int, int) int { return v } }

func least(_, least, _ int) int { return least }

func most(_, _, most int) int { return most }

func times(n int) value { return func(now, _, _ int) int { return n * now } }

func percent(n int) value { return func(now, _, _ int) int { return now * n / 100 } }

// less and more leave 0 alone, and less does not come to it: 0 is no limit, or that there is no such thing.
func less(n int) value {
	return func(now, _, _ int) int { return max(now-n, min(now, 1)) }
}

func more(n int) value {
	return func(now, _, _ int) int { return now + min(now, 1)*n }
}

// Changes lists what can be changed, each by itself: mechanisms taken away, and sizes and fitted numbers made a little
// smaller or larger. It leaves out what relations between the numbers forbid. It is empty for pipelines without a list.
func (c *CPU) Changes() []Change {
	var list []Change
	for _, m := range mechanisms[c.Pipeline] {
		change, changed := c.change(m)
		same := func(x Change) bool { return slices.Equal(x.Settings, change.Settings) }
		if !changed || slices.ContainsFunc(list, same) {
			continue
		}
		if _, err := c.With(change.Settings); err == nil {
			list = append(list, change)
		}
	}
	return list
}

func (c *CPU) change(m mechanism) (change Change, changed bool) {
	change.What = m.what
	for _, n := range m.set {
		settings := c.settings(n)
		changed = len(settings) > 0
		change.Settings = append(change.Settings, settings...)
	}
	return change, changed
}

// settings gives a number its new value: none, if that is the old one.
func (c *CPU) settings(n number) (list []Setting) {
	set := func(name string, now, least, most int) {
		if v := min(max(n.value(now, least, most), least), most); v != now {
			list = append(list, Setting{name, v})
		}
	}
	class, isLatency := strings.CutSuffix(n.name, ".latency")
	switch {
	case n.name == anyScheduler:
		for _, k := range sorted(c.Schedulers) {
			set("scheduler."+k, c.Schedulers[k].Entries, 1, maxEntries)
		}
	case isLatency:
		if row, ok := c.Classes[class]; ok {
			set(n.name, row.filled().Latency, 1, maxCycles)
		}
	default:
		info := paramInfo(c.Pipeline, n.name)
		set(n.name, c.Param(n.name), info.Min, info.Max)
	}
	return list
}

// With is the CPU with numbers changed; the CPU itself stays as it is.
func (c *CPU) With(settings []Setting) (*CPU, error) {
	changed := *c
	changed.Classes, changed.Params, changed.Schedulers = maps.Clone(c.Classes), maps.Clone(c.Params), maps.Clone(c.Schedulers)
	changed.Regions = slices.Clone(c.Regions)
	for _, s := range settings {
		if err := changed.Set(s.Name, strconv.Itoa(s.Value)); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return &changed, nil
}
