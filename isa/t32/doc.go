// Package t32 is the ARMv7-M instruction set (Thumb-2 without floating point and DSP): its table,
// both directions of its code, its GNU text, the C calling convention and an executor. It must not
// know of time, of a compiler or of a particular core.
//
// Encodings, names and the order of the rows follow the ARMv7-M Architecture Reference
// Manual, ARM DDI 0403E, chapter A7.7.
package t32
