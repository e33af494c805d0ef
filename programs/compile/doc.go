// Package compile turns a kernel into machine code by one visible list of passes.
// It knows no instruction set: a Target says how values become instructions, and
// latencies and scores come in as functions.
package compile
