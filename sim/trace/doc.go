// Package trace turns timed instructions into something to read: text, Konata logs, JSON. It must
// not know how their cycles came about, nor which instruction set they are of.
package trace
