//go:build !(linux && amd64)

package sim_test

// hostBuilders are none: programs for x86-64 do not run here.
var hostBuilders []builder
