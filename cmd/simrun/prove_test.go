package main

import (
	"strings"
	"testing"

	"simrun/programs/prove"
)

// TestProofsThatFail prints what no right compiler shows: a counterexample, and bits that stay open.
func TestProofsThatFail(t *testing.T) {
	refuted := &prove.Result{Bits: 64, Proven: 63, Open: []string{"y[1]"}, Counter: &prove.Counterexample{
		Inputs: map[string][]byte{"x": {0xab, 0xcd}, "k": {1}}, Output: "y", Text: []byte{0, 2}, Code: []byte{0, 3},
	}}
	open := &prove.Result{Bits: 64, Proven: 60, Open: []string{"y[0]", "y[1]"}, OpenMore: true}
	for _, c := range []struct {
		result *prove.Result
		lines  []string
		err    string
	}{
		{refuted, []string{"63 of 64 output bits", "not proven: bits of y[1]\n", "with  k = 01\n    with  x = abcd\n", "text  y = 0002\n", "code  y = 0003\n"},
			"own/k on cpu: machine code and text differ"},
		{open, []string{"60 of 64 output bits", "not proven: bits of y[0], y[1] and others\n"}, "own/k on cpu: 4 of 64 output bits are neither proven nor refuted"},
	} {
		list := []proven{{kernel: "own/k", cpu: "cpu", Result: c.result}}
		var text, json strings.Builder
		if err := writeProofs(&text, list); err != nil {
			t.Fatal(err)
		}
		if err := writeProofsJSON(&json, list); err != nil {
			t.Fatal(err)
		}
		for _, line := range c.lines {
			if !strings.Contains(text.String(), line) {
				t.Errorf("%q is not in\n%s", line, text.String())
			}
		}
		if !strings.Contains(json.String(), `"equal": false`) || (c.result.Counter != nil) != strings.Contains(json.String(), `"code": "0003"`) {
			t.Errorf("JSON form:\n%s", json.String())
		}
		if err := unproven(list); err == nil || err.Error() != c.err {
			t.Errorf("the error is %v, want %s", err, c.err)
		}
	}
}
