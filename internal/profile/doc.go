// Package profile sums the cycles of timed instructions by place in the program: address, function,
// line and call path. It must not know how the cycles came about, nor which instruction set they
// are of.
package profile
