package model

import "slices"

// nearest returns the words that a misspelt one probably means: those with the
// fewest slips of the hand between, or all words if those are too many.
func nearest(misspelt string, words []string) string {
	distance := func(word string) int { return editDistance(misspelt, word) }
	best := slices.MinFunc(words, func(a, b string) int { return distance(a) - distance(b) })
	if distance(best) > max(2, len(best)/3) {
		return oneOf(words)
	}
	return oneOf(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return distance(w) > distance(best) }))
}

// editDistance returns how many bytes must be inserted, removed, replaced or
// swapped with the next to make b of a (optimal string alignment).
func editDistance(a, b string) int {
	if len(a) > 2*len(b)+8 {
		return len(a) // far, and not worth the work
	}
	d := make([][]int, len(a)+1) // d[i][j] is the distance of a[:i] and b[:j]
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
