package costmodel

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// aBoard is a small board file, with room for a fault.
const aBoard = `name = "mine"
base = "cortex-m3"
[memory]
code  = { base = 0x1000, size = 0x1000 }
data  = { base = 0x20000000, size = 0x800 }
stack = { base = 0x20000800, size = 0x800 }
[sources]
lab = { kind = "meas", title = "our board" }
[rule]
40 = "Flash is slow."
41 = "Flash is wide."
[[region]]
name = "flash"
kind = "flash"
base = 0x1000
size = 0x1000
rule = 40
source = "lab"
wait_states = { value = 3, rule = 40, source = "lab page 1" }
line_bytes = { value = 16, rule = 41, source = "lab page 2" }
[[region]]
name = "ram"
kind = "sram"
base = 0x20000000
size = 0x1000
rule = 41
source = "lab"
`

func TestEveryBoard(t *testing.T) {
	if boards := Boards(); len(boards) < 5 {
		t.Fatalf("only %v", boards)
	}
	hashes := map[string]string{}
	for _, name := range Boards() {
		c := mustLoad(t, name)
		if c.Name != name || c.Title == "" || len(c.NotModelled) == 0 || len(c.Regions) < 2 {
			t.Errorf("%s.toml: name %q, title %q, %d regions", name, c.Name, c.Title, len(c.Regions))
		}
		if slices.Contains(Names(), name) {
			t.Errorf("%s stands among the CPUs", name)
		}
		base := mustLoad(t, c.Base)
		if base.Pipeline != c.Pipeline || base.Hash() == c.Hash() || hashes[c.Hash()] != "" {
			t.Errorf("%s: pipeline %s, hash as of %s or %q", name, c.Pipeline, c.Base, hashes[c.Hash()])
		}
		hashes[c.Hash()] = name
		for _, n := range c.Numbers() {
			if n.Source == "" || n.Kind == "" || n.Text == "" {
				t.Errorf("%s: %+v is incomplete", name, n)
			}
		}
	}
}

func TestRegionNumbersExist(t *testing.T) {
	var r Region
	seen := map[*Parameter]bool{}
	for _, info := range RegionNumbers {
		p := r.Number(info.Name)
		if p == nil || seen[p] {
			t.Errorf("%s: no number of its own", info.Name)
		}
		seen[p] = true
	}
	if r.Number("speed") != nil {
		t.Error("a number that is not in the list exists")
	}
}

func TestRegionsAreFound(t *testing.T) {
	c, err := Parse("f.toml", []byte(aBoard))
	if err != nil {
		t.Fatal(err)
	}
	for addr, want := range map[uint64]string{0xfff: "", 0x1000: "flash", 0x1ffc: "flash", 0x1ffd: "", 0x20000ffc: "ram", ^uint64(0) - 1: ""} {
		got := ""
		if r := c.RegionAt(addr, 4); r != nil {
			got = r.Name
		}
		if got != want {
			t.Errorf("4 bytes at %#x lie in %q, want %q", addr, got, want)
		}
	}
	if c.Region("flash").WaitStates.Value != 3 || c.Region("none") != nil {
		t.Error("regions by name")
	}
	var keys []string
	for _, n := range c.Numbers() {
		if strings.HasPrefix(n.Key, "flash") {
			keys = append(keys, n.Key+" "+n.Text)
		}
	}
	want := []string{"flash flash, 4 KiB at 0x1000", "flash.wait_states 3 cycles", "flash.line_bytes 16 bytes"}
	if !slices.Equal(keys, want) {
		t.Errorf("numbers %q, want %q", keys, want)
	}
}

