package ciphers

import "testing"

func BenchmarkCatalogue(b *testing.B) {
	for b.Loop() {
		if _, err := Read(embedded); err != nil {
			b.Fatal(err)
		}
	}
}
