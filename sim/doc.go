// Package sim is the machine around an executor: its memory map, the ELF door, calls by the
// C convention and the measuring window. It must not know any instruction set (it is given an
// [isa.Arch]), any pipeline or any CPU file.
package sim
