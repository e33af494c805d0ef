// Package asmenv removes from the environment the variables that
// github.com/twitchyliquid64/golang-asm/objabi reads while it initialises and
// aborts the process over if it does not know their values. A user who
// cross-compiles may have any of them set.
//
// Packages that use golang-asm blank-import this one. It must import nothing
// but syscall: packages initialise in order of their import path as soon as their imports
// are ready, so this one runs before objabi, which needs many more.
package asmenv

import "syscall"

func init() {
	for _, name := range [...]string{"GOARM", "GOMIPS", "GOMIPS64", "GOPPC64", "GOWASM", "GOOS"} {
		_ = syscall.Unsetenv(name) // fails only for a name that is no name
	}
}
