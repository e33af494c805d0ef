// Package nearest finds the name that was probably meant. It knows no names itself.
package nearest

import "strings"

// longest bounds the words that are looked for, in bytes: nobody means a longer one.
const longest = 100

// Name returns the entry of names closest to word, or "" if none is close: at most a
// third of the word, rounded, may differ, or the word is a part of the entry.
func Name(word string, names []string) string {
	if len(word) > longest {
		return ""
	}
	best, bestDistance := "", (len(word)+1)/3+1
	for _, n := range names {
		if d := distance(word, n); d < bestDistance {
			best, bestDistance = n, d
		}
	}
	if best != "" || len(word) < 3 {
		return best
	}
	for _, n := range names {
		if strings.Contains(n, word) {
			return n
		}
	}
	return ""
}

// Hint is " (did you mean X?)" for the nearest name X, "" if none is close.
func Hint(word string, names []string) string {
	if n := Name(word, names); n != "" {
		return " (did you mean " + n + "?)"
	}
	return ""
}

// distance is the number of single bytes inserted, deleted or replaced and of neighbours
// exchanged (optimal string alignment).
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	before, above, row := rows[0], rows[1], rows[2]
	for j := range above {
		above[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := above[j]
			if a[i] != b[j] {
				cost++
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				cost = min(cost, before[j-1]+1)
			}
			row[j+1] = min(cost, above[j+1]+1, row[j]+1)
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
