package ciphers

import "testing"

// The time to read every kernel file.
func BenchmarkCatalogue(b *testing.B) {
	for b.Loop() {
		if _, err := Read(embedded); err != nil {
			b.Fatal(err)
		}
	}
}

// The time until one kernel is at hand, the largest part of starting the tool.
func BenchmarkFind(b *testing.B) {
	for b.Loop() {
		if _, err := Find("aes128/fixsliced"); err != nil {
			b.Fatal(err)
		}
	}
}
