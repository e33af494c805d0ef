package costmodel

import (
	"fmt"
	"slices"
	"strings"
)

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
	OutOfOrder:   outOfOrder,
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

// outOfOrder are the parameters of pipeline ooo.
var outOfOrder = []ParamInfo{
	{"fetch_bytes", "bytes", 8, 64, "an aligned block of code, predecoded in one cycle"},
	{"predecode", "instructions", 1, 16, "predecoded in a cycle"},
	{"length_change", "cycles", 0, 64, "a prefix that changes the length of an immediate stalls predecoding"},
	{"fetch_queue", "bytes", 16, 512, "between predecode and decode"},
	{"decoders", "instructions", 1, 8, "decoded in a cycle"},
	{"decoder_uops", "uops", 1, 8, "fused uops of the first decoder; the others make one; an instruction of more comes from microcode, alone, this many in a cycle"},
	{"micro_fusion", yesNo, 0, 1, "a load with the uop that uses it, and a store's address with its data, are one uop until they execute"},
	{"uop_queue", "uops", 1, 256, "between decode and rename"},
	{"loop_instructions", "instructions", 0, 256, "of a loop that is replayed without predecode; 0 = there is no such buffer"},
	{"loop_blocks", "blocks", 1, 64, "of fetch_bytes that it may touch, two of them in a cycle"},
	{"op_cache", "uops", 0, 1 << 20, "cache of decoded uops, lines of 8 per 64 bytes of code, 8 ways; code in it skips fetch and decode; 0 = none"},
	{"rename", "uops", 1, 8, "fused uops renamed and allocated in a cycle"},
	{"read_ports", "registers", 0, 16, "different registers without a younger value in the reorder buffer that a cycle of rename can read; 0 = no limit"},
	{"read_ports_index", "registers", 0, 16, "more of them, as index of an address only"},
	{"stack_sync", yesNo, 0, 1, "a stack engine counts RSP; its first use behind PUSH, POP, CALL or RET takes a uop"},
	{"partial_merge", "cycles", 0, 64, "rename stops to merge a register of which 8 or 16 bits were written, when more of it is read; 0 = narrow writes read the old register"},
	{"partial_flags", "cycles", 0, 64, "rename stops when flags are read that an instruction writing some flags left alone"},
	{"rotate_flags", yesNo, 0, 1, "an instruction that writes only carry and overflow reads the other flags"},
	{"move_elimination", yesNo, 0, 1, "moves between registers take a rename slot only"},
	{"rob", "entries", 4, 512, "reorder buffer, fused uops"},
	{"load_buffer", "entries", 1, 128, "loads from rename to retirement"},
	{"store_buffer", "entries", 1, 64, "stores from rename to the cache"},
	{"bind", "choice", 0, 1, "0: a uop takes a port when it is allocated, by the uops that wait for each and by its place in the cycle; 1: it takes a scheduler in turn then, and a port when it issues"},
	{"issue_delay", "cycles", 1, 64, "from allocation to the first possible issue"},
	{"release_delay", "cycles", 1, 64, "from issue to a free scheduler entry"},
	{"write_back", yesNo, 0, 1, "a port delivers one result in a cycle"},
	{"retire", "uops", 1, 16, "fused uops retired in a cycle"},
	{"mispredict", "cycles", 1, 64, "from the issue of a mispredicted branch to that of the next instruction"},
	{"loop_period", "iterations", 0, 1024, "up to which a loop counter predicts the exit"},
	{"history_bits", "bits", 0, 16, "of global history that the index of branch counters is XORed with"},
	{"branch_entries", "entries", 16, 65536, "branch counters, loop counters and indirect targets each"},
	{"return_stack", "entries", 0, 64, "return addresses"},
	{"forward", "cycles", 1, 64, "from the issue of a store's data to a load's use of it"},
	{"forward_fail", "cycles", 0, 64, "more, if the load is not inside the store"},
	{"forward_within", "bytes", 0, 64, "a misaligned load, or where this is a whole line a misaligned store, is passed on only if it does not cross a multiple of this; 0 = whatever is inside the store is"},
	{"alias", "bytes", 0, 1 << 20, "addresses of loads and stores are compared modulo this; 0 = whole"},
	{"pass_after", "loads", 0, 255, "a load that had bytes of a store in the buffer waits for the addresses of older stores until it had none so often in a row; 0 = never, as if its guess were right"},
	{"pass_entries", "entries", 1, 256, "loads of which that is counted, by the low bits of their addresses"},
	{"line_cross_load", "cycles", 0, 64, "a load across cache lines"},
	{"line_cross_store", "cycles", 0, 64, "a store across cache lines holds the cache"},
	{"line", "bytes", 16, 256, "of the caches"},
	{"l1d_bytes", "bytes", 1024, 1 << 24, "data cache"},
	{"l1d_ways", "ways", 1, 16, "its associativity, least recently used replaced"},
	{"l1i_bytes", "bytes", 1024, 1 << 24, "instruction cache"},
	{"l1i_ways", "ways", 1, 16, "its associativity, least recently used replaced"},
	{"l2", "cycles", 1, 1000, "a load or fetch that misses the first cache"},
}

