package native

import (
	"runtime"
	"strings"
	"testing"
)

func TestReadCPUInfo(t *testing.T) {
	for _, c := range []struct {
		text string
		want Host
		name string
	}{
		{
			"processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD EPYC 7763\n\nprocessor\t: 1\nmodel\t\t: 9\n",
			Host{Name: "AMD EPYC 7763", Vendor: "AuthenticAMD", Family: 25, Model: 1},
			"AMD EPYC 7763 (family 25 model 1)",
		},
		{
			"vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 15\nmodel name\t: Intel(R) Core(TM)2 CPU 6600: 2.40GHz\n",
			Host{Name: "Intel(R) Core(TM)2 CPU 6600: 2.40GHz", Vendor: "GenuineIntel", Family: 6, Model: 15},
			"Intel(R) Core(TM)2 CPU 6600: 2.40GHz (family 6 model 15)",
		},
		{
			"processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n",
			Host{Part: "implementer 0x41 part 0xd0c"},
			runtime.GOARCH + " implementer 0x41 part 0xd0c",
		},
		{"vendor_id\t: GenuineIntel\ncpu family\t: six\nmodel\t\t: 15\nmodel name\t: X\n", Host{Name: "X"}, "X"},
		{"", Host{}, runtime.GOOS + "/" + runtime.GOARCH},
	} {
		got := readCPUInfo(strings.NewReader(c.text))
		if got != c.want || got.String() != c.name {
			t.Errorf("%q: %+v, %q, want %+v, %q", c.text, got, got, c.want, c.name)
		}
	}
}
