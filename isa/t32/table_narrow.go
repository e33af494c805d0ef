package t32

import "simrun/isa"

// Bytes.
var byteRows = []row{
	{id: "LDRB_imm_T1", asm: "ldrb Rt, [Rn{, #imm}]", bits: "01111iiiiinnnttt", class: "load.byte", sem: mem(kLdrb), flags: isa.Load},
	{id: "LDRB_imm_T2", asm: "ldrb.w Rt, [Rn+{, #imm}]", bits: "111110001001nnnn ttttiiiiiiiiiiii", class: "load.byte", sem: mem(kLdrb), flags: isa.Load},
	{id: "LDRB_imm_T3", asm: "ldrb.w Rt, [Rn+, #-imm]", bits: "111110000001nnnn tttt1100iiiiiiii", class: "load.byte", sem: mem(kLdrb), flags: isa.Load},
	{id: "LDRB_pre_T3", asm: "ldrb.w Rt, [Rn+^, #±imm]!", bits: "111110000001nnnn tttt11i1iiiiiiii", class: "load.byte.index", sem: mem(kLdrb).pre(), flags: isa.Load, differ: "tn"},
	{id: "LDRB_post_T3", asm: "ldrb.w Rt, [Rn+^], #±imm", bits: "111110000001nnnn tttt10i1iiiiiiii", class: "load.byte.index", sem: mem(kLdrb).post(), flags: isa.Load, differ: "tn"},
	{id: "LDRB_lit_T1", asm: "ldrb.w Rt, literal±", bits: "11111000i0011111 ttttiiiiiiiiiiii", class: "load.literal", sem: mem(kLdrb), flags: isa.Load},
	{id: "LDRB_reg_T1", asm: "ldrb Rt, [Rn, Rm]", bits: "0101110mmmnnnttt", class: "load.byte.reg", sem: mem(kLdrb), flags: isa.Load},
	{id: "LDRB_reg_T2", asm: "ldrb.w Rt, [Rn+, Rm{lsl}]", bits: "111110000001nnnn tttt000000iimmmm", class: "load.byte.reg", sem: mem(kLdrb), flags: isa.Load},
	{id: "LDRBT_T1", asm: "ldrbt Rt, [Rn+{, #imm}]", bits: "111110000001nnnn tttt1110iiiiiiii", class: "load.byte", sem: mem(kLdrb), flags: isa.Load},
	{id: "LDREXB_T1", asm: "ldrexb Rt, [Rn+]", bits: "111010001101nnnn tttt111101001111", class: "load.exclusive", sem: exclusive(ldrex, 1), flags: isa.Load},
	{id: "LDRSB_imm_T1", asm: "ldrsb.w Rt, [Rn+{, #imm}]", bits: "111110011001nnnn ttttiiiiiiiiiiii", class: "load.byte", sem: mem(kLdrsb), flags: isa.Load},
	{id: "LDRSB_imm_T2", asm: "ldrsb.w Rt, [Rn+, #-imm]", bits: "111110010001nnnn tttt1100iiiiiiii", class: "load.byte", sem: mem(kLdrsb), flags: isa.Load},
	{id: "LDRSB_pre_T2", asm: "ldrsb.w Rt, [Rn+^, #±imm]!", bits: "111110010001nnnn tttt11i1iiiiiiii", class: "load.byte.index", sem: mem(kLdrsb).pre(), flags: isa.Load, differ: "tn"},
	{id: "LDRSB_post_T2", asm: "ldrsb.w Rt, [Rn+^], #±imm", bits: "111110010001nnnn tttt10i1iiiiiiii", class: "load.byte.index", sem: mem(kLdrsb).post(), flags: isa.Load, differ: "tn"},
	{id: "LDRSB_lit_T1", asm: "ldrsb.w Rt, literal±", bits: "11111001i0011111 ttttiiiiiiiiiiii", class: "load.literal", sem: mem(kLdrsb), flags: isa.Load},
	{id: "LDRSB_reg_T1", asm: "ldrsb Rt, [Rn, Rm]", bits: "0101011mmmnnnttt", class: "load.byte.reg", sem: mem(kLdrsb), flags: isa.Load},
	{id: "LDRSB_reg_T2", asm: "ldrsb.w Rt, [Rn+, Rm{lsl}]", bits: "111110010001nnnn tttt000000iimmmm", class: "load.byte.reg", sem: mem(kLdrsb), flags: isa.Load},
	{id: "LDRSBT_T1", asm: "ldrsbt Rt, [Rn+{, #imm}]", bits: "111110010001nnnn tttt1110iiiiiiii", class: "load.byte", sem: mem(kLdrsb), flags: isa.Load},

	{id: "STRB_imm_T1", asm: "strb Rt, [Rn{, #imm}]", bits: "01110iiiiinnnttt", class: "store.byte", sem: mem(kStrb), flags: isa.Store},
	{id: "STRB_imm_T2", asm: "strb.w Rt, [Rn+{, #imm}]", bits: "111110001000nnnn ttttiiiiiiiiiiii", class: "store.byte", sem: mem(kStrb), flags: isa.Store},
	{id: "STRB_imm_T3", asm: "strb.w Rt, [Rn+, #-imm]", bits: "111110000000nnnn tttt1100iiiiiiii", class: "store.byte", sem: mem(kStrb), flags: isa.Store},
	{id: "STRB_pre_T3", asm: "strb.w Rt, [Rn+^, #±imm]!", bits: "111110000000nnnn tttt11i1iiiiiiii", class: "store.byte.index", sem: mem(kStrb).pre(), flags: isa.Store, differ: "tn"},
	{id: "STRB_post_T3", asm: "strb.w Rt, [Rn+^], #±imm", bits: "111110000000nnnn tttt10i1iiiiiiii", class: "store.byte.index", sem: mem(kStrb).post(), flags: isa.Store, differ: "tn"},
	{id: "STRB_reg_T1", asm: "strb Rt, [Rn, Rm]", bits: "0101010mmmnnnttt", class: "store.byte.reg", sem: mem(kStrb), flags: isa.Store},
	{id: "STRB_reg_T2", asm: "strb.w Rt, [Rn+, Rm{lsl}]", bits: "111110000000nnnn tttt000000iimmmm", class: "store.byte.reg", sem: mem(kStrb), flags: isa.Store},
	{id: "STRBT_T1", asm: "strbt Rt, [Rn+{, #imm}]", bits: "111110000000nnnn tttt1110iiiiiiii", class: "store.byte", sem: mem(kStrb), flags: isa.Store},
	{id: "STREXB_T1", asm: "strexb Rd, Rt, [Rn+]", bits: "111010001100nnnn tttt11110100dddd", class: "store.exclusive", sem: exclusive(strex, 1), flags: isa.Store, differ: "dn dt"},
}

