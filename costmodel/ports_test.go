package costmodel

import (
	"slices"
	"strings"
	"testing"
)

func TestParseUops(t *testing.T) {
	got, err := ParseUops("2p05+p1+load+2store")
	if err != nil || len(got) != 4 {
		t.Fatalf("%+v, %v", got, err)
	}
	if got[0].Count != 2 || !slices.Equal(got[0].Ports, []uint8{0, 5}) || got[1].Count != 1 || got[2].Kind != LoadPart || got[3].Kind != StorePart || got[3].Count != 2 {
		t.Errorf("%+v", got)
	}
	if got, err := ParseUops("none"); err != nil || got != nil {
		t.Errorf("none: %v, %v", got, err)
	}
	for s, want := range map[string]string{
		"":        `no ports; a class of this pipeline needs ports = "...", or "none"`,
		"p":       `ports "p": no port is named`,
		"p0+":     `ports "p0+": "" is not p with ports, load or store`,
		"1p0":     `ports "1p0": the count 1 is not 2 or more`,
		"02p0":    `ports "02p0": the count 02 is not 2 or more`,
		"p0g":     `ports "p0g": 'g' names no port; they are 0 to 9 and a to f`,
		"p00":     `ports "p00": port 0 is named twice`,
		"p0 + p1": `ports "p0 + p1": ' ' names no port; they are 0 to 9 and a to f`,
		"65p0":    `ports "65p0": over 64 uops`,
		"stores":  `ports "stores": "stores" is not p with ports, load or store`,
	} {
		if _, err := ParseUops(s); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", s, err, want)
		}
	}
}

// TestOutOfOrderFiles changes a line of a CPU file and reads the refusal.
func TestOutOfOrderFiles(t *testing.T) {
	head := "name = \"x\"\nbase = \"core2-merom\"\n"
	for text, want := range map[string]string{
		"[class]\nlea = { ports = \"p9\", rule = 23, source = \"choice\" }":                   `x.toml:4: class lea: ports "p9": no scheduler has port 9`,
		"[class]\nlea = { latency = 1, rule = 23, source = \"choice\" }":                      `x.toml:4: class lea: no ports; a class of this pipeline needs ports = "...", or "none"`,
		"[class]\nlea = { ports = \"p0\", max = 4, rule = 23, source = \"choice\" }":          "x.toml:4: class lea: pipeline ooo knows no max",
		"[scheduler]\nb = { ports = \"5\", entries = 2, rule = 9, source = \"choice\" }":      "x.toml: scheduler rs: port 5 belongs to another",
		"[scheduler]\nrs = { ports = \"012345\", entries = 127, rule = 9, source = \"fit\" }": "x.toml:4: scheduler rs: 127 is outside 1 to 126 (entries)",
		"[scheduler]\nrs = { ports = \"012345\", entries = 9, rule = 99, source = \"fit\" }":  "x.toml:4: scheduler rs: rule 99 does not exist; add it to [rule]",
	} {
		if _, err := Parse("x.toml", []byte(head+text+"\n")); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
	if _, err := Parse("y.toml", []byte("name = \"y\"\nbase = \"cortex-m3\"\n[class]\nmul = { ports = \"p0\", rule = 2, source = \"trm\" }\n")); err == nil ||
		!strings.Contains(err.Error(), "ports and split belong to pipeline ooo") {
		t.Errorf("ports in order: %v", err)
	}
}

// TestUopChoice wants uops refused that may use more ports or schedulers than a pipeline keeps of one, and the largest taken.
func TestUopChoice(t *testing.T) {
	file := func(schedulers []string, ports string) string {
		text := "name = \"x\"\nbase = \"core2-merom\"\n[class]\nlea = { ports = \"" + ports + "\", rule = 23, source = \"choice\" }\n[scheduler]\n"
		for i, s := range schedulers {
			text += string(rune('a'+i)) + " = { ports = \"" + s + "\", entries = 8, rule = 9, source = \"choice\" }\n"
		}
		return text
	}
	one, five := []string{"6789abcdef"}, []string{"6", "7", "89", "a"}
	for _, c := range []struct {
		schedulers  []string
		ports, want string
	}{
		{one, "p6789abcd", ""},
		{one, "p0+2p6789abcde", `x.toml:4: class lea: ports "p0+2p6789abcde": a uop can use up to 8 ports of one scheduler; 9 of a are given`},
		{five, "p067a", ""},
		{five, "p067+p06789a", `x.toml:4: class lea: ports "p067+p06789a": a uop can use ports of up to 4 schedulers; these are of 5`},
	} {
		if _, err := Parse("x.toml", []byte(file(c.schedulers, c.ports))); (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%s: %v, want %q", c.ports, err, c.want)
		}
	}
}

func TestSetScheduler(t *testing.T) {
	c := mustLoad(t, "core2")
	hash := c.Hash()
	for _, key := range []string{"scheduler.rs", "rs"} {
		if err := c.Set(key, "24"); err != nil || c.Schedulers["rs"].Entries != 24 {
			t.Errorf("%s: %v, %+v", key, err, c.Schedulers["rs"])
		}
	}
	if c.Hash() == hash || mustLoad(t, "core2").Schedulers["rs"].Entries != 32 {
		t.Error("the hash did not change, or the file of the next load did")
	}
	if err := c.Set("rs", "0"); err == nil || err.Error() != "--set rs: 0 is outside 1 to 126 (entries)" {
		t.Errorf("%v", err)
	}
}
