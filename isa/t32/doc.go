// Package t32 is the ARMv7-M instruction set (Thumb-2, with the DSP extension of ARMv7E-M and the
// moves, loads and stores of floating-point registers): its table, both directions of its code, its
// GNU text, the C calling convention and an executor with exceptions. It must not know of time, of
// a compiler or of a particular core.
//
// Encodings and names follow the ARMv7-M Architecture Reference Manual, ARM DDI 0403E,
// chapter A7.7. What the manual calls unpredictable is undefined here.
//
// Left out: the coprocessor instructions (MCR, LDC and so on); floating-point arithmetic, which is refused by name;
// the two low bits of the SP, which hardware holds at zero; memory-mapped system registers, which are the
// machine's. WFE does not wait. Every fault is a HardFault, and priorities have no groups.
package t32
