package costmodel

import (
	"errors"
	"fmt"
	"strings"
)

// Region is a block of memory of a board. A number that the file leaves out is 0 and has no rule.
// CPU files have no regions: there all memory answers at once.
type Region struct {
	Name   string `toml:"name"`
	Kind   string `toml:"kind"` // one of RegionKinds
	Base   uint64 `toml:"base"`
	Size   uint64 `toml:"size"` // bytes
	Rule   int    `toml:"rule"`
	Source string `toml:"source"` // of base and size

	WaitStates  Parameter `toml:"wait_states"`
	LineBytes   Parameter `toml:"line_bytes"`
	Prefetch    Parameter `toml:"prefetch"`
	BufferLines Parameter `toml:"buffer_lines"`
	FetchAhead  Parameter `toml:"fetch_ahead"`
	CodeLines   Parameter `toml:"code_lines"`
	DataLines   Parameter `toml:"data_lines"`
}

// RegionKinds says what the kinds of memory are.
var RegionKinds = map[string]string{
	"flash": "memory-mapped flash, read in lines",
	"qspi":  "flash behind a serial interface, read in lines of the instruction cache",
	"sram":  "static RAM",
	"ccm":   "core-coupled RAM, data only",
	"dtim":  "tightly integrated data memory",
	"itim":  "tightly integrated instruction memory",
}

// RegionNumbers lists the numbers of a region.
var RegionNumbers = []ParamInfo{
	{"wait_states", "cycles", 0, 4096, "an access takes this many more than in memory without wait states"},
	{"line_bytes", "bytes", 4, 256, "read at once, aligned; a word if not given"},
	{"prefetch", "lines", 0, 1, "read ahead of those that the core asks for"},
	{"buffer_lines", "lines", 0, 4, "of code read last that the buffer holds; a branch to one of them does not read it again"},
	{"fetch_ahead", "bytes", 0, 32, "that the core asks for ahead of the instruction it issues"},
	{"code_lines", "lines", 0, 1024, "cache of code lines, least recently used replaced"},
	{"data_lines", "lines", 0, 1024, "cache of data lines, least recently used replaced"},
}

// Number returns the number of that name; it is nil for a name that is not in RegionNumbers.
func (r *Region) Number(name string) *Parameter {
	return map[string]*Parameter{
		"wait_states": &r.WaitStates, "line_bytes": &r.LineBytes, "prefetch": &r.Prefetch, "buffer_lines": &r.BufferLines,
		"fetch_ahead": &r.FetchAhead, "code_lines": &r.CodeLines, "data_lines": &r.DataLines,
	}[name]
}

// LineLen is what is read at once, in bytes: a word if the file does not say.
func (r *Region) LineLen() int {
	if r.LineBytes.Value == 0 {
		return 4
	}
	return r.LineBytes.Value
}

// Contains reports whether n bytes at addr lie in the region.
func (r *Region) Contains(addr, n uint64) bool {
	return addr >= r.Base && addr-r.Base < r.Size && n <= r.Size-(addr-r.Base)
}

// Region returns the region of that name, or nil.
func (c *CPU) Region(name string) *Region {
	for i := range c.Regions {
		if c.Regions[i].Name == name {
			return &c.Regions[i]
		}
	}
	return nil
}

// RegionAt returns the region that holds n bytes at addr, or nil.
func (c *CPU) RegionAt(addr, n uint64) *Region {
	for i := range c.Regions {
		if c.Regions[i].Contains(addr, n) {
			return &c.Regions[i]
		}
	}
	return nil
}

// Placed returns a copy of the CPU whose code begins offset bytes further on: what a sweep over
// placements runs on. Its numbers are shared with c.
func (c *CPU) Placed(offset uint64) (*CPU, error) {
	if offset >= c.Memory.Code.Size {
		return nil, fmt.Errorf("code placed %d bytes further on does not fit the %d bytes for code on %s", offset, c.Memory.Code.Size, c.Name)
	}
	moved := *c
	moved.Memory.Code.Base += offset
	moved.Memory.Code.Size -= offset
	return &moved, nil
}

// splitRegionKey splits "flash.wait_states", with or without "region." before it.
func (c *CPU) splitRegionKey(key string) (r *Region, info ParamInfo, ok bool) {
	name, number, _ := strings.Cut(strings.TrimPrefix(key, "region."), ".")
	if r = c.Region(name); r == nil {
		return nil, info, false
	}
	for _, info := range RegionNumbers {
		if info.Name == number {
			return r, info, true
		}
	}
	return nil, info, false
}