// paramInfo describes a parameter that the CPU files of a pipeline have.
func paramInfo(pipeline, name string) ParamInfo {
	list := Parameters[pipeline]
	return list[slices.IndexFunc(list, func(p ParamInfo) bool { return p.Name == name })]
}

// relation is what must hold between the parameters of a pipeline.
type relation struct {
	what  string
	holds func(value func(name string) int) bool
}

var relations = map[string][]relation{
	OutOfOrder: {
		powersOfTwo("fetch_bytes", "line", "l1d_bytes", "l1i_bytes", "branch_entries", "pass_entries"),
		{"alias is 0 or a power of two from 4096", func(v func(string) int) bool {
			return v("alias") == 0 || v("alias") >= 4096 && isPowerOfTwo(v("alias"))
		}},
		{"forward_within is 0 or a power of two", func(v func(string) int) bool {
			return v("forward_within") == 0 || isPowerOfTwo(v("forward_within"))
		}},
		{"each cache has a power of two of sets", func(v func(string) int) bool {
			sets := func(bytes, ways string) bool {
				n := v("line") * v(ways)
				return v(bytes)%n == 0 && isPowerOfTwo(v(bytes)/n)
			}
			return sets("l1d_bytes", "l1d_ways") && sets("l1i_bytes", "l1i_ways")
		}},
		{"fetch_queue holds two blocks of fetch_bytes", func(v func(string) int) bool { return v("fetch_queue") >= 2*v("fetch_bytes") }},
		{"uop_queue holds what a cycle decodes", func(v func(string) int) bool {
			return v("uop_queue") >= v("decoders")+v("decoder_uops")-1
		}},
		{"op_cache is 0 or a power of two from 64", func(v func(string) int) bool {
			return v("op_cache") == 0 || v("op_cache") >= 64 && isPowerOfTwo(v("op_cache"))
		}},
	},
	"rocket": {
		powersOfTwo("bht_entries", "icache_bytes", "icache_line"),
		{"the cache holds a line in each way", func(v func(string) int) bool {
			return v("icache_bytes") >= v("icache_line")*v("icache_ways")
		}},
		{"bht_fold is at most bht_history and at most the bits of the index", func(v func(string) int) bool {
			return v("bht_fold") <= v("bht_history") && 1<<v("bht_fold") <= v("bht_entries")
		}},
	},
}

// powersOfTwo demands that of each of several parameters.
func powersOfTwo(names ...string) relation {
	last := len(names) - 1
	return relation{strings.Join(names[:last], ", ") + " and " + names[last] + " are powers of two", func(v func(string) int) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !isPowerOfTwo(v(name)) })
	}}
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
