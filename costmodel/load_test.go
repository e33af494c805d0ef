package costmodel

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func mustLoad(t *testing.T, name string) *CPU {
	t.Helper()
	c, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEveryFile(t *testing.T) {
	names := Names()
	if len(names) < 5 {
		t.Fatalf("only %v", names)
	}
	hashes := map[string]string{}
	for _, name := range names {
		c := mustLoad(t, name)
		if c.Name != name || c.Title == "" {
			t.Errorf("%s.toml says name = %q, title = %q", name, c.Name, c.Title)
		}
		if len(c.NotModelled) == 0 {
			t.Errorf("%s: not_modelled is empty", name)
		}
		if other := hashes[c.Hash()]; other != "" {
			t.Errorf("%s and %s have one hash", name, other)
		}
		hashes[c.Hash()] = name
		for _, n := range c.Numbers() {
			if n.Source == "" || n.Kind == "" || n.Text == "" {
				t.Errorf("%s: %+v is incomplete", name, n)
			}
		}
	}
}

func TestInheritance(t *testing.T) {
	m3, m4 := mustLoad(t, "cortex-m3"), mustLoad(t, "cortex-m4")
	if m3.Classes["mla"].Cycles != 2 || m4.Classes["mla"].Cycles != 1 {
		t.Error("mla: cortex-m4 does not override cortex-m3")
	}
	if m4.Classes["load"] != m3.Classes["load"] || m4.Memory != m3.Memory {
		t.Error("cortex-m4 does not inherit loads and memory")
	}
	if len(m3.Aliases) != 0 && cmp.Equal(m3.Aliases, m4.Aliases) {
		t.Error("aliases are inherited")
	}
	if c := mustLoad(t, "fe310-g002"); c.Name != "sifive-e31" {
		t.Errorf("alias fe310-g002 gives %s", c.Name)
	}
}

func TestClassFallsBackToLongestPrefix(t *testing.T) {
	c := mustLoad(t, "cortex-m3")
	for class, want := range map[string]Class{
		"load.word.index": {Cycles: 2, Latency: 2},
		"load.double":     {Cycles: 3, Latency: 3},
		"store.word.reg":  {Cycles: 2, Latency: 2},
		"store.word":      {Cycles: 1, Latency: 1},
		"mul.long":        {Cycles: 3, Latency: 3, Max: 5},
		"mul":             {Cycles: 1, Latency: 1},
	} {
		got, err := c.Class(class)
		if err != nil {
			t.Fatal(err)
		}
		got.Rule, got.Source = 0, ""
		if got != want {
			t.Errorf("%s: %+v, want %+v", class, got, want)
		}
	}
	if _, err := c.Class("vec.logic"); err == nil || !strings.Contains(err.Error(), `"vec.logic"`) {
		t.Errorf("vec.logic: %v", err)
	}
	if got := mustLoad(t, "sifive-e31").Latency("load.byte"); got != 3 {
		t.Errorf("sifive-e31 load.byte latency %d, want 3", got)
	}
}

func TestNumbers(t *testing.T) {
	got := map[string]string{}
	for _, n := range append(mustLoad(t, "cortex-m3").Numbers(), mustLoad(t, "fe310-g000").Numbers()...) {
		got[n.Key] = n.Text + " | " + n.Kind
	}
	for key, want := range map[string]string{
		"alu": "1 cycle | doc", "div": "1 cycle, latency 2 to 33 | doc", "load.word": "1 cycle, latency 2 | doc",
		"mul.long": "3 to 5 cycles | doc", "pair_loads": "yes | doc", "it_fold": "yes | doc",
		"ras_entries": "2 entries | doc", "refill": "1 cycle | fit",
	} {
		if got[key] != want {
			t.Errorf("%s: %q, want %q", key, got[key], want)
		}
	}
}

// child is a small CPU file on a base, with room for a fault.
const child = `name = "mine"
base = "cortex-m3"
[sources]
lab = { kind = "meas", title = "our board" }
[param]
refill = { value = 2, rule = 20, source = "lab page 3" }
`

func TestBadFiles(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"unknown key":       {`name = "mine"`, "name = \"mine\"\nspeed = 3", "f.toml:2: unknown key speed"},
		"unknown in row":    {"value = 2", "value = 2, valu = 3", "f.toml:6: unknown key param.valu"},
		"wrong type":        {"value = 2", `value = "2"`, "f.toml:6:"},
		"syntax":            {"[param]", "[param", "f.toml:5:"},
		"unknown parameter": {"refill =", "refil =", `f.toml:6: pipeline cortex-m has no parameter "refil" (did you mean refill?)`},
		"out of range":      {"value = 2", "value = 99", "f.toml:6: param refill: 99 is outside 0 to 16 (cycles)"},
		"no such rule":      {"rule = 20", "rule = 99", "f.toml:6: param refill: rule 99 does not exist; add it to [rule]"},
		"no such source":    {`"lab page 3"`, `"lib page 3"`, `f.toml:6: param refill: source "lib" is not in [sources] (did you mean lab?)`},
		"unknown kind":      {`"meas"`, `"guess"`, `f.toml:4: source lab: unknown kind "guess"`},
		"unknown base":      {`"cortex-m3"`, `"cortex-m33"`, `f.toml:2: base: unknown CPU "cortex-m33" (did you mean cortex-m3?)`},
		"rule not cited":    {"[sources]", "[rule]\n77 = \"x\"\n[sources]", "f.toml:4: rule 77: no number cites it"},
		"rule of nothing":   {"[sources]", "[rule]\n20 = \"{refil}\"\n[sources]", "f.toml:4: rule 20: {refil} names no class, parameter or number of a region (did you mean refill?)"},
		"rule not a number": {"[sources]", "[rule]\na = \"x\"\n[sources]", `f.toml:4: rule "a": a rule's key is its number, from 1`},
		"unknown pipeline":  {`name = "mine"`, "name = \"mine\"\npipeline = \"x\"", `f.toml:2: unknown pipeline "x"`},
		"no isa":            {`base = "cortex-m3"`, "", "f.toml: no isa"},
		"no name":           {`name = "mine"`, "", "f.toml: no name"},
		"negative class":    {"[param]", "[class]\nalu = { cycles = -1, rule = 1, source = \"lab\" }\n[param]", "f.toml:6: class alu: cycles cannot be negative"},
		"bad max":           {"[param]", "[class]\ndiv = { cycles = 5, max = 3, rule = 6, source = \"lab\" }\n[param]", "f.toml:6: class div: max 3 is below 5"},
		"no memory":         {"[param]", "[memory]\ncode = { base = 0, size = 0 }\n[param]", "f.toml:6: memory code: size 0"},
		"overlap":           {"[param]", "[memory]\ncode = { base = 0, size = 9 }\ndata = { base = 8, size = 9 }\nstack = { base = 99, size = 9 }\n[param]", "f.toml:7: memory data overlaps code"},
		"much memory":       {"[param]", "[memory]\ncode = { base = 0, size = 9 }\ndata = { base = 0x20000000, size = 0x4000000 }\n[param]", "f.toml:7: memory data: size 0x4000000: code, data and stack can have up to 0x4000000 bytes together"},
		"endless memory":    {"[param]", "[memory]\ncode = { base = 0, size = 9 }\ndata = { base = 0x20000000, size = 0x7fffffff00000000 }\n[param]", "f.toml:7: memory data: size 0x7fffffff00000000: code"},
		"name of a folder":  {`"mine"`, `"../mine"`, `f.toml:1: name "../mine": up to 64 letters, digits and . _ + - are possible`},
		"name of two lines": {`"mine"`, `"mi\nne"`, `f.toml:1: name "mi\nne": up to`},
		"name of a list":    {`"mine"`, `"mine,yours"`, `f.toml:1: name "mine,yours": up to`},
		"long name":         {`"mine"`, `"` + strings.Repeat("mine", 17) + `"`, `f.toml:1: name "mine`},
		"budget":            {`name = "mine"`, "name = \"mine\"\ncode_budget = { value = 1 }", "f.toml:2: code_budget needs"},
		"nested class":      {"[param]", "[class]\nload.word = { cycles = 1 }\n[param]", "f.toml:6: unknown key class.load.word"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(child, c.old, c.new, 1)
			if text == child {
				t.Fatal("nothing was replaced")
			}
			_, err := Parse("f.toml", []byte(text))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Fatalf("got %v\nwant %s", err, c.want)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("not one line: %v", err)
			}
		})
	}
}

