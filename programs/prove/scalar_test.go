package prove

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// scalarKernels are kernels that x86 computes in general registers: every shift and rotate of every width, and words that do
// not all fit into the registers, which the code then saves on the stack although spilled words lie in a context block.
var scalarKernels = map[string]string{
	"moves": "kernel own/moves(in a: w%[1]d[4], out b: w%[1]d[4]) { b = [a[0] <<< 3, a[1] >>> 1, a[2] << 2, a[3] >> 5] }",
	"sums":  "kernel own/sums(in a: w%[1]d[4], out b: w%[1]d[4]) { for i in 0..4 { b[i] = a[i] + (a[3 - i] <<< 7) } }",
	"spill": "kernel own/spill(in a: w%[1]d[32], out b: w%[1]d[32]) { x = a; for i in 0..32 { b[i] = x[31 - i] ^ (x[i] <<< 1) } }",
}

func TestScalarKernels(t *testing.T) {
	for name, text := range scalarKernels {
		for _, width := range []int{8, 16, 32, 64} {
			t.Run(fmt.Sprint(name, width), func(t *testing.T) {
				file := filepath.Join(t.TempDir(), name+".kir")
				if err := os.WriteFile(file, fmt.Appendf(nil, text, width), 0o644); err != nil {
					t.Fatal(err)
				}
				r, err := Kernel(compiled(t, file, "x86-64-ssse3", false))
				if err != nil || !r.Equal() {
					t.Errorf("%+v, %v", r, err)
				}
			})
		}
	}
}
