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

// TestSizeOfAES looks at the candidates of --size with -O2 that keep all loops.
func TestSizeOfAES(t *testing.T) {
	c := Cell{Subject: find(t, "aes128/fixsliced"), CPU: load(t, "cortex-m4")}
	fast, err := c.Compile()
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.versions(fast.Depth, longTries, codeBytes(fast.Image))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		n, err := c.proven(p)
		if err != nil {
			t.Fatal(err)
		}
		if codeBytes(p.Image) <= 2400 && n.cycles <= 90*32 {
			return
		}
	}
	t.Errorf("none of %d versions has at most 2400 bytes and 90 c/B", len(list))
}
