//go:build !unix || !(amd64 || arm64)

package native

// trap fills unused code memory.
const trap = 0

func mapCode(int, func([]byte)) ([]byte, error) { return nil, ErrUnsupported }

func unmapCode([]byte) error { return ErrUnsupported }

func enter(code, ctx uintptr) {}

func timed(code, ctx uintptr, n uint64) uint64 { return 0 }

func loopCode(count uint32, body []byte) []byte { return body }

func chainBody(ops int) []byte { return make([]byte, ops) }

func vectorBody(ops int) []byte { return make([]byte, ops) }

func mixedBody(ops int) []byte { return make([]byte, ops) }