// Halfwords.
var halfRows = []row{
	{id: "LDRH_imm_T1", asm: "ldrh Rt, [Rn{, #imm*2}]", bits: "10001iiiiinnnttt", class: "load.half", sem: mem(kLdrh), flags: isa.Load},
	{id: "LDRH_imm_T2", asm: "ldrh.w Rt, [Rn+{, #imm}]", bits: "111110001011nnnn ttttiiiiiiiiiiii", class: "load.half", sem: mem(kLdrh), flags: isa.Load},
	{id: "LDRH_imm_T3", asm: "ldrh.w Rt, [Rn+, #-imm]", bits: "111110000011nnnn tttt1100iiiiiiii", class: "load.half", sem: mem(kLdrh), flags: isa.Load},
	{id: "LDRH_pre_T3", asm: "ldrh.w Rt, [Rn+^, #±imm]!", bits: "111110000011nnnn tttt11i1iiiiiiii", class: "load.half.index", sem: mem(kLdrh).pre(), flags: isa.Load, differ: "tn"},
	{id: "LDRH_post_T3", asm: "ldrh.w Rt, [Rn+^], #±imm", bits: "111110000011nnnn tttt10i1iiiiiiii", class: "load.half.index", sem: mem(kLdrh).post(), flags: isa.Load, differ: "tn"},
	{id: "LDRH_lit_T1", asm: "ldrh.w Rt, literal±", bits: "11111000i0111111 ttttiiiiiiiiiiii", class: "load.literal", sem: mem(kLdrh), flags: isa.Load},
	{id: "LDRH_reg_T1", asm: "ldrh Rt, [Rn, Rm]", bits: "0101101mmmnnnttt", class: "load.half.reg", sem: mem(kLdrh), flags: isa.Load},
	{id: "LDRH_reg_T2", asm: "ldrh.w Rt, [Rn+, Rm{lsl}]", bits: "111110000011nnnn tttt000000iimmmm", class: "load.half.reg", sem: mem(kLdrh), flags: isa.Load},
	{id: "LDRHT_T1", asm: "ldrht Rt, [Rn+{, #imm}]", bits: "111110000011nnnn tttt1110iiiiiiii", class: "load.half", sem: mem(kLdrh), flags: isa.Load},
	{id: "LDREXH_T1", asm: "ldrexh Rt, [Rn+]", bits: "111010001101nnnn tttt111101011111", class: "load.exclusive", sem: exclusive(ldrex, 2), flags: isa.Load},
	{id: "LDRSH_imm_T1", asm: "ldrsh.w Rt, [Rn+{, #imm}]", bits: "111110011011nnnn ttttiiiiiiiiiiii", class: "load.half", sem: mem(kLdrsh), flags: isa.Load},
	{id: "LDRSH_imm_T2", asm: "ldrsh.w Rt, [Rn+, #-imm]", bits: "111110010011nnnn tttt1100iiiiiiii", class: "load.half", sem: mem(kLdrsh), flags: isa.Load},
	{id: "LDRSH_pre_T2", asm: "ldrsh.w Rt, [Rn+^, #±imm]!", bits: "111110010011nnnn tttt11i1iiiiiiii", class: "load.half.index", sem: mem(kLdrsh).pre(), flags: isa.Load, differ: "tn"},
	{id: "LDRSH_post_T2", asm: "ldrsh.w Rt, [Rn+^], #±imm", bits: "111110010011nnnn tttt10i1iiiiiiii", class: "load.half.index", sem: mem(kLdrsh).post(), flags: isa.Load, differ: "tn"},
	{id: "LDRSH_lit_T1", asm: "ldrsh.w Rt, literal±", bits: "11111001i0111111 ttttiiiiiiiiiiii", class: "load.literal", sem: mem(kLdrsh), flags: isa.Load},
	{id: "LDRSH_reg_T1", asm: "ldrsh Rt, [Rn, Rm]", bits: "0101111mmmnnnttt", class: "load.half.reg", sem: mem(kLdrsh), flags: isa.Load},
	{id: "LDRSH_reg_T2", asm: "ldrsh.w Rt, [Rn+, Rm{lsl}]", bits: "111110010011nnnn tttt000000iimmmm", class: "load.half.reg", sem: mem(kLdrsh), flags: isa.Load},
	{id: "LDRSHT_T1", asm: "ldrsht Rt, [Rn+{, #imm}]", bits: "111110010011nnnn tttt1110iiiiiiii", class: "load.half", sem: mem(kLdrsh), flags: isa.Load},

	{id: "STRH_imm_T1", asm: "strh Rt, [Rn{, #imm*2}]", bits: "10000iiiiinnnttt", class: "store.half", sem: mem(kStrh), flags: isa.Store},
	{id: "STRH_imm_T2", asm: "strh.w Rt, [Rn+{, #imm}]", bits: "111110001010nnnn ttttiiiiiiiiiiii", class: "store.half", sem: mem(kStrh), flags: isa.Store},
	{id: "STRH_imm_T3", asm: "strh.w Rt, [Rn+, #-imm]", bits: "111110000010nnnn tttt1100iiiiiiii", class: "store.half", sem: mem(kStrh), flags: isa.Store},
	{id: "STRH_pre_T3", asm: "strh.w Rt, [Rn+^, #±imm]!", bits: "111110000010nnnn tttt11i1iiiiiiii", class: "store.half.index", sem: mem(kStrh).pre(), flags: isa.Store, differ: "tn"},
	{id: "STRH_post_T3", asm: "strh.w Rt, [Rn+^], #±imm", bits: "111110000010nnnn tttt10i1iiiiiiii", class: "store.half.index", sem: mem(kStrh).post(), flags: isa.Store, differ: "tn"},
	{id: "STRH_reg_T1", asm: "strh Rt, [Rn, Rm]", bits: "0101001mmmnnnttt", class: "store.half.reg", sem: mem(kStrh), flags: isa.Store},
	{id: "STRH_reg_T2", asm: "strh.w Rt, [Rn+, Rm{lsl}]", bits: "111110000010nnnn tttt000000iimmmm", class: "store.half.reg", sem: mem(kStrh), flags: isa.Store},
	{id: "STRHT_T1", asm: "strht Rt, [Rn+{, #imm}]", bits: "111110000010nnnn tttt1110iiiiiiii", class: "store.half", sem: mem(kStrh), flags: isa.Store},
	{id: "STREXH_T1", asm: "strexh Rd, Rt, [Rn+]", bits: "111010001100nnnn tttt11110101dddd", class: "store.exclusive", sem: exclusive(strex, 2), flags: isa.Store, differ: "dn dt"},
}