func TestRegionErrors(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"outside":        {"size = 0x800 }\nstack", "size = 0x400 }\nstack", ""},
		"placement":      {"base = 0x20000000, size = 0x800", "base = 0x30000000, size = 0x800", "f.toml:5: memory data: 2048 bytes at 0x30000000 lie in no [[region]]"},
		"kind":           {`kind = "sram"`, `kind = "fram"`, `f.toml:21: region "ram": unknown kind "fram"; it is one of ccm, dtim, flash, itim, qspi, sram`},
		"no name":        {`name = "ram"`, "", `f.toml:21: region "": it needs a name without a dot`},
		"two lines":      {`name = "ram"`, `name = "r\nam"`, `f.toml:21: region "r\nam": its name: up to 64 letters, digits and . _ + - are possible`},
		"same name":      {`name = "ram"`, `name = "flash"`, `f.toml:21: region "flash": there are two of that name`},
		"overlap":        {"base = 0x20000000\n", "base = 0x1800\n", `f.toml:21: region "ram": it overlaps flash`},
		"no size":        {"size = 0x1000\nrule = 41", "rule = 41", `f.toml:21: region "ram": size 0 at 0x20000000: it must be over 0 and not wrap around`},
		"range":          {"value = 3", "value = 5000", `f.toml:12: region "flash": wait_states: 5000 is outside 0 to 4096 (cycles)`},
		"line":           {"value = 16", "value = 12", `f.toml:12: region "flash": line_bytes 12 must be a power of two and divide the base`},
		"ahead":          {"[[region]]\nname = \"ram\"", "fetch_ahead = { value = 32, rule = 40, source = \"lab\" }\nprefetch = { value = 1, rule = 40, source = \"lab\" }\n[[region]]\nname = \"ram\"", ""},
		"too far ahead":  {"line_bytes = { value = 16, rule = 41", "fetch_ahead = { value = 24, rule = 40, source = \"lab\" }\nline_bytes = { value = 4, rule = 41", `f.toml:12: region "flash": fetch_ahead and prefetch reach over 4 lines`},
		"no such rule":   {"value = 3, rule = 40", "value = 3, rule = 90", "f.toml: region flash.wait_states: rule 90 does not exist; add it to [rule]"},
		"no such source": {`source = "lab page 2"`, `source = "lub"`, `f.toml: region flash.line_bytes: source "lub" is not in [sources] (did you mean lab?)`},
		"unknown key":    {"line_bytes", "linebytes", "f.toml:20: unknown key region.linebytes"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(aBoard, c.old, c.new, 1)
			if text == aBoard {
				t.Fatal("nothing was replaced")
			}
			_, err := Parse("f.toml", []byte(text))
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestSetRegion(t *testing.T) {
	c := mustLoad(t, "stm32f103-72mhz")
	hash := c.Hash()
	for key, n := range map[string]string{"flash.wait_states": "0", "region.flash.code_lines": "7"} {
		if err := c.Set(key, n); err != nil {
			t.Errorf("Set %s: %v", key, err)
		}
	}
	if f := c.Region("flash"); f.WaitStates.Value != 0 || f.CodeLines.Value != 7 || f.CodeLines.Rule != f.Rule {
		t.Errorf("%+v", f)
	}
	if c.Hash() == hash || mustLoad(t, "stm32f103-72mhz").Hash() != hash {
		t.Error("the hash did not change, or the change reached the file of the next load")
	}
	for kv, want := range map[[2]string]string{
		{"flash.line_bytes", "24"}:    "--set flash.line_bytes=24: line_bytes 24 must be a power of two and divide the base",
		{"flash.wait_states", "9999"}: "--set flash.wait_states: 9999 is outside 0 to 4096 (cycles)",
		{"flash.speed", "1"}:          "--set flash.speed: stm32f103-72mhz has no such parameter or timing class",
	} {
		if err := c.Set(kv[0], kv[1]); err == nil || err.Error() != want {
			t.Errorf("Set%v: %v, want %s", kv, err, want)
		}
	}
}

// TestBoardOfTheDocs reads the example of docs/boards.md.
func TestBoardOfTheDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/boards.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "        name = \"my-board\"")
	text, _, _ = strings.Cut(text, "\n   Numbers left out")
	c, err := Parse("my-board.toml", []byte("name = \"my-board\""+text))
	if err != nil {
		t.Fatal(err)
	}
	if f := c.Region("flash"); f == nil || f.WaitStates.Value != 1 || f.LineLen() != 4 {
		t.Errorf("flash of the example: %+v", f)
	}
}

func TestPlaced(t *testing.T) {
	c := mustLoad(t, "stm32f103-72mhz")
	moved, err := c.Placed(6)
	if err != nil || moved.Memory.Code.Base != c.Memory.Code.Base+6 || moved.Memory.Code.Size != c.Memory.Code.Size-6 {
		t.Errorf("placed at %+v, %v", moved.Memory.Code, err)
	}
	if moved.Memory.Data != c.Memory.Data || c.Memory.Code.Base != 0x08000000 {
		t.Error("more than the code of the copy has moved")
	}
	if _, err := c.Placed(c.Memory.Code.Size); err == nil {
		t.Error("code behind its region: no error")
	}
}
