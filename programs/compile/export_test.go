package compile

// benchTarget gives tests inside the package a target, which it may not import.
var benchTarget func() *Target

// SetBenchTarget is called by the tests outside.
func SetBenchTarget(f func() *Target) { benchTarget = f }
