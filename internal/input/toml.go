package input

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// TOMLError says what the TOML reader found in the words of the file, not in those of Go, and where: line and column are
// 0 if that is not known.
func TOMLError(err error) (line, column int, message string) {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		line, _ = strict.Errors[0].Position()
		return line, 0, "unknown key " + keyName(strict.Errors[0].Key())
	}
	var de *toml.DecodeError
	if errors.As(err, &de) {
		line, column = de.Position()
		return line, column, plainTOML(keyName(de.Key()), de.Error())
	}
	return 0, 0, plainTOML("a value", err.Error())
}

func keyName(k toml.Key) string { return Clip(strings.Join(k, ".")) }

// mismatches are the messages of the reader that name types of Go: what was found, and the type
// wanted in its last word.
var mismatches = []*regexp.Regexp{
	regexp.MustCompile(`^cannot decode TOML (.+?) into (?:.* )?(\S+)$`),
	regexp.MustCompile(`^(integer value \S+) cannot be stored in (?:.* )?(\S+)$`),
	regexp.MustCompile(`^(negative integer value \S+) cannot be stored in (?:.* )?(\S+)$`),
	regexp.MustCompile(`^cannot store (?:a |an )?(.+?) in(?:to)? (?:.* )?(\S+)$`),
}

// plainTOML says in a file's own words what the reader found.
func plainTOML(key, message string) string {
	message = strings.TrimPrefix(message, "toml: ")
	for _, m := range mismatches {
		if found := m.FindStringSubmatch(message); found != nil {
			return fmt.Sprintf("%s must be %s, not: %s", key, typeWords(found[2]), Clip(found[1]))
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
	case strings.HasPrefix(t, "float"):
		return "a number"
	case t == "string":
		return "a text in quotes"
	case t == "bool":
		return "true or false"
	}
	return "a table"
}
