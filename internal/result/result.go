// Package result is the row of a result and nothing else: one kernel on one CPU,
// as it stands in every report and in JSON.
package result

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

// Row is one cell of the main table.
type Row struct {
	Schema        int                `json:"schema"`
	Tool          string             `json:"tool"`
	Kernel        string             `json:"kernel"`
	CPU           string             `json:"cpu"`
	CPUFile       string             `json:"cpu_file"` // hash
	ISA           string             `json:"isa"`
	Verified      Verified           `json:"verified"`
	Blocks        int                `json:"blocks"` // blocks of the cipher in one call
	Bytes         int                `json:"bytes"`  // bytes of message in one call
	Cycles        float64            `json:"cycles"` // warm, per call; 0 = this CPU has no cycles
	ColdCycles    float64            `json:"cold_cycles"`
	CyclesPerByte float64            `json:"cycles_per_byte"`
	Instructions  float64            `json:"instructions"`
	IPC           float64            `json:"ipc"`
	CodeBytes     int                `json:"code_bytes"`
	StackBytes    int                `json:"stack_bytes"`
	Causes        map[string]float64 `json:"causes"` // adds up to Cycles
	Published     []Published        `json:"published"`
	Measured      *Measured          `json:"measured"`
	NotModelled   []string           `json:"not_modelled"`
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
	CyclesPerByte      float64  `json:"cycles_per_byte"`
	Low                float64  `json:"low"`
	High               float64  `json:"high"`
	Host               string   `json:"host"`
	ModelCyclesPerByte *float64 `json:"model_cycles_per_byte"`
	Note               string   `json:"note,omitempty"` // "contended, no figure"
	Calls              int      `json:"calls"`          // n of the measuring window: n and 2n calls
	Windows            int      `json:"windows"`        // accepted windows behind the figure
	Acceptance         float64  `json:"acceptance"`     // share of the windows that were accepted
	ChainMHz           float64  `json:"chain_mhz"`      // core clock while measuring
}
