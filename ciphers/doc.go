// Package ciphers is the catalogue of kernels and their test vectors: one folder per cipher
// family, found by embedding, so that a cipher needs no Go. It must not know machines,
// compilers or simulators.
package ciphers
