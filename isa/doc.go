// Package isa is the vocabulary that every other package shares: what an
// instruction form, an instruction, an assembly block, an image, a memory and a
// retired event are. It knows no instruction set, no compiler and no timing.
package isa
