//go:build !linux

package native

// ThisHost knows nothing here.
func ThisHost() Host { return Host{} }

// pin does nothing: this system does not let a thread choose its CPU, or is not known to.
func pin() (unpin func()) { return func() {} }
