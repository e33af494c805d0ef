package host

import "simrun/isa"

// HTIF, the host-target interface of the RISC-V test environment: two 64-bit words in memory. What
// the program writes to tohost has the device in bits 63:56, the command in 55:48 and the
// payload below. Device 0 is system calls: an odd payload ends the program with status payload/2;
// an even one is the address of a block of 64-bit words, the number of the call, its arguments, and
// in the first place its answer. Device 1 is the console: command 1 writes a character.

// HTIF is the tohost word and where fromhost lies.
type HTIF struct {
	host     *Host
	fromhost uint32 // 0 = there is none
	low      uint32
	high     uint32
	half     uint32 // offset of the half that has been written since the last request
	waiting  bool   // only that half has been
}

// TohostSize is the size of the tohost word in bytes.
const TohostSize = 8

// NewHTIF returns the interface; fromhost is the address of that word, 0 if there is none.
func NewHTIF(h *Host, fromhost uint32) *HTIF { return &HTIF{host: h, fromhost: fromhost} }

// Device returns the device that takes the place of tohost at addr.
func (t *HTIF) Device(addr uint64) *isa.Device {
	return &isa.Device{Name: "tohost", Base: addr, Size: TohostSize, Load: t.load, Store: t.store}
}

func (t *HTIF) load(off uint64, _ int) (uint32, error) {
	if off < 4 {
		return t.low >> (8 * off), nil
	}
	return t.high >> (8 * (off - 4)), nil
}

func (t *HTIF) store(off uint64, size int, v uint32) error {
	half := uint32(off & 4)
	if half == 0 {
		t.low = v
	} else {
		t.high = v
	}
	if t.waiting && half != t.half {
		t.Settle()
		return nil
	}
	t.half, t.waiting = half, true
	return nil
}

// Waiting reports whether one half of tohost has been written and the other has not: a program
// may write the low one only.
func (t *HTIF) Waiting() bool { return t.waiting }

// Settle takes what stands in tohost for the whole request.
func (t *HTIF) Settle() {
	request, low := t.high>>16, t.low
	t.waiting = false
	if t.low|t.high == 0 {
		return
	}
	t.low, t.high = 0, 0
	const write = 0x0101 // device 1, command 1
	switch {
	case request == write:
		t.host.Console([]byte{byte(low)})
	case request != 0:
	case low&1 != 0:
		t.host.End(int(low>>1&0xff), "tohost")
		return
	default:
		t.call(low)
	}
	t.answer()
}

// answer tells the program that its request has been done.
func (t *HTIF) answer() {
	if t.fromhost != 0 {
		t.host.mem.Store32(uint64(t.fromhost), 1)
		t.host.mem.Store32(uint64(t.fromhost)+4, 0)
	}
}

// call does the system call of a block.
func (t *HTIF) call(block uint32) {
	w, ok := t.host.words(block, 8)
	if !ok {
		return
	}
	v, err := t.host.Linux(Generic, w[0], [6]uint32{w[2], w[4], w[6]})
	if err != nil {
		v = eNOSYS.negated()
	}
	t.host.putWords(block, v, uint32(int32(v)>>31))
}
