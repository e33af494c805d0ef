package costmodel

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"simrun/internal/input"
	"simrun/internal/nearest"
)

//go:embed cpus/*.toml boards/*.toml
var embedded embed.FS

// maxBases bounds the chain of base files, so that a cycle ends in an error.
const maxBases = 8

// file is the TOML form of a CPU.
type file struct {
	Name        string               `toml:"name"`
	Title       string               `toml:"title"`
	Aliases     []string             `toml:"aliases"`
	Hosts       []Host               `toml:"hosts"`
	Base        string               `toml:"base"`
	ISA         string               `toml:"isa"`
	Features    []string             `toml:"features"`
	Pipeline    string               `toml:"pipeline"`
	CodeBudget  *Budget              `toml:"code_budget"`
	NotModelled []string             `toml:"not_modelled"`
	Memory      *Memory              `toml:"memory"`
	Regions     []Region             `toml:"region"`
	Sources     map[string]Source    `toml:"sources"`
	Rules       map[string]string    `toml:"rule"`
	Classes     map[string]Class     `toml:"class"`
	Params      map[string]Parameter `toml:"param"`
	Schedulers  map[string]Scheduler `toml:"scheduler"`
}

// Names returns the names of the CPU files in the program, sorted. Boards are apart.
func Names() []string { return namesIn("cpus") }

// Boards returns the names of the board files in the program, sorted. A board is a CPU file that
// inherits a CPU and adds the memories that it runs from.
func Boards() []string { return namesIn("boards") }

func namesIn(folder string) []string {
	files, _ := fs.Glob(embedded, folder+"/*.toml")
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(path.Base(f), ".toml")
	}
	return names
}

func readEmbedded(name string) ([]byte, error) {
	data, err := embedded.ReadFile("cpus/" + name + ".toml")
	if errors.Is(err, fs.ErrNotExist) {
		data, err = embedded.ReadFile("boards/" + name + ".toml")
	}
	return data, err
}

// Load reads a CPU or board by name, alias, or path of a TOML file (anything with a slash or
// ending in .toml). Errors are one line.
func Load(nameOrPath string) (*CPU, error) { return load(nameOrPath, 0) }

func load(nameOrPath string, depth int) (*CPU, error) {
	if depth > maxBases {
		return nil, fmt.Errorf("%s: more than %d base files in a row: does a base name itself?", nameOrPath, maxBases)
	}
	if strings.HasSuffix(nameOrPath, ".toml") || strings.ContainsAny(nameOrPath, `/\`) {
		data, err := input.ReadFile(nameOrPath, input.MaxText)
		if err != nil {
			return nil, err
		}
		return parse(nameOrPath, data, depth)
	}
	name, err := canonical(nameOrPath)
	if err != nil {
		return nil, err
	}
	data, err := readEmbedded(name)
	if err != nil {
		return nil, err
	}
	return parse(name+".toml", data, depth)
}

// canonical resolves an alias and refuses unknown names with the nearest known one.
func canonical(name string) (string, error) {
	names := append(Names(), Boards()...)
	if slices.Contains(names, name) {
		return name, nil
	}
	all := slices.Clone(names)
	for _, n := range names {
		data, _ := readEmbedded(n)
		var head struct {
			Aliases []string `toml:"aliases"`
		}
		if err := toml.Unmarshal(data, &head); err != nil {
			return "", positioned(n+".toml", err)
		}
		if slices.Contains(head.Aliases, name) {
			return n, nil
		}
		all = append(all, head.Aliases...)
	}
	return "", fmt.Errorf("unknown CPU %q%s; a CPU file is given by its path", name, nearest.Hint(name, all))
}

// Parse reads a CPU file. name stands in errors; a base that is a path is relative to it.
func Parse(name string, data []byte) (*CPU, error) { return parse(name, data, 0) }

func parse(name string, data []byte, depth int) (*CPU, error) {
	data = input.NoBOM(data)
	var f file
	d := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, positioned(name, err)
	}
	if err := refuseControl(name, data); err != nil {
		return nil, err
	}
	c := &CPU{
		Rules: map[int]string{}, Classes: map[string]Class{},
		Params: map[string]Parameter{}, Schedulers: map[string]Scheduler{}, Sources: map[string]Source{},
	}
	if f.Base != "" {
		ref := f.Base
		if strings.HasSuffix(ref, ".toml") && !filepath.IsAbs(ref) {
			ref = filepath.Join(filepath.Dir(name), ref)
		}
		base, err := load(ref, depth+1)
		if err != nil {
			return nil, fmt.Errorf("%s: base: %w", where(name, data, "", "base"), err)
		}
		c = base
	}
	if err := c.merge(name, data, &f); err != nil {
		return nil, err
	}
	return c, c.check(name, data)
}

// merge lays f over c. Lists and single values replace; tables merge row by row.
func (c *CPU) merge(name string, data []byte, f *file) error {
	if f.Title == "" && f.Base != "" {
		f.Title = "variant of " + c.Title
	}
	if f.Base != "" {
		c.Inherited = append([]string{c.Name}, c.Inherited...)
	}
	c.File, c.Name, c.Title, c.Aliases, c.Hosts, c.Base = name, f.Name, f.Title, f.Aliases, f.Hosts, f.Base
	override(&c.ISA, f.ISA)
	override(&c.Pipeline, f.Pipeline)
	if f.Features != nil {
		c.Features = f.Features
	}
	if f.NotModelled != nil {
		c.NotModelled = f.NotModelled
	}
	if f.Memory != nil {
		c.Memory = *f.Memory
	}
	if f.Regions != nil {
		c.Regions = f.Regions
	}
	if f.CodeBudget != nil {
		c.CodeBudget = *f.CodeBudget
	}
	maps.Copy(c.Classes, f.Classes)
	maps.Copy(c.Params, f.Params)
	maps.Copy(c.Schedulers, f.Schedulers)
	maps.Copy(c.Sources, f.Sources)
	for key, text := range f.Rules {
		n, err := ruleNumber(key)
		if err != nil {
			return fmt.Errorf("%s: rule %q: %w", where(name, data, "rule", key), key, err)
		}
		c.Rules[n] = text
	}
	return nil
}

func override(dst *string, s string) {
	if s != "" {
		*dst = s
	}
}
