//go:build !linux

package native

import "runtime"

// cpuModel knows no name here.
func cpuModel() string { return runtime.GOOS + "/" + runtime.GOARCH }

// pin does nothing: this system does not let a thread choose its CPU, or is not known to.
func pin() (unpin func()) { return func() {} }
