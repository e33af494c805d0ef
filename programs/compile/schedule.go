package compile

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"simrun/internal/input"
)

// Schedule is a stored order of a kernel on a CPU with what is claimed of it. It is never trusted: the code made from it is
// run against the vectors and its cycles are counted anew.
type Schedule struct {
	Kernel  string  `toml:"kernel"`
	CPU     string  `toml:"cpu"`
	CPUFile string  `toml:"cpu_file"` // hash
	Code    string  `toml:"code"`     // hash of the selected code
	Seed    uint64  `toml:"seed"`
	Evals   int     `toml:"evals"`
	By      string  `toml:"by,omitempty"` // the version of the search that found it, if another one than today's
	Cycles  float64 `toml:"cycles"`       // claimed: warm, a call
	Roll    int     `toml:"roll"`         // levels of loops kept
	// Places holds the order as differences: place i has instruction i + Places[i]. Empty: the order of the text.
	Places []int32 `toml:"places"`
	// Gates holds other definitions than the text's, four numbers each, as Choice has them: the index of the instruction in
	// the text, the truth table of the gate, and the registers of its operands, as simrun dump --stage select numbers them.
	Gates []int `toml:"gates,omitempty"`
	// Settled holds the order of the allocated code, with the hash Allocated, as Places does that of the selected code: only
	// for CPUs where instructions move behind the allocator.
	Allocated string  `toml:"allocated,omitempty"`
	Settled   []int32 `toml:"settled,omitempty"`
}

// ScheduleFile is the name of the file of a kernel's schedule for a CPU.
func ScheduleFile(kernel, cpu string) string { return Symbol(kernel) + "." + cpu + ".sched" }

// ParseSchedule reads a schedule file, strictly.
func ParseSchedule(data []byte) (*Schedule, error) {
	var s Schedule
	d := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		line, _, message := input.TOMLError(err)
		if line > 0 {
			message = fmt.Sprintf("line %d: %s", line, message)
		}
		return nil, fmt.Errorf("not a schedule: %s", message)
	}
	if len(s.Gates)%4 != 0 {
		return nil, fmt.Errorf("not a schedule: gates has %d numbers, four for each are needed", len(s.Gates))
	}
	if s.Kernel == "" || s.CPU == "" || s.Code == "" || s.Roll < 0 {
		return nil, fmt.Errorf("not a schedule: kernel, cpu and code are needed")
	}
	return &s, nil
}

// SetOrder stores an order.
func (s *Schedule) SetOrder(o Order) {
	s.Roll, s.Code, s.Places, s.Gates = o.Roll, o.Code, nil, nil
	for _, c := range o.Gates {
		s.Gates = append(s.Gates, c.At, c.Truth, c.A, c.B)
	}
	s.Places = differences(o.Places)
	s.Allocated, s.Settled = "", nil
	if o.Settled != nil {
		if s.Settled = differences(o.Settled.Places); s.Settled != nil {
			s.Allocated = o.Settled.Code
		}
	}
}

// differences takes each place from its number; nil if all are where they were.
func differences(places []int32) []int32 {
	list := make([]int32, len(places))
	moved := false
	for i, p := range places {
		list[i] = p - int32(i)
		moved = moved || list[i] != 0
	}
	if !moved {
		return nil
	}
	return list
}

func fromDifferences(list []int32) []int32 {
	var places []int32
	for i, d := range list {
		places = append(places, int32(i)+d)
	}
	return places
}

// Order returns the order for Options.Order; its length is checked against the code by Compile.
func (s *Schedule) Order() *Order {
	o := &Order{Roll: s.Roll, Code: s.Code, Places: fromDifferences(s.Places)}
	if len(s.Settled) > 0 {
		o.Settled = &Settled{s.Allocated, fromDifferences(s.Settled)}
	}
	for g := range slices.Chunk(s.Gates, 4) {
		o.Gates = append(o.Gates, Choice{g[0], g[1], g[2], g[3]})
	}
	return o
}

// perLine is how many numbers of an order stand on a line.
const perLine = 25

// Bytes is the file: the claims, then the order and the definitions.
func (s *Schedule) Bytes() []byte {
	var b strings.Builder
	by := ""
	if s.By != "" {
		by = ", by " + s.By
	}
	fmt.Fprintf(&b, "# Made by: simrun tune %s --cpu %s --seed %d --evals %d%s\n", s.Kernel, s.CPU, s.Seed, s.Evals, by)
	fmt.Fprintf(&b, "kernel = %q\ncpu = %q\ncpu_file = %q\ncode = %q\n", s.Kernel, s.CPU, s.CPUFile, s.Code)
	if s.By != "" {
		fmt.Fprintf(&b, "by = %q\n", s.By)
	}
	fmt.Fprintf(&b, "seed = %d\nevals = %d\ncycles = %.3f\nroll = %d\n", s.Seed, s.Evals, s.Cycles, s.Roll)
	writeNumbers(&b, "places", s.Places, perLine)
	if len(s.Gates) > 0 {
		writeNumbers(&b, "gates", s.Gates, 4*perLine/5)
	}
	if len(s.Settled) > 0 {
		fmt.Fprintf(&b, "allocated = %q\n", s.Allocated)
		writeNumbers(&b, "settled", s.Settled, perLine)
	}
	return []byte(b.String())
}

func writeNumbers[N int | int32](b *strings.Builder, name string, list []N, perLine int) {
	fmt.Fprintf(b, "%s = [", name)
	for i, n := range list {
		if i%perLine == 0 {
			b.WriteString("\n ")
		}
		fmt.Fprintf(b, " %d,", n)
	}
	b.WriteString("\n]\n")
}
