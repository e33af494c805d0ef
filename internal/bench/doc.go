// Package bench makes one cell of the main table: it compiles a kernel for a CPU,
// proves the machine code right, and counts its cycles on the simulator and on this
// computer. It must not know how rows are printed.
package bench