func TestMissingNumbers(t *testing.T) {
	_, err := Parse("f.toml", []byte(`name = "x"
title = "x"
isa = "t32"
pipeline = "cortex-m"
code_budget = { value = 1, why = "y" }
[memory]
code = { base = 0, size = 9 }
data = { base = 16, size = 9 }
stack = { base = 99, size = 9 }
[sources]
lab = { kind = "meas", title = "our board" }
[rule]
1 = "x"
[class]
alu = { cycles = 1, rule = 1, source = "lab" }
`))
	want := "f.toml: pipeline cortex-m needs [param] word (cycles: each word of LDM, STM, PUSH, POP after the first)"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestLoadPath(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	parent := write("parent.toml", child)
	kid := write("kid.toml", "name = \"kid\"\nbase = \"parent.toml\"\n")
	loop := write("loop.toml", "name = \"loop\"\nbase = \"loop.toml\"\n")

	if c := mustLoad(t, parent); c.Param("refill") != 2 {
		t.Errorf("refill = %d, want 2", c.Param("refill"))
	}
	if c := mustLoad(t, kid); c.Title != "variant of variant of "+mustLoad(t, "cortex-m3").Title {
		t.Errorf("a file without a title has the title %q", c.Title)
	}
	if c := mustLoad(t, kid); c.Name != "kid" || c.Param("refill") != 2 {
		t.Errorf("%s: refill = %d, want 2 from parent.toml", c.Name, c.Param("refill"))
	}
	if _, err := Load(loop); err == nil || !strings.Contains(err.Error(), "does a base name itself?") {
		t.Errorf("a base that is its own base: %v", err)
	}
	for _, name := range []string{filepath.Join(dir, "none.toml"), dir + "/", "cortx-m3", ""} {
		if _, err := Load(name); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("Load(%q): %v", name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(child))
	f.Add([]byte(aBoard))
	f.Add([]byte("name = \"a\"\nbase = \"znver3\"\nhosts = [{ vendor = \"v\", family = 6, models = [[1, 2], [3]], source = \"cpuid\" }]\n"))
	f.Add([]byte("name = 3"))
	f.Add([]byte("[[class]]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("f.toml", data)
		if err == nil && (c.Hash() == "" || c.Name == "") {
			t.Error("a file without a name was accepted")
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("not one line: %q", err)
		}
	})
}
