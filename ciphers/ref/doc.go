// Package ref has slow plain references of the ciphers, written from their specifications,
// for tests. It must not know the kernel language or any kernel.
package ref

// Trace encrypts one block and returns the state after each round: element 0 is the block
// itself, the last one the ciphertext. Lengths are those of the cipher; others panic.
type Trace func(key, block []byte) [][]byte

// Ciphers has the references by the name that kernels use before the slash.
func Ciphers() map[string]Trace {
	return map[string]Trace{
		"aes128":   AES,
		"aes256":   AES,
		"gift64":   GIFT64,
		"gift128":  GIFT128,
		"giftb128": GIFTb128,
		"kasumi":   KASUMI,
	}
}
