package input

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestJSONError(t *testing.T) {
	for text, want := range map[string]string{
		``:                       "the file ends too early; is it truncated?",
		`{"n": 1`:                "the file ends too early; is it truncated?",
		`[]`:                     "expected an object, found array",
		`{"n": "x"}`:             `field "n" has the wrong type: string`,
		`{"in": {"list": [-1]}}`: `field "in.list" has the wrong type: number -1`,
		`{n}`:                    "invalid character 'n' looking for beginning of object key string",
	} {
		var v struct {
			N  int `json:"n"`
			In struct {
				List []uint8 `json:"list"`
			} `json:"in"`
		}
		for how, err := range map[string]error{
			"Unmarshal": json.Unmarshal([]byte(text), &v),
			"Decode":    json.NewDecoder(strings.NewReader(text)).Decode(&v),
		} {
			if got := JSONError(err).Error(); got != want {
				t.Errorf("%s %s: %s, want %s", how, text, got, want)
			}
		}
	}
}
