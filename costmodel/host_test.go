package costmodel

import (
	"strings"
	"testing"
)

// TestHosts recognises processors by what they say of themselves.
func TestHosts(t *testing.T) {
	for _, c := range []struct {
		what          string
		vendor        string
		family, model int
		want          string
	}{
		{"Merom, Conroe", "GenuineIntel", 6, 15, "core2-merom"},
		{"Merom-L", "GenuineIntel", 6, 22, "core2-merom"},
		{"Penryn, Yorkfield", "GenuineIntel", 6, 23, "core2-penryn"},
		{"Dunnington", "GenuineIntel", 6, 29, "core2-penryn"},
		{"Yonah", "GenuineIntel", 6, 14, ""},
		{"Nehalem", "GenuineIntel", 6, 26, ""},
		{"Pentium 4", "GenuineIntel", 15, 6, ""},
		{"Milan", "AuthenticAMD", 25, 0x01, "znver3"},
		{"Chagall", "AuthenticAMD", 25, 0x08, "znver3"},
		{"Vermeer", "AuthenticAMD", 25, 0x21, "znver3"},
		{"Rembrandt", "AuthenticAMD", 25, 0x44, "znver3"},
		{"Cezanne", "AuthenticAMD", 25, 0x50, "znver3"},
		{"Genoa, Zen 4", "AuthenticAMD", 25, 0x11, ""},
		{"Raphael, Zen 4", "AuthenticAMD", 25, 0x61, ""},
		{"Rome, Zen 2", "AuthenticAMD", 23, 0x31, ""},
		{"Turin, Zen 5", "AuthenticAMD", 26, 0x02, ""},
		{"another vendor", "CentaurHauls", 6, 15, ""},
		{"unknown", "", 0, 0, ""},
	} {
		got, err := ModelOf(Processor{c.vendor, c.family, c.model})
		if err != nil || got != c.want {
			t.Errorf("%s (%s family %d model %d): %q, %v, want %q", c.what, c.vendor, c.family, c.model, got, err, c.want)
		}
	}
}

// TestHostsAreApart: no processor has two models.
func TestHostsAreApart(t *testing.T) {
	owner := map[Processor]string{}
	for _, name := range Names() {
		for _, h := range mustLoad(t, name).Hosts {
			for _, r := range h.Models {
				for m := r[0]; m <= r[1]; m++ {
					p := Processor{h.Vendor, h.Family, m}
					if other := owner[p]; other != "" {
						t.Errorf("%s and %s are both the model of %v", name, other, p)
					}
					owner[p] = name
				}
			}
		}
	}
	if len(owner) < 4 {
		t.Errorf("only %d processors are modelled", len(owner))
	}
}

// TestVariantIsNoModel: a file on the base of a host's model says itself what it is the model of, or it is of nothing.
func TestVariantIsNoModel(t *testing.T) {
	c, err := Parse("f.toml", []byte("name = \"faster\"\nbase = \"znver3\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if milan := (Processor{"AuthenticAMD", 25, 1}); c.Models(milan) || !mustLoad(t, "znver3").Models(milan) {
		t.Error("a variant inherits the hosts of its base")
	}
}

func TestBadHosts(t *testing.T) {
	const good = `{ vendor = "GenuineIntel", family = 6, models = [[15, 15], [22, 22]], source = "cpuid" }`
	for name, c := range map[string]struct{ base, old, new, want string }{
		"good":         {"core2-merom", "", "", ""},
		"other isa":    {"cortex-m3", "", "", "only processors of x86 are known by vendor, family and model; this CPU is of t32"},
		"no cycles":    {"x86-64-ssse3", "", "", "a CPU without cycles is the model of no processor"},
		"no vendor":    {"core2-merom", "GenuineIntel", "", "a vendor, a family and models = [[first, last], ..] are needed"},
		"no models":    {"core2-merom", "[[15, 15], [22, 22]]", "[]", "a vendor, a family and models"},
		"family":       {"core2-merom", "family = 6", "family = 300", "family 300 is outside 1 to 270"},
		"no family":    {"core2-merom", "family = 6, ", "", "a vendor, a family and models"},
		"below 0":      {"core2-merom", "family = 6", "family = -6", "family -6 is outside 1 to 270"},
		"long vendor":  {"core2-merom", "GenuineIntel", "Genuine Intel", `vendor "Genuine Intel": CPUID gives up to 12 printable letters`},
		"lines":        {"core2-merom", "GenuineIntel", `a\nb`, `vendor "a\nb": CPUID gives`},
		"model":        {"core2-merom", "[22, 22]", "[22, 256]", "models [22 256]: want [first, last] with 0 <= first <= last <= 255"},
		"one number":   {"core2-merom", "[15, 15]", "[15]", "models [15]: want [first, last]"},
		"wrong way":    {"core2-merom", "[15, 15]", "[15, 14]", "models [15 14]: want [first, last]"},
		"no source":    {"core2-merom", `"cpuid"`, `"cpuida"`, `source "cpuida" is not in [sources] (did you mean cpuid?)`},
		"unknown key":  {"core2-merom", "family", "famly", "unknown key famly"},
		"no such type": {"core2-merom", `"GenuineIntel"`, "6", ""},
	} {
		_, err := Parse("f.toml", []byte("name = \"mine\"\nbase = \""+c.base+"\"\nhosts = ["+strings.Replace(good, c.old, c.new, 1)+"]\n"))
		if name == "good" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), "f.toml:3:") || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
