package costmodel

import "testing"

func TestSet(t *testing.T) {
	c := mustLoad(t, "sifive-e31")
	hash := c.Hash()
	for _, kv := range [][2]string{
		{"class.load.word", "3"}, {"mul.cycles", "2"}, {"param.mispredict", "5"}, {"div.max", "40"}, {"store.byte", "2"},
	} {
		if err := c.Set(kv[0], kv[1]); err != nil {
			t.Errorf("Set %v: %v", kv, err)
		}
	}
	if got := c.Latency("load.word"); got != 3 {
		t.Errorf("load.word latency %d, want 3", got)
	}
	if got := c.Classes["mul"]; got.Cycles != 2 || got.Latency != 5 {
		t.Errorf("mul: %+v", got)
	}
	if c.Param("mispredict") != 5 || c.Classes["div"].Max != 40 || c.Classes["store.byte"].Cycles != 2 {
		t.Error("mispredict, div.max or store.byte did not change")
	}
	if c.Classes["store"].Cycles != 1 {
		t.Error("store changed along with store.byte")
	}
	if c.Hash() == hash {
		t.Error("the hash did not change")
	}
	if mustLoad(t, "sifive-e31").Hash() != hash {
		t.Error("the change reached the file of the next load")
	}
}

func TestSetRefuses(t *testing.T) {
	for kv, want := range map[[2]string]string{
		{"load.word", "x"}:     "--set load.word=x: the value is not a whole number",
		{"load.word", "0"}:     "--set load.word=0: out of range (1 to 32768 cycles, max not below the minimum)",
		{"mispredict", "-1"}:   "--set mispredict: -1 is outside 0 to 64 (cycles)",
		{"mispredit", "1"}:     "--set mispredit: sifive-e31 has no such parameter or timing class (did you mean mispredict?)",
		{"icache_line", "48"}:  "--set icache_line=48: pipeline rocket demands that bht_entries, icache_bytes and icache_line are powers of two",
		{"bht_fold", "10"}:     "--set bht_fold=10: pipeline rocket demands that bht_fold is at most bht_history and at most the bits of the index",
		{"icache_bytes", "64"}: "--set icache_bytes=64: pipeline rocket demands that the cache holds a line in each way",
		{"", "1"}:              "--set : sifive-e31 has no such parameter or timing class",
	} {
		if err := mustLoad(t, "sifive-e31").Set(kv[0], kv[1]); err == nil || err.Error() != want {
			t.Errorf("Set%v: %v, want %s", kv, err, want)
		}
	}
}

func TestHashIgnoresProse(t *testing.T) {
	a, err := Parse("a.toml", []byte(child))
	if err != nil {
		t.Fatal(err)
	}
	b, err := Parse("b.toml", []byte(child+"# a remark\n"))
	if err != nil {
		t.Fatal(err)
	}
	b.Title, b.Sources["lab"] = "other words", Source{"meas", "another board"}
	if a.Hash() != b.Hash() {
		t.Error("the hash depends on prose")
	}
}
