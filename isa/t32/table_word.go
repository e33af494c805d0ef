package t32

import "simrun/isa"

// Words, doublewords and the literal pool.
var wordRows = []row{
	{id: "LDR_imm_T1", asm: "ldr Rt, [Rn{, #imm*4}]", bits: "01101iiiiinnnttt", class: "load.word", sem: mem(kLdr), flags: isa.Load},
	{id: "LDR_imm_T2", asm: "ldr Rt, [sp{, #imm*4}]", bits: "10011tttiiiiiiii", class: "load.word", sem: mem(kLdr).base(SP), flags: isa.Load},
	{id: "LDR_imm_T3", asm: "ldr.w Rt*, [Rn+{, #imm}]", bits: "111110001101nnnn ttttiiiiiiiiiiii", class: "load.word", sem: mem(kLdr), flags: isa.Load},
	{id: "LDR_imm_T4", asm: "ldr.w Rt*, [Rn+, #-imm]", bits: "111110000101nnnn tttt1100iiiiiiii", class: "load.word", sem: mem(kLdr), flags: isa.Load},
	{id: "LDR_pre_T4", asm: "ldr.w Rt*, [Rn+^, #±imm]!", bits: "111110000101nnnn tttt11i1iiiiiiii", class: "load.word.index", sem: mem(kLdr).pre(), flags: isa.Load, differ: "tn"},
	{id: "LDR_post_T4", asm: "ldr.w Rt*, [Rn+^], #±imm", bits: "111110000101nnnn tttt10i1iiiiiiii", class: "load.word.index", sem: mem(kLdr).post(), flags: isa.Load, differ: "tn"},
	{id: "LDR_lit_T1", asm: "ldr Rt, literal", bits: "01001tttiiiiiiii", class: "load.literal", sem: mem(kLdr), flags: isa.Load},
	{id: "LDR_lit_T2", asm: "ldr.w Rt*, literal±", bits: "11111000i1011111 ttttiiiiiiiiiiii", class: "load.literal", sem: mem(kLdr), flags: isa.Load},
	{id: "LDR_reg_T1", asm: "ldr Rt, [Rn, Rm]", bits: "0101100mmmnnnttt", class: "load.word.reg", sem: mem(kLdr), flags: isa.Load},
	{id: "LDR_reg_T2", asm: "ldr.w Rt*, [Rn+, Rm{lsl}]", bits: "111110000101nnnn tttt000000iimmmm", class: "load.word.reg", sem: mem(kLdr), flags: isa.Load},
	{id: "LDRD_imm_T1", asm: "ldrd Rt, Rt2, [Rn+{, #±imm*4}]", bits: "11101001i101nnnn ttttvvvviiiiiiii", class: "load.double", sem: pairs(ldrd), flags: isa.Load, differ: "tv"},
	{id: "LDRD_pre_T1", asm: "ldrd Rt, Rt2, [Rn+^, #±imm*4]!", bits: "11101001i111nnnn ttttvvvviiiiiiii", class: "load.double.index", sem: pairs(ldrd).pre(), flags: isa.Load, differ: "tv tn vn"},
	{id: "LDRD_post_T1", asm: "ldrd Rt, Rt2, [Rn+^], #±imm*4", bits: "11101000i111nnnn ttttvvvviiiiiiii", class: "load.double.index", sem: pairs(ldrd).post(), flags: isa.Load, differ: "tv tn vn"},
	{id: "LDRD_lit_T1", asm: "ldrd Rt, Rt2, literal±4", bits: "11101001i1011111 ttttvvvviiiiiiii", class: "load.literal", sem: pairs(ldrd), flags: isa.Load, differ: "tv"},
	{id: "LDREX_T1", asm: "ldrex Rt, [Rn+{, #imm*4}]", bits: "111010000101nnnn tttt1111iiiiiiii", class: "load.exclusive", sem: exclusive(ldrex, 4), flags: isa.Load},
	{id: "LDRT_T1", asm: "ldrt Rt, [Rn+{, #imm}]", bits: "111110000101nnnn tttt1110iiiiiiii", class: "load.word", sem: mem(kLdr), flags: isa.Load},

	{id: "STR_imm_T1", asm: "str Rt, [Rn{, #imm*4}]", bits: "01100iiiiinnnttt", class: "store.word", sem: mem(kStr), flags: isa.Store},
	{id: "STR_imm_T2", asm: "str Rt, [sp{, #imm*4}]", bits: "10010tttiiiiiiii", class: "store.word", sem: mem(kStr).base(SP), flags: isa.Store},
	{id: "STR_imm_T3", asm: "str.w Rt+, [Rn+{, #imm}]", bits: "111110001100nnnn ttttiiiiiiiiiiii", class: "store.word", sem: mem(kStr), flags: isa.Store},
	{id: "STR_imm_T4", asm: "str.w Rt+, [Rn+, #-imm]", bits: "111110000100nnnn tttt1100iiiiiiii", class: "store.word", sem: mem(kStr), flags: isa.Store},
	{id: "STR_pre_T4", asm: "str.w Rt+, [Rn+^, #±imm]!", bits: "111110000100nnnn tttt11i1iiiiiiii", class: "store.word.index", sem: mem(kStr).pre(), flags: isa.Store, differ: "tn"},
	{id: "STR_post_T4", asm: "str.w Rt+, [Rn+^], #±imm", bits: "111110000100nnnn tttt10i1iiiiiiii", class: "store.word.index", sem: mem(kStr).post(), flags: isa.Store, differ: "tn"},
	{id: "STR_reg_T1", asm: "str Rt, [Rn, Rm]", bits: "0101000mmmnnnttt", class: "store.word.reg", sem: mem(kStr), flags: isa.Store},
	{id: "STR_reg_T2", asm: "str.w Rt+, [Rn+, Rm{lsl}]", bits: "111110000100nnnn tttt000000iimmmm", class: "store.word.reg", sem: mem(kStr), flags: isa.Store},
	{id: "STRD_imm_T1", asm: "strd Rt, Rt2, [Rn+{, #±imm*4}]", bits: "11101001i100nnnn ttttvvvviiiiiiii", class: "store.double", sem: pairs(strd), flags: isa.Store},
	{id: "STRD_pre_T1", asm: "strd Rt, Rt2, [Rn+^, #±imm*4]!", bits: "11101001i110nnnn ttttvvvviiiiiiii", class: "store.double.index", sem: pairs(strd).pre(), flags: isa.Store, differ: "tn vn"},
	{id: "STRD_post_T1", asm: "strd Rt, Rt2, [Rn+^], #±imm*4", bits: "11101000i110nnnn ttttvvvviiiiiiii", class: "store.double.index", sem: pairs(strd).post(), flags: isa.Store, differ: "tn vn"},
	{id: "STREX_T1", asm: "strex Rd, Rt, [Rn+{, #imm*4}]", bits: "111010000100nnnn ttttddddiiiiiiii", class: "store.exclusive", sem: exclusive(strex, 4), flags: isa.Store, differ: "dn dt"},
	{id: "STRT_T1", asm: "strt Rt, [Rn+{, #imm}]", bits: "111110000100nnnn tttt1110iiiiiiii", class: "store.word", sem: mem(kStr), flags: isa.Store},
}
