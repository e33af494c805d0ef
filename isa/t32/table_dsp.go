package t32

import (
	"strings"

	"simrun/isa"
)

// The DSP extension of ARMv7E-M (A7.7, the rows marked ARMv7E-M).

// dspRows are packing, extension with addition, saturation and selection.
var dspRows = []row{
	{id: "PKHBT_T1", asm: "pkhbt Rd, Rn, Rm{lsl}", bits: "111010101100nnnn 0iiiddddii00mmmm", class: "alu.dsp", sem: fn(pkhbt)},
	{id: "PKHTB_T1", asm: "pkhtb Rd, Rn, Rm, asr #amount32", bits: "111010101100nnnn 0iiiddddii10mmmm", class: "alu.dsp", sem: fn(pkhtb)},
	{id: "QADD_T1", asm: "qadd Rd, Rm, Rn", bits: "111110101000nnnn 1111dddd1000mmmm", class: "sat.dsp", sem: fn(qadd(1, false))},
	{id: "QDADD_T1", asm: "qdadd Rd, Rm, Rn", bits: "111110101000nnnn 1111dddd1001mmmm", class: "sat.dsp", sem: fn(qadd(1, true))},
	{id: "QDSUB_T1", asm: "qdsub Rd, Rm, Rn", bits: "111110101000nnnn 1111dddd1011mmmm", class: "sat.dsp", sem: fn(qadd(-1, true))},
	{id: "QSUB_T1", asm: "qsub Rd, Rm, Rn", bits: "111110101000nnnn 1111dddd1010mmmm", class: "sat.dsp", sem: fn(qadd(-1, false))},
	{id: "SEL_T1", asm: "sel Rd, Rn, Rm", bits: "111110101010nnnn 1111dddd1000mmmm", class: "alu.dsp", sem: fn(selectBytes).reading(Flags)},
	{id: "SSAT16_T1", asm: "ssat16 Rd, #sat1, Rn", bits: "111100110010nnnn 0000dddd0000wwww", class: "sat.dsp", sem: fn(ssat16)},
	{id: "SXTAB_T1", asm: "sxtab Rd, Rn, Rm{rotate}", bits: "111110100100nnnn 1111dddd10rrmmmm", class: "alu.dsp", sem: fn(extendAdd(sxtbLane, 32))},
	{id: "SXTAB16_T1", asm: "sxtab16 Rd, Rn, Rm{rotate}", bits: "111110100010nnnn 1111dddd10rrmmmm", class: "alu.dsp", sem: fn(extendAdd(sxtbLane, 16))},
	{id: "SXTAH_T1", asm: "sxtah Rd, Rn, Rm{rotate}", bits: "111110100000nnnn 1111dddd10rrmmmm", class: "alu.dsp", sem: fn(extendAdd(sxthLane, 32))},
	{id: "SXTB16_T1", asm: "sxtb16 Rd, Rm{rotate}", bits: "1111101000101111 1111dddd10rrmmmm", class: "alu.dsp", sem: fn(extendAdd(sxtbLane, 16))},
	{id: "USAT16_T1", asm: "usat16 Rd, #sat, Rn", bits: "111100111010nnnn 0000dddd0000wwww", class: "sat.dsp", sem: fn(usat16)},
	{id: "UXTAB_T1", asm: "uxtab Rd, Rn, Rm{rotate}", bits: "111110100101nnnn 1111dddd10rrmmmm", class: "alu.dsp", sem: fn(extendAdd(uxtbLane, 32))},
	{id: "UXTAB16_T1", asm: "uxtab16 Rd, Rn, Rm{rotate}", bits: "111110100011nnnn 1111dddd10rrmmmm", class: "alu.dsp", sem: fn(extendAdd(uxtbLane, 16))},
	{id: "UXTAH_T1", asm: "uxtah Rd, Rn, Rm{rotate}", bits: "111110100001nnnn 1111dddd10rrmmmm", class: "alu.dsp", sem: fn(extendAdd(uxthLane, 32))},
	{id: "UXTB16_T1", asm: "uxtb16 Rd, Rm{rotate}", bits: "1111101000111111 1111dddd10rrmmmm", class: "alu.dsp", sem: fn(extendAdd(uxtbLane, 16))},
}

