// Package compare says what changed between two sets of results. It knows rows only, and nothing of how
// they are made.
package compare
