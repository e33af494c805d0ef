package t32

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"simrun/isa"
)

// Floating-point arithmetic has a name and no meaning: decoded, assembled or run, it is refused.
func TestFloatRefused(t *testing.T) {
	for _, c := range []struct {
		text string
		code uint32
		name string
	}{
		{"vadd.f32 s0, s1, s2", 0xee300a81, "VADD.F32"},
		{"vmul.f64 d0, d1, d2", 0xee210b02, "VMUL.F64"},
		{"vcmpe.f32 s0, #0", 0xeeb50ac0, "VCMPE.F32"},
		{"vcvt.s32.f32 s0, s1", 0xeebd0ae0, "VCVT"},
		{"vfnms.f32 s0, s1, s2", 0xee900a81, "VFNMS.F32"},
		{"vsqrt.f32 s0, s1", 0xeeb10ae0, "VSQRT.F32"},
	} {
		code := binary.LittleEndian.AppendUint16(nil, uint16(c.code>>16))
		code = binary.LittleEndian.AppendUint16(code, uint16(c.code))
		_, _, err := Arch{}.Decode(code, 0)
		var r *refusal
		if !errors.As(err, &r) || r.name != c.name || !strings.Contains(err.Error(), "floating-point arithmetic is not simulated") {
			t.Errorf("%s decodes to the error %v, want the name %s", c.text, err, c.name)
		}
		if _, err = (Arch{}).Parse("f.s", c.text); err == nil || !strings.Contains(err.Error(), "is not simulated") {
			t.Errorf("%s parses with the error %v", c.text, err)
		}
		core, _ := load(t, fmt.Sprintf("nop; .inst %#x", c.code))
		if stop := core.Run(nil, 10, testRet); stop.Kind != isa.StopUndef || !errors.As(stop.Err, &r) {
			t.Errorf("%s stops with %+v", c.text, stop)
		}
	}
}

// No row is hidden by a refusal, and no refusal by a row.
func TestRefusalsApart(t *testing.T) {
	r := seeded(6)
	for _, e := range encodings {
		for range 200 {
			in := randomInst(r, e, 0)
			if w, err := e.encode(&in, 0); err == nil && e.size == 4 && refused(w) != nil {
				t.Fatalf("%s %08x is also %v", e.form.ID, w, refused(w))
			}
		}
	}
	for _, p := range refusedPatterns {
		w := p.fixed | r.Uint32()&^p.mask
		if refused(w) == nil {
			t.Errorf("%s: %08x is not refused", p.name, w)
		}
	}
}

// An instruction of an extension that the core lacks is undefined, and named.
func TestFeatures(t *testing.T) {
	for _, c := range [][2]string{{"smlad r0, r1, r2, r3", "SMLAD_T1 needs the extension dsp"}, {"vpush {s0}", "VPUSH_S_T2 needs the extension fp"}} {
		_, mem := load(t, c[0])
		core := Arch{}.NewCore(mem, nil)
		core.SetPC(testCode)
		stop := core.Run(nil, 1, isa.NoAddr)
		if stop.Kind != isa.StopUndef || !strings.Contains(stop.Err.Error(), c[1]) {
			t.Errorf("%s: %+v, want %q", c[0], stop, c[1])
		}
	}
}

// FPSCR keeps the bits that it has; its flags reach the APSR, and Q stays.
func TestFloatStatus(t *testing.T) {
	c, _ := load(t, `
		mvn r1, #0
		vmsr fpscr, r1
		vmrs r2, fpscr
		mov r1, #0x60000000
		vmsr fpscr, r1
		vmrs APSR_nzcv, fpscr
		bx lr`)
	c.SetReg(Flags, 0x880f0000)
	if stop := c.Run(nil, 100, testRet); stop.Kind != isa.StopAddr {
		t.Fatalf("%+v", stop)
	}
	if c.Reg(2) != fpscrMask || c.Reg(Flags) != 0x680f0000 {
		t.Errorf("fpscr %#x, apsr %#x", c.Reg(2), c.Reg(Flags))
	}
}

// Loads and stores of floating-point registers must be aligned, and a fault changes nothing.
func TestFloatFaults(t *testing.T) {
	for _, c := range []struct {
		text, err string
	}{
		{"adds r0, #2; vldr s1, [r0]", "read of 4 bytes at 0x20000002: misaligned"},
		{"adds r0, #1; vstr d1, [r0]", "write of 4 bytes at 0x20000001: misaligned"},
		{"add r0, #4088; vldmia r0!, {s1-s3}", "read of 4 bytes at 0x20001000: unmapped"},
	} {
		core, _ := load(t, c.text)
		core.SetReg(S0+1, 7)
		stop := core.Run(nil, 10, testRet)
		if stop.Kind != isa.StopFault || stop.Err.Error() != c.err || core.Reg(S0+1) != 7 {
			t.Errorf("%s: %+v, s1 = %d", c.text, stop, core.Reg(S0+1))
		}
	}
}
