// Package structure holds the tests of the project as a whole: who may import whom,
// and what adding a CPU or a cipher costs. It has no code of its own.
package structure
