package compile_test

import (
	"simrun/programs/compile"
	"simrun/programs/targets"
)

func init() { compile.SetBenchTarget(func() *compile.Target { return targets.All()[0] }) }
