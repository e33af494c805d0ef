package costmodel

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"simrun/internal/input"
)

// positioned turns an error of the TOML reader into one line with file and line.
func positioned(name string, err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		e := strict.Errors[0]
		line, _ := e.Position()
		return fmt.Errorf("%s:%d: unknown key %s", name, line, keyName(e.Key()))
	}
	var de *toml.DecodeError
	if errors.As(err, &de) {
		line, column := de.Position()
		return fmt.Errorf("%s:%d:%d: %s", name, line, column, plainTOML(keyName(de.Key()), de.Error()))
	}
	return fmt.Errorf("%s: %s", name, plainTOML("a value", err.Error()))
}

func keyName(k toml.Key) string { return input.Clip(strings.Join(k, ".")) }

// mismatches are the messages of the reader that name types of Go: what was found, and the type
// wanted in its last word.
var mismatches = []*regexp.Regexp{
	regexp.MustCompile(`^cannot decode TOML (.+?) into (?:.* )?(\S+)$`),
	regexp.MustCompile(`^(integer value \S+) cannot be stored in (?:.* )?(\S+)$`),
	regexp.MustCompile(`^(negative integer value \S+) cannot be stored in (?:.* )?(\S+)$`),
	regexp.MustCompile(`^cannot store (?:a |an )?(.+?) in(?:to)? (?:.* )?(\S+)$`),
}

// plainTOML says in a CPU file's own words what the reader found.
func plainTOML(key, message string) string {
	message = strings.TrimPrefix(message, "toml: ")
	for _, m := range mismatches {
		if found := m.FindStringSubmatch(message); found != nil {
			return fmt.Sprintf("%s must be %s, not: %s", key, typeWords(found[2]), input.Clip(found[1]))
		}
	}
	return message
}

// typeWords describes what a field of a Go type holds.
func typeWords(goType string) string {
	switch t := strings.TrimPrefix(goType, "*"); {
	case strings.HasPrefix(t, "[]"):
		return "a list"
	case strings.HasPrefix(t, "int"):
		return "a whole number"
	case strings.HasPrefix(t, "uint"):
		return "a whole number from 0"
	case t == "string":
		return "a text in quotes"
	case t == "bool":
		return "true or false"
	}
	return "a table"
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
