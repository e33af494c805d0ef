package x86

import (
	"testing"

	"simrun/isa"
)

func TestTraits(t *testing.T) {
	const carry, overflow, others = isa.CarryWritten, isa.OverflowWritten, isa.OthersWritten
	for text, want := range map[string]struct {
		traits isa.Traits
		groups isa.FlagGroups
	}{
		"pxor xmm1, xmm1":          {isa.ZeroIdiom, 0},
		"pxor xmm1, xmm2":          {},
		"pandn xmm1, xmm1":         {},
		"xor eax, eax":             {isa.ZeroIdiom, isa.AllFlagsWritten},
		"sbb eax, eax":             {0, isa.AllFlagsWritten | isa.CarryRead},
		"movdqa xmm1, xmm2":        {isa.RegMove, 0},
		"mov rax, rbx":             {isa.RegMove, 0},
		"mov al, bl":               {isa.NarrowWrite | isa.NarrowMove | isa.NarrowRead, 0},
		"add al, bl":               {isa.NarrowWrite | isa.NarrowRead, isa.AllFlagsWritten},
		"mov ah, bl":               {isa.NarrowWrite | isa.HighWrite | isa.NarrowMove | isa.NarrowRead, 0},
		"xchg cl, bl":              {isa.NarrowWrite | isa.NarrowRead, 0},
		"xchg cl, ah":              {isa.NarrowWrite | isa.HighWrite | isa.NarrowRead, 0},
		"xchg ah, cl":              {isa.NarrowWrite | isa.HighWrite | isa.NarrowRead, 0},
		"xchg [rsi], al":           {isa.NarrowWrite | isa.NarrowRead, 0},
		"mov ax, 0x1234":           {isa.NarrowWrite | isa.NarrowMove | isa.LengthChange, 0},
		"add ax, 0x1234":           {isa.NarrowWrite | isa.NarrowRead | isa.LengthChange, isa.AllFlagsWritten},
		"add eax, 0x1234":          {0, isa.AllFlagsWritten},
		"movzx eax, bl":            {isa.NarrowRead, 0},
		"cmp dword ptr [rip+f], 1": {isa.RIPImmediate, isa.AllFlagsWritten},
		"sete al":                  {isa.NarrowWrite | isa.NarrowMove, isa.OthersRead},
		"inc eax":                  {0, overflow | others},
		"lock inc dword ptr [rcx]": {0, overflow | others},
		"rol eax, 3":               {0, carry | overflow},
		"jbe f":                    {0, isa.CarryRead | isa.OthersRead},
		"cmovl eax, ebx":           {0, isa.OverflowRead | isa.OthersRead},
	} {
		im := assemble(t, "f:\n\t"+text)
		c, _ := machine(t, im)
		s, stop := c.(*core).decodeRun(im.Entry)
		if s == nil {
			t.Fatalf("%s: %v", text, stop.Err)
		}
		traits := s.Time[0].Traits
		if want.traits&isa.NarrowWrite != 0 && want.traits&isa.NarrowRead == 0 {
			traits &^= isa.NarrowRead // SETcc and MOV of a constant read nothing or the old register
		}
		if traits != want.traits || s.Time[0].Groups != want.groups {
			t.Errorf("%s: traits %b, flags %06b, want %b, %06b", text, s.Time[0].Traits, s.Time[0].Groups, want.traits, want.groups)
		}
	}
}
