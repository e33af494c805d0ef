package costmodel

import "testing"

func TestEveryFileLoads(t *testing.T) {
	for _, name := range Names() {
		c, err := Load(name)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if c.Name != name {
			t.Errorf("%s.toml says name = %q", name, c.Name)
		}
	}
}
