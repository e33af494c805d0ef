// Package costmodel holds what a CPU costs: the CPU files and their strict reader, the
// one list of causes that cycles are booked under, the Timed record that every output is
// made from, and the error statistics of predictions. It must not know how any
// instruction set encodes or executes, nor how a pipeline arrives at its cycles.
package costmodel
