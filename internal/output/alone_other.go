//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package output

// Alone does what reads and replaces the file of that name. There are no locks of folders here.
func Alone(_ string, do func() error) error { return do() }
