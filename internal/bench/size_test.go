package bench

import "testing"

// TestSize: a larger factor gives shorter code that keeps to it, and AES-128 on the Cortex-M4 fits where flash is scarce.
func TestSize(t *testing.T) {
	for _, cpu := range []string{"cortex-m4", "sifive-e31"} {
		c := Cell{Subject: find(t, "gift64/fixsliced"), CPU: load(t, cpu)}
		fast, _, err := c.Simulate()
		if err != nil {
			t.Fatal(err)
		}
		bytes := fast.CodeBytes
		for _, factor := range []float64{1, 1.05, 1.2, 2} {
			c.Build.Size = factor
			row, _, err := c.Simulate()
			if err != nil {
				t.Fatal(err)
			}
			if row.CodeBytes > bytes || float64(row.Cycles) > factor*float64(fast.Cycles) {
				t.Errorf("%s, factor %v: %d bytes and %v cycles; %d bytes are enough for less, %v cycles are the fastest", cpu, factor, row.CodeBytes, row.Cycles, bytes, fast.Cycles)
			}
			bytes = row.CodeBytes
		}
		if bytes > fast.CodeBytes/2 {
			t.Errorf("%s: still %d bytes within twice the cycles, the fastest has %d", cpu, bytes, fast.CodeBytes)
		}
	}
}

func TestSizeOfAES(t *testing.T) {
	c := Cell{Subject: find(t, "aes128/fixsliced"), CPU: load(t, "cortex-m4")}
	fast, _, err := c.Simulate()
	if err != nil {
		t.Fatal(err)
	}
	c.Build.Size = 90 / float64(fast.CyclesPerByte)
	row, _, err := c.Simulate()
	if err != nil {
		t.Fatal(err)
	}
	if row.CodeBytes > 2400 || row.CyclesPerByte > 90 {
		t.Errorf("%d bytes at %v c/B, want at most 2400 at 90", row.CodeBytes, row.CyclesPerByte)
	}
}
