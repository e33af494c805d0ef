// Package ooo counts the cycles of out-of-order cores, with a cause for every issue slot lost.
//
// Uops come in program order with known latencies, so each is timed once, when it retires from the simulator: the
// first cycle that its inputs and its port allow. A uop thus has priority over every younger one on its port, which
// is oldest first, without looking at any cycle twice.
package ooo
