package costmodel

import (
	"errors"
	"fmt"
	"strings"
)

// Processor is a computer's processor as it names itself by CPUID.
type Processor struct {
	Vendor        string // "GenuineIntel"
	Family, Model int
}

// Host is a group of processors that a CPU is the model of.
type Host struct {
	Vendor string  `toml:"vendor"`
	Family int     `toml:"family"`
	Models [][]int `toml:"models"` // ranges, first and last
	Source string  `toml:"source"` // key of Sources, then where in it
}

// Models reports whether the CPU is the model of that processor.
func (c *CPU) Models(p Processor) bool {
	for _, h := range c.Hosts {
		if h.Vendor == p.Vendor && h.Family == p.Family && h.has(p.Model) {
			return true
		}
	}
	return false
}

func (h Host) has(model int) bool {
	for _, r := range h.Models {
		if r[0] <= model && model <= r[1] {
			return true
		}
	}
	return false
}

// ModelOf names the CPU of the program that is the model of a processor, "" if there is none.
func ModelOf(p Processor) (string, error) {
	for _, name := range Names() {
		c, err := Load(name)
		if err != nil {
			return "", err
		}
		if c.Models(p) {
			return name, nil
		}
	}
	return "", nil
}

// String is the group as simrun cpu prints it: "AuthenticAMD family 25 models 0 to 15, 32 to 95".
func (h Host) String() string {
	var models []string
	for _, r := range h.Models {
		text := fmt.Sprint(r[0])
		if r[1] != r[0] {
			text += fmt.Sprintf(" to %d", r[1])
		}
		models = append(models, text)
	}
	return fmt.Sprintf("%s family %d models %s", h.Vendor, h.Family, strings.Join(models, ", "))
}

// cpuidISA is the instruction set whose processors have a vendor, a family and a model.
const cpuidISA = "x86"

func (c *CPU) checkHosts(name string, data []byte) error {
	for _, h := range c.Hosts {
		err := h.check()
		switch {
		case c.ISA != cpuidISA:
			err = fmt.Errorf("only processors of %s are known by vendor, family and model; this CPU is of %s", cpuidISA, c.ISA)
		case !c.Timed():
			err = errors.New("a CPU without cycles is the model of no processor")
		case err == nil:
			err = c.checkSource(h.Source)
		}
		if err != nil {
			return fmt.Errorf("%s: hosts: %w", where(name, data, "", "hosts"), err)
		}
	}
	return nil
}

// What CPUID can say: three registers of letters, a sum of 4 and 8 bits, and 8 bits.
const (
	vendorLetters = 12
	maxFamily     = 0xf + 0xff
	maxModel      = 0xff
)

func (h Host) check() error {
	if h.Vendor == "" || h.Family == 0 || len(h.Models) == 0 {
		return errors.New("a vendor, a family and models = [[first, last], ..] are needed")
	}
	if len(h.Vendor) > vendorLetters || strings.ContainsFunc(h.Vendor, func(r rune) bool { return r < ' ' || r > '~' }) {
		return fmt.Errorf("vendor %q: CPUID gives up to %d printable letters, as in GenuineIntel", h.Vendor, vendorLetters)
	}
	if h.Family < 1 || h.Family > maxFamily {
		return fmt.Errorf("family %d is outside 1 to %d", h.Family, maxFamily)
	}
	for _, r := range h.Models {
		if len(r) != 2 || r[0] < 0 || r[0] > r[1] || r[1] > maxModel {
			return fmt.Errorf("models %v: want [first, last] with 0 <= first <= last <= %d", r, maxModel)
		}
	}
	return nil
}