// checkRegions demands that regions are complete, apart from each other, and hold the memory map.
func (c *CPU) checkRegions(name string, data []byte, cite func(table, key string, rule int, source string) error) error {
	for i := range c.Regions {
		r, at := &c.Regions[i], whereRegion(name, data, i)
		if err := r.check(); err != nil {
			return fmt.Errorf("%s: region %q: %w", at, r.Name, err)
		}
		for j := range c.Regions[:i] {
			if err := r.apart(&c.Regions[j]); err != nil {
				return fmt.Errorf("%s: region %q: %w", at, r.Name, err)
			}
		}
		if err := cite("region", r.Name, r.Rule, r.Source); err != nil {
			return err
		}
		for _, info := range RegionNumbers {
			p := r.Number(info.Name)
			if *p == (Parameter{}) {
				continue
			}
			if err := cite("region", r.Name+"."+info.Name, p.Rule, p.Source); err != nil {
				return err
			}
		}
	}
	return c.checkPlacement(name, data)
}

// checkPlacement demands that the memory map lies in regions.
func (c *CPU) checkPlacement(name string, data []byte) error {
	if len(c.Regions) == 0 {
		return nil
	}
	for _, s := range c.Memory.spans() {
		if c.RegionAt(s.Base, s.Size) == nil {
			return fmt.Errorf("%s: memory %s: %d bytes at %#x lie in no [[region]]", where(name, data, "memory", s.key), s.key, s.Size, s.Base)
		}
	}
	return nil
}

// whereRegion gives file:line of the head of the region of that number, or the file alone.
func whereRegion(name string, data []byte, n int) string {
	for i, line := range strings.Split(string(data), "\n") {
		if strings.TrimSpace(line) != "[[region]]" {
			continue
		}
		if n == 0 {
			return fmt.Sprintf("%s:%d", name, i+1)
		}
		n--
	}
	return name
}

func (r *Region) check() error {
	if r.Name == "" || strings.Contains(r.Name, ".") {
		return errors.New("it needs a name without a dot")
	}
	if !isName(r.Name) {
		return errors.New("its name: " + wantName)
	}
	if _, ok := RegionKinds[r.Kind]; !ok {
		return fmt.Errorf("unknown kind %q; it is one of %s", r.Kind, strings.Join(sorted(RegionKinds), ", "))
	}
	if r.Size == 0 || r.Base+r.Size < r.Base {
		return fmt.Errorf("size %d at %#x: it must be over 0 and not wrap around", r.Size, r.Base)
	}
	for _, info := range RegionNumbers {
		p := r.Number(info.Name)
		if *p == (Parameter{}) {
			continue
		}
		if err := info.check(p.Value); err != nil {
			return fmt.Errorf("%s: %w", info.Name, err)
		}
	}
	return r.checkLines()
}

// maxAhead bounds the lines that are on their way at a time.
const maxAhead = 4

// checkLines demands that reading in lines is possible.
func (r *Region) checkLines() error {
	switch line := r.LineLen(); {
	case !isPowerOfTwo(line) || r.Base%uint64(line) != 0:
		return fmt.Errorf("line_bytes %d must be a power of two and divide the base", line)
	case r.FetchAhead.Value/line+r.Prefetch.Value > maxAhead:
		return fmt.Errorf("fetch_ahead and prefetch reach over %d lines", maxAhead)
	}
	return nil
}

func (r *Region) apart(o *Region) error {
	switch {
	case r.Name == o.Name:
		return errors.New("there are two of that name")
	case r.Base < o.Base+o.Size && o.Base < r.Base+r.Size:
		return fmt.Errorf("it overlaps %s", o.Name)
	}
	return nil
}

// setRegion is Set for a number of a region.
func (c *CPU) setRegion(key string, r *Region, info ParamInfo, n int) error {
	if err := info.check(n); err != nil {
		return fmt.Errorf("--set %s: %w", key, err)
	}
	p := r.Number(info.Name)
	old := *p
	if p.Value = n; p.Rule == 0 {
		p.Rule, p.Source = r.Rule, r.Source
	}
	if err := r.check(); err != nil {
		*p = old
		return fmt.Errorf("--set %s=%d: %w", key, n, err)
	}
	return nil
}
