// Package nearest finds the name that was probably meant. It knows no names itself.
package nearest

import "strings"

// Name returns the entry of names closest to word, or "" if none is close: at most a
// third of the word may differ, or the word is a part of the entry.
func Name(word string, names []string) string {
	best, bestDistance := "", len(word)/3+1
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

// distance is the number of single bytes inserted, deleted or replaced (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
