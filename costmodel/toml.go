package costmodel

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"simrun/internal/input"
)

// positioned turns an error of the TOML reader into one line with file and line.
func positioned(name string, err error) error {
	line, column, message := input.TOMLError(err)
	switch {
	case line == 0:
		return fmt.Errorf("%s: %s", name, message)
	case column == 0:
		return fmt.Errorf("%s:%d: %s", name, line, message)
	}
	return fmt.Errorf("%s:%d:%d: %s", name, line, column, message)
}

// refuseControl refuses keys and texts with control characters (TOML has escapes for them), which
// would reach a terminal when the CPU is printed. Line ends and tabs may stand in a text.
func refuseControl(name string, data []byte) error {
	var all map[string]any
	if err := toml.Unmarshal(data, &all); err != nil {
		return positioned(name, err)
	}
	if text, bad := findControl(all); bad {
		return fmt.Errorf("%s: the text \"%s\" has a control character", name, input.Clip(text))
	}
	return nil
}

// findControl returns the first text with a control character, tables in the order of their keys.
func findControl(v any) (text string, bad bool) {
	switch v := v.(type) {
	case string:
		return v, strings.ContainsFunc(v, func(r rune) bool { return r != '\n' && r != '\t' && unicode.IsControl(r) })
	case []any:
		for _, e := range v {
			if text, bad := findControl(e); bad {
				return text, true
			}
		}
	case map[string]any:
		for _, k := range sorted(v) {
			if input.Printable(k) != k {
				return k, true
			}
			if text, bad := findControl(v[k]); bad {
				return text, true
			}
		}
	}
	return "", false
}