// dspMulRows are multiplications of halfwords, dual ones and those that keep the upper word.
var dspMulRows = []row{
	{id: "SMLABB_T1", asm: "smlabb Rd, Rn, Rm, Ra", bits: "111110110001nnnn aaaadddd0000mmmm", class: "mla.dsp", sem: fn(smlaXY(0, 0))},
	{id: "SMLABT_T1", asm: "smlabt Rd, Rn, Rm, Ra", bits: "111110110001nnnn aaaadddd0001mmmm", class: "mla.dsp", sem: fn(smlaXY(0, 16))},
	{id: "SMLATB_T1", asm: "smlatb Rd, Rn, Rm, Ra", bits: "111110110001nnnn aaaadddd0010mmmm", class: "mla.dsp", sem: fn(smlaXY(16, 0))},
	{id: "SMLATT_T1", asm: "smlatt Rd, Rn, Rm, Ra", bits: "111110110001nnnn aaaadddd0011mmmm", class: "mla.dsp", sem: fn(smlaXY(16, 16))},
	{id: "SMLAD_T1", asm: "smlad Rd, Rn, Rm, Ra", bits: "111110110010nnnn aaaadddd0000mmmm", class: "mla.dsp", sem: fn(dual(1, 0))},
	{id: "SMLADX_T1", asm: "smladx Rd, Rn, Rm, Ra", bits: "111110110010nnnn aaaadddd0001mmmm", class: "mla.dsp", sem: fn(dual(1, 16))},
	{id: "SMLALBB_T1", asm: "smlalbb RdLo^, RdHi^, Rn, Rm", bits: "111110111100nnnn llllhhhh1000mmmm", class: "mla.long.dsp", sem: fn(smlalXY(0, 0)), differ: "lh"},
	{id: "SMLALBT_T1", asm: "smlalbt RdLo^, RdHi^, Rn, Rm", bits: "111110111100nnnn llllhhhh1001mmmm", class: "mla.long.dsp", sem: fn(smlalXY(0, 16)), differ: "lh"},
	{id: "SMLALTB_T1", asm: "smlaltb RdLo^, RdHi^, Rn, Rm", bits: "111110111100nnnn llllhhhh1010mmmm", class: "mla.long.dsp", sem: fn(smlalXY(16, 0)), differ: "lh"},
	{id: "SMLALTT_T1", asm: "smlaltt RdLo^, RdHi^, Rn, Rm", bits: "111110111100nnnn llllhhhh1011mmmm", class: "mla.long.dsp", sem: fn(smlalXY(16, 16)), differ: "lh"},
	{id: "SMLALD_T1", asm: "smlald RdLo^, RdHi^, Rn, Rm", bits: "111110111100nnnn llllhhhh1100mmmm", class: "mla.long.dsp", sem: fn(dualLong(1, 0)), differ: "lh"},
	{id: "SMLALDX_T1", asm: "smlaldx RdLo^, RdHi^, Rn, Rm", bits: "111110111100nnnn llllhhhh1101mmmm", class: "mla.long.dsp", sem: fn(dualLong(1, 16)), differ: "lh"},
	{id: "SMLAWB_T1", asm: "smlawb Rd, Rn, Rm, Ra", bits: "111110110011nnnn aaaadddd0000mmmm", class: "mla.dsp", sem: fn(smlaW(0))},
	{id: "SMLAWT_T1", asm: "smlawt Rd, Rn, Rm, Ra", bits: "111110110011nnnn aaaadddd0001mmmm", class: "mla.dsp", sem: fn(smlaW(16))},
	{id: "SMLSD_T1", asm: "smlsd Rd, Rn, Rm, Ra", bits: "111110110100nnnn aaaadddd0000mmmm", class: "mla.dsp", sem: fn(dual(-1, 0))},
	{id: "SMLSDX_T1", asm: "smlsdx Rd, Rn, Rm, Ra", bits: "111110110100nnnn aaaadddd0001mmmm", class: "mla.dsp", sem: fn(dual(-1, 16))},
	{id: "SMLSLD_T1", asm: "smlsld RdLo^, RdHi^, Rn, Rm", bits: "111110111101nnnn llllhhhh1100mmmm", class: "mla.long.dsp", sem: fn(dualLong(-1, 0)), differ: "lh"},
	{id: "SMLSLDX_T1", asm: "smlsldx RdLo^, RdHi^, Rn, Rm", bits: "111110111101nnnn llllhhhh1101mmmm", class: "mla.long.dsp", sem: fn(dualLong(-1, 16)), differ: "lh"},
	{id: "SMMLA_T1", asm: "smmla Rd, Rn, Rm, Ra", bits: "111110110101nnnn aaaadddd0000mmmm", class: "mla.dsp", sem: fn(upperWord(1, 0))},
	{id: "SMMLAR_T1", asm: "smmlar Rd, Rn, Rm, Ra", bits: "111110110101nnnn aaaadddd0001mmmm", class: "mla.dsp", sem: fn(upperWord(1, half))},
	{id: "SMMLS_T1", asm: "smmls Rd, Rn, Rm, Ra", bits: "111110110110nnnn aaaadddd0000mmmm", class: "mla.dsp", sem: fn(upperWord(-1, 0))},
	{id: "SMMLSR_T1", asm: "smmlsr Rd, Rn, Rm, Ra", bits: "111110110110nnnn aaaadddd0001mmmm", class: "mla.dsp", sem: fn(upperWord(-1, half))},
	{id: "SMMUL_T1", asm: "smmul Rd, Rn, Rm", bits: "111110110101nnnn 1111dddd0000mmmm", class: "mul.dsp", sem: fn(upperWord(1, 0)), flags: isa.Commute},
	{id: "SMMULR_T1", asm: "smmulr Rd, Rn, Rm", bits: "111110110101nnnn 1111dddd0001mmmm", class: "mul.dsp", sem: fn(upperWord(1, half)), flags: isa.Commute},
	{id: "SMUAD_T1", asm: "smuad Rd, Rn, Rm", bits: "111110110010nnnn 1111dddd0000mmmm", class: "mul.dsp", sem: fn(dual(1, 0)), flags: isa.Commute},
	{id: "SMUADX_T1", asm: "smuadx Rd, Rn, Rm", bits: "111110110010nnnn 1111dddd0001mmmm", class: "mul.dsp", sem: fn(dual(1, 16)), flags: isa.Commute},
	{id: "SMULBB_T1", asm: "smulbb Rd, Rn, Rm", bits: "111110110001nnnn 1111dddd0000mmmm", class: "mul.dsp", sem: fn(smlaXY(0, 0)), flags: isa.Commute},
	{id: "SMULBT_T1", asm: "smulbt Rd, Rn, Rm", bits: "111110110001nnnn 1111dddd0001mmmm", class: "mul.dsp", sem: fn(smlaXY(0, 16))},
	{id: "SMULTB_T1", asm: "smultb Rd, Rn, Rm", bits: "111110110001nnnn 1111dddd0010mmmm", class: "mul.dsp", sem: fn(smlaXY(16, 0))},
	{id: "SMULTT_T1", asm: "smultt Rd, Rn, Rm", bits: "111110110001nnnn 1111dddd0011mmmm", class: "mul.dsp", sem: fn(smlaXY(16, 16)), flags: isa.Commute},
	{id: "SMULWB_T1", asm: "smulwb Rd, Rn, Rm", bits: "111110110011nnnn 1111dddd0000mmmm", class: "mul.dsp", sem: fn(smlaW(0))},
	{id: "SMULWT_T1", asm: "smulwt Rd, Rn, Rm", bits: "111110110011nnnn 1111dddd0001mmmm", class: "mul.dsp", sem: fn(smlaW(16))},
	{id: "SMUSD_T1", asm: "smusd Rd, Rn, Rm", bits: "111110110100nnnn 1111dddd0000mmmm", class: "mul.dsp", sem: fn(dual(-1, 0))},
	{id: "SMUSDX_T1", asm: "smusdx Rd, Rn, Rm", bits: "111110110100nnnn 1111dddd0001mmmm", class: "mul.dsp", sem: fn(dual(-1, 16))},
	{id: "UMAAL_T1", asm: "umaal RdLo^, RdHi^, Rn, Rm", bits: "111110111110nnnn llllhhhh0110mmmm", class: "mla.long.dsp", sem: fn(umaal), differ: "lh"},
	{id: "USAD8_T1", asm: "usad8 Rd, Rn, Rm", bits: "111110110111nnnn 1111dddd0000mmmm", class: "mul.dsp", sem: fn(usada8), flags: isa.Commute},
	{id: "USADA8_T1", asm: "usada8 Rd, Rn, Rm, Ra", bits: "111110110111nnnn aaaadddd0000mmmm", class: "mla.dsp", sem: fn(usada8)},
}

