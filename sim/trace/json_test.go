package trace

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJSON(t *testing.T) {
	want := `{"index":4,"start":7,"cycles":3,"pc":"0x8000000","text":"eor.w r0, r1, r2","causes":{"issue":1,"load-use":1,"fetch":1}}
{"index":5,"start":10,"cycles":1,"pc":"0x8000000","text":"eor.w r0, r1, r2","skipped":true,"causes":{"issue":1}}
{"index":6,"start":11,"cycles":2,"pc":"0x8000004","text":"bx lr","causes":{"issue":1,"branch":1}}
{"index":7,"start":13,"cycles":0,"pc":"0x9000000","text":"?","causes":{}}
`
	got := write(t, NewJSON, records)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for line := range strings.Lines(got) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
}
