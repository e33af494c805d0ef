// Package result is the row of a result and nothing else: one kernel on one CPU,
// as it stands in every report and in JSON.
package result

import "encoding/json"

// Tool names the program and its version in every result.
const Tool = "simrun 0.1"

// Schema is the version of the JSON form.
const Schema = 1

// Verified says how a result was checked.
type Verified string

const (
	Vectors     Verified = "vectors"
	Interpreter Verified = "interpreter"
	Expected    Verified = "expected"
	NotChecked  Verified = "not checked" // possible for a user's own programs only
)

// Figure is a number that a row may lack. 0 means that it is not known, and is null in JSON.
type Figure float64

// MarshalJSON writes a number or null.
func (f Figure) MarshalJSON() ([]byte, error) { return known(float64(f)) }

// Count is a whole Figure.
type Count int

// MarshalJSON writes a number or null.
func (c Count) MarshalJSON() ([]byte, error) { return known(int(c)) }

func known[T comparable](v T) ([]byte, error) {
	var zero T
	if v == zero {
		return []byte("null"), nil
	}
	return json.Marshal(v)
}

// Name is a text that a row may lack. "" is null in JSON.
type Name string

// MarshalJSON writes a text or null.
func (n Name) MarshalJSON() ([]byte, error) { return known(string(n)) }

// Form says whether compiled code has loops; "" = not known.
type Form string

const (
	Unrolled Form = "unrolled"
	Looped   Form = "looped"
)

// Row is one cell of the main table.
type Row struct {
	Schema        int                `json:"schema"`
	Tool          string             `json:"tool"`
	Kernel        string             `json:"kernel"`
	CPU           string             `json:"cpu"`
	CPUFile       string             `json:"cpu_file"` // hash
	ISA           string             `json:"isa"`
	Verified      Verified           `json:"verified"`
	Blocks        Count              `json:"blocks"` // blocks of the cipher in one call
	Bytes         Count              `json:"bytes"`  // bytes of message in one call
	Cycles        Figure             `json:"cycles"` // warm, per call; not known for a CPU without cycles
	ColdCycles    Figure             `json:"cold_cycles"`
	CyclesPerByte Figure             `json:"cycles_per_byte"`
	Instructions  Figure             `json:"instructions"`
	IPC           Figure             `json:"ipc"`
	CodeBytes     Count              `json:"code_bytes"`
	Form          Form               `json:"form"`
	StackBytes    int                `json:"stack_bytes"`
	Small         *Small             `json:"small"`  // the small end; null where it was not looked for
	Causes        map[string]float64 `json:"causes"` // adds up to Cycles
	Published     []Published        `json:"published"`
	Measured      *Measured          `json:"measured"`
	NotModelled   []string           `json:"not_modelled"`
}

// Small is the shortest code of a kernel that takes at most twice the cycles of its row, proven right in the same way.
type Small struct {
	CodeBytes     Count  `json:"code_bytes"`
	StackBytes    int    `json:"stack_bytes"`
	Form          Form   `json:"form"`
	Cycles        Figure `json:"cycles"`
	CyclesPerByte Figure `json:"cycles_per_byte"`
}

// Published is a figure from the literature beside a row.
type Published struct {
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"` // "c/B", "cycles/block", "cycles"
	Source string  `json:"source"`
	Record bool    `json:"record"` // the figure to beat
}

// Measured is what this computer took.
type Measured struct {
	CyclesPerByte      Figure   `json:"cycles_per_byte"`
	Low                Figure   `json:"low"`
	High               Figure   `json:"high"`
	Host               string   `json:"host"`
	Model              Name     `json:"model"`                 // the CPU file that is the model of Host
	ModelCyclesPerByte Figure   `json:"model_cycles_per_byte"` // what it predicts of the code measured
	ErrorPercent       *float64 `json:"error_percent"`         // of that prediction
	Note               string   `json:"note,omitempty"`        // "contended, no figure"
	Calls              int      `json:"calls"`                 // n of the measuring window: n and 2n calls
	Windows            int      `json:"windows"`               // accepted windows behind the figure
	Acceptance         float64  `json:"acceptance"`            // share of the windows that were accepted
	ChainMHz           float64  `json:"chain_mhz"`             // core clock while measuring
}

// Judge puts the prediction of the host's model beside the figure; more cycles than measured are an error above 0.
func (m *Measured) Judge(predicted Figure) {
	m.ModelCyclesPerByte, m.ErrorPercent = predicted, nil
	if predicted > 0 && m.CyclesPerByte > 0 {
		e := 100 * (float64(predicted)/float64(m.CyclesPerByte) - 1)
		m.ErrorPercent = &e
	}
}