// parallelOps are the additions and subtractions of lanes, by bits 22:20 of the encoding.
var parallelOps = []struct{ name, op string }{
	{"add16", "001"}, {"asx", "010"}, {"sax", "110"}, {"sub16", "101"}, {"add8", "000"}, {"sub8", "100"},
}

// parallelModes say what becomes of a lane's sum, by bits 7:4: wrapped with GE set, saturated, halved.
var parallelModes = []struct{ prefix, op string }{
	{"s", "0000"}, {"q", "0001"}, {"sh", "0010"}, {"u", "0100"}, {"uq", "0101"}, {"uh", "0110"},
}

// parallelRows gives the 36 rows of A5.3.13 and A5.3.14, SADD16_T1 and so on.
func parallelRows() []row {
	var list []row
	for _, m := range parallelModes {
		for _, o := range parallelOps {
			name := m.prefix + o.name
			r := row{
				id: strings.ToUpper(name) + "_T1", asm: name + " Rd, Rn, Rm",
				bits:  "111110101" + o.op + "nnnn 1111dddd" + m.op + "mmmm",
				class: "alu.dsp", sem: fn(parallel(o.name, m.prefix)),
			}
			if len(m.prefix) == 1 && m.prefix != "q" {
				r.sem = r.sem.writing(Flags) // GE
			}
			list = append(list, r)
		}
	}
	return list
}
