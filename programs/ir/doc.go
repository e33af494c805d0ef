// Package ir is the kernel language: its text, its checks and its meaning. Eval
// gives a kernel its meaning over any Domain; the interpreter is Eval over bytes
// and is oracle 0 of the project. The package knows no machine and no compiler.
package ir
