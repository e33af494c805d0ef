// Package device is the hardware around a core that programs reach by addresses: the private peripherals
// of a Cortex-M, and timer, console and finisher of RISC-V boards. It must not know any
// instruction set, any pipeline or any CPU file: it is given the time.
package device

import (
	"fmt"
	"io"

	"simrun/isa"
)

// System is what the devices of a machine share with it.
type System struct {
	Now     func() uint64               // cycles
	Console io.Writer                   // what programs write to a serial port
	End     func(status int, by string) // ends the program
}

// register is one register of a device. Without load it reads as value, without store it keeps what
// mask lets through of a write.
type register struct {
	name  string
	value uint32
	mask  uint32
	load  func() uint32
	store func(v uint32)
}

// bank is a device made of 32-bit registers by their offsets. Others do not exist.
type bank map[uint64]*register

// device returns the bank as a device. Bytes and halfwords are read out of the word that holds
// them; only whole words can be written unless narrow says so, whose writes change a part of a word.
func (b bank) device(name string, base, size uint64, narrow bool) *isa.Device {
	return &isa.Device{
		Name: name, Base: base, Size: size,
		Load: func(off uint64, n int) (uint32, error) {
			r, err := b.at(off, n)
			if err != nil {
				return 0, err
			}
			return r.read() >> (8 * (off & 3)) & part(n), nil
		},
		Store: func(off uint64, n int, v uint32) error {
			r, err := b.at(off, n)
			if err != nil {
				return err
			}
			if n != 4 {
				if !narrow {
					return fmt.Errorf("%s takes writes of four bytes only", r.name)
				}
				shift := 8 * (off & 3)
				v = r.read()&^(part(n)<<shift) | v&part(n)<<shift
			}
			r.write(v)
			return nil
		},
	}
}

// part is the mask of n bytes.
func part(n int) uint32 { return ^uint32(0) >> (32 - 8*n) }

func (b bank) at(off uint64, n int) (*register, error) {
	r := b[off&^3]
	if r == nil {
		return nil, fmt.Errorf("no register at offset %#x is modelled", off&^3)
	}
	if off&uint64(n-1) != 0 {
		return nil, fmt.Errorf("misaligned access to %s", r.name)
	}
	return r, nil
}

func (r *register) read() uint32 {
	if r.load != nil {
		return r.load()
	}
	return r.value
}

func (r *register) write(v uint32) {
	if r.store != nil {
		r.store(v)
		return
	}
	r.value = r.value&^r.mask | v&r.mask
}
