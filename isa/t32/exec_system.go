package t32

import (
	"math"
	"slices"

	"simrun/isa"
)

// Special registers (B5.2). A program that is not privileged reads zero from all but the flags, and
// its writes to them have no effect.

func mrs(c *Core, s *isa.Step) status {
	var v uint32
	switch {
	case s.Imm < sysMSP:
		v = c.xpsr(s.Imm)
	case !c.privileged() && s.Imm != sysCONTROL:
	case s.Imm == c.stackPointer():
		v = c.r[SP]
	case s.Imm == sysBASEPRIMax:
		v = c.sys[sysBASEPRI]
	default:
		v = c.sys[s.Imm]
	}
	c.r[s.D&63] = v
	return done
}

// xpsr joins the parts of xPSR that numbers 0 to 7 name: bit 2 leaves the APSR out, bit 0 takes the IPSR in. The EPSR
// reads as zero.
func (c *Core) xpsr(sysm uint64) (v uint32) {
	if sysm&4 == 0 {
		v = c.apsr()
	}
	if sysm&1 != 0 {
		v |= c.exc.number
	}
	return v
}

// stackPointer is the SYSm number of the SP in use: CONTROL.SPSEL chooses; a handler has it clear.
func (c *Core) stackPointer() uint64 {
	if c.sys[sysCONTROL]&controlPSP != 0 {
		return sysPSP
	}
	return sysMSP
}

// sysWriteMask gives the bits that MSR may set.
var sysWriteMask = [numSysRegs]uint32{
	sysMSP: math.MaxUint32 - 3, sysPSP: math.MaxUint32 - 3, sysPRIMASK: 1, sysBASEPRI: 0xff,
	sysFAULTMASK: 1,
}

func msr(c *Core, s *isa.Step) status {
	v := c.r[s.A&63]
	switch {
	case s.Imm <= sysXPSR:
		c.setAPSR(v)
	case s.Imm < sysMSP || !c.privileged(): // IPSR and EPSR ignore writes
	case s.Imm == c.stackPointer():
		c.r[SP] = v &^ 3
	case s.Imm == sysBASEPRIMax:
		if old := c.sys[sysBASEPRI]; v&0xff != 0 && (v&0xff < old || old == 0) {
			c.sys[sysBASEPRI] = v & 0xff
		}
	case s.Imm == sysCONTROL:
		c.setControl(v)
	case s.Imm == sysFAULTMASK && c.level(false) <= -1: // NMI and HardFault cannot set it
	default:
		c.sys[s.Imm] = v & sysWriteMask[s.Imm]
	}
	return done
}

// setControl writes CONTROL; a handler cannot change its stack.
func (c *Core) setControl(v uint32) {
	keep := uint32(0)
	if c.exc.number != 0 {
		keep |= controlPSP
	}
	if !slices.Contains(c.features, "fp") {
		keep |= controlFPCA
	}
	v = v&^keep | c.sys[sysCONTROL]&keep
	c.sys[c.stackPointer()] = c.r[SP]
	c.sys[sysCONTROL] = v & (controlUser | controlPSP | controlFPCA)
	c.r[SP] = c.sys[c.stackPointer()]
}

// msrGE and msrAll are MSR of APSR_g and APSR_nzcvqg.
func msrGE(c *Core, s *isa.Step) status {
	c.ge = c.r[s.A&63] >> geShift & 15
	return done
}

func msrAll(c *Core, s *isa.Step) status {
	c.setAPSR(c.r[s.A&63])
	return msrGE(c, s)
}

func cpsid(c *Core, s *isa.Step) status { return c.setMasks(s, 1) }
func cpsie(c *Core, s *isa.Step) status { return c.setMasks(s, 0) }

// setMasks sets PRIMASK (bit 1 of Imm) and FAULTMASK (bit 0).
func (c *Core) setMasks(s *isa.Step, v uint32) status {
	if !c.privileged() {
		return done
	}
	if s.Imm&2 != 0 {
		c.sys[sysPRIMASK] = v
	}
	if s.Imm&1 != 0 && (v == 0 || c.level(false) > -1) {
		c.sys[sysFAULTMASK] = v
	}
	return done
}
