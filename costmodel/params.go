package costmodel

import "fmt"

// ParamInfo describes a parameter that a pipeline takes from its CPU file.
type ParamInfo struct {
	Name     string
	Unit     string // "cycles", "yes/no", "entries", ...
	Min, Max int
	What     string
}

const yesNo = "yes/no"

// Parameters lists, for each pipeline, the parameters that its CPU files must give: no
// more and no fewer.
var Parameters = map[string][]ParamInfo{
	"functional": nil,
	"cortex-m": {
		{"word", "cycles", 0, 64, "each word of LDM, STM, PUSH, POP after the first"},
		{"pair_loads", yesNo, 0, 1, "a load directly behind an independent load hides its stall"},
		{"pair_indexed", "choice", 0, 2, "a load with write-back hides the stall of the load before: 0 never, 1 unless it uses the base just written, 2 always"},
		{"pair_unaligned", yesNo, 0, 1, "a wide load at 2 mod 4 takes part in pairing"},
		{"hide_store", yesNo, 0, 1, "a store behind a load hides the load's stall"},
		{"hide_nop", yesNo, 0, 1, "a NOP behind a load hides the load's stall"},
		{"store_load", "cycles", 0, 16, "a load directly behind a store waits"},
		{"unaligned", "cycles", 0, 16, "each further transfer of a load across its alignment: a half word or word in two, a word at an odd address in three"},
		{"address", "cycles", 0, 16, "an address made by the data-processing instruction before"},
		{"literal", "cycles", 0, 16, "a literal load, beyond a load"},
		{"refill", "cycles", 0, 16, "taken branch to an address in the instruction"},
		{"refill_reg", "cycles", 0, 16, "branch to an address in a register"},
		{"refill_loaded", "cycles", 0, 16, "the same, more, if the instruction before loaded the register"},
		{"refill_load", "cycles", 0, 16, "load of the PC, beyond the load"},
		{"refill_table", "cycles", 0, 16, "table branch"},
		{"wide_target", "cycles", 0, 16, "branch to a wide instruction at 2 mod 4"},
		{"wide_run", "cycles", 0, 16, "a run of wide instructions at 2 mod 4 behind an instruction of several cycles, once"},
		{"wide_run_length", "instructions", 2, 64, "length of run behind that instruction from which this counts"},
		{"wide_run_stores", "instructions", 2, 64, "the same for a run of stores"},
		{"it_fold", yesNo, 0, 1, "IT directly behind a 16-bit instruction takes no issue slot"},
		{"exception_entry", "cycles", 0, 64, "from the last instruction to the first of the handler"},
		{"exception_exit", "cycles", 0, 64, "from an exception return to the next instruction, beyond the return's own"},
		{"tail_chain", "cycles", 0, 64, "from an exception return to the first instruction of the next handler, instead of both"},
	},
	"rocket": {
		{"jalr_link", "cycles", 1, 16, "latency of the link register of an indirect call"},
		{"waw", yesNo, 0, 1, "a write waits for a pending result in the same register"},
		{"mispredict", "cycles", 0, 64, "wrong prediction"},
		{"redirect", "cycles", 0, 16, "a jump or return found while fetching, without a BTB entry; 0 = not found there: mispredicted"},
		{"redirect_learns", yesNo, 0, 1, "such a jump or return enters the BTB if its bubble shows"},
		{"btb_entries", "entries", 1, 1024, "branch target buffer, fully associative"},
		{"btb_plru", yesNo, 0, 1, "replacement is pseudo-LRU, else round robin"},
		{"bht_entries", "entries", 2, 65536, "branch history table"},
		{"bht_bits", "bits", 1, 2, "counter width"},
		{"bht_history", "bits", 0, 16, "global history"},
		{"bht_fold", "bits", 0, 16, "the history is hashed to this many bits at the top of the index; 0 = XORed in whole"},
		{"bht_all", yesNo, 0, 1, "every branch trains, else only those with a BTB entry"},
		{"ras_entries", "entries", 0, 64, "return address stack"},
		{"queue", "words", 1, 64, "fetch queue"},
		{"straddle", "words", 0, 1, "a 4-byte instruction at 2 mod 4 needs this many words more"},
		{"icache_bytes", "bytes", 64, 1 << 24, "instruction cache"},
		{"icache_ways", "ways", 1, 2, "its associativity; random replacement"},
		{"icache_line", "bytes", 4, 4096, "its line"},
		{"icache_miss", "cycles", 0, 65535, "a miss, per line"},
		{"trap", "cycles", 0, 64, "a trap, and MRET beyond its slot: fetching starts anew"},
		{"store_load", "cycles", 0, 64, "a load of the word still in the store buffer is done again"},
	},
}

// relation is what must hold between the parameters of a pipeline.
type relation struct {
	what  string
	holds func(value func(name string) int) bool
}

var relations = map[string][]relation{
	"rocket": {
		{"bht_entries, icache_bytes and icache_line are powers of two", func(v func(string) int) bool {
			return isPowerOfTwo(v("bht_entries")) && isPowerOfTwo(v("icache_bytes")) && isPowerOfTwo(v("icache_line"))
		}},
		{"the cache holds a line in each way", func(v func(string) int) bool {
			return v("icache_bytes") >= v("icache_line")*v("icache_ways")
		}},
		{"bht_fold is at most bht_history and at most the bits of the index", func(v func(string) int) bool {
			return v("bht_fold") <= v("bht_history") && 1<<v("bht_fold") <= v("bht_entries")
		}},
	},
}

func isPowerOfTwo(n int) bool { return n > 0 && n&(n-1) == 0 }

// checkRelations names the first relation that does not hold.
func (c *CPU) checkRelations() error {
	for _, r := range relations[c.Pipeline] {
		if !r.holds(c.Param) {
			return fmt.Errorf("pipeline %s demands that %s", c.Pipeline, r.what)
		}
	}
	return nil
}
