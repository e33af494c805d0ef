package x86

import (
	"strings"

	x86o "github.com/twitchyliquid64/golang-asm/obj/x86"
	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

// stringTable: SDM volume 1, section 5.1.8, string operations, alone and with their repeat prefixes.
var stringTable = stringFamilies()

func stringFamilies() []family {
	memory := []struct {
		name   string
		as     [4]asm // of 8, 16, 32 and 64 bits
		op     [4]x86asm.Op
		kind   kind
		flags  isa.FormFlags
		reads  isa.RegSet
		writes isa.RegSet
	}{
		{"MOVS", [4]asm{x86o.AMOVSB, x86o.AMOVSW, x86o.AMOVSL, x86o.AMOVSQ}, [4]x86asm.Op{x86asm.MOVSB, x86asm.MOVSW, x86asm.MOVSD, x86asm.MOVSQ},
			kMovs, rmw, isa.Set(RSI, RDI), isa.Set(RSI, RDI)},
		{"STOS", [4]asm{x86o.ASTOSB, x86o.ASTOSW, x86o.ASTOSL, x86o.ASTOSQ}, [4]x86asm.Op{x86asm.STOSB, x86asm.STOSW, x86asm.STOSD, x86asm.STOSQ},
			kStos, stores, isa.Set(RAX, RDI), isa.Set(RDI)},
		{"LODS", [4]asm{x86o.ALODSB, x86o.ALODSW, x86o.ALODSL, x86o.ALODSQ}, [4]x86asm.Op{x86asm.LODSB, x86asm.LODSW, x86asm.LODSD, x86asm.LODSQ},
			kLods, loads, isa.Set(RAX, RSI), isa.Set(RAX, RSI)},
		{"CMPS", [4]asm{x86o.ACMPSB, x86o.ACMPSW, x86o.ACMPSL, x86o.ACMPSQ}, [4]x86asm.Op{x86asm.CMPSB, x86asm.CMPSW, x86asm.CMPSD, x86asm.CMPSQ},
			kCmps, loads, isa.Set(RSI, RDI), isa.Set(RSI, RDI, RFLAGS)},
		{"SCAS", [4]asm{x86o.ASCASB, x86o.ASCASW, x86o.ASCASL, x86o.ASCASQ}, [4]x86asm.Op{x86asm.SCASB, x86asm.SCASW, x86asm.SCASD, x86asm.SCASQ},
			kScas, loads, isa.Set(RAX, RDI), isa.Set(RDI, RFLAGS)},
	}
	var table []family
	for _, m := range memory {
		for i, suffix := range [4]string{"B", "W", "D", "Q"} {
			f := family{name: m.name + suffix, as32: m.as[i], op: m.op[i], size: 1 << i, implied: true, flags: m.flags,
				class: "string." + strings.ToLower(m.name), reads: m.reads | flagSet, writes: m.writes, forms: []form{{"", m.kind, 0, ""}}}
			table = append(table, f)
			f.as8, f.as16, f.as64 = 0, 0, 0
			f.reads, f.writes, f.class = f.reads.With(RCX), f.writes.With(RCX), strings.Replace(f.class, "string.", "string.rep.", 1)
			f.prefix, f.name = prefixRep, "REP "+m.name+suffix
			if m.kind != kCmps && m.kind != kScas {
				table = append(table, f)
				continue
			}
			f.name = "REPE " + m.name + suffix
			table = append(table, f)
			f.prefix, f.name = prefixRepNE, "REPNE "+m.name+suffix
			table = append(table, f)
		}
	}
	return append(table, family{name: "XLATB", as32: x86o.AXLAT, op: x86asm.XLATB, implied: true, class: "xlat", flags: loads,
		reads: isa.Set(RAX, RBX), writes: isa.Set(RAX), forms: []form{{"", kXlat, 0, ""}}})
}
