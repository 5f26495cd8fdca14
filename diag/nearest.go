// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package diag

import "strings"

// maxSpelled bounds the names that Nearest compares, whose cost is the product
// of two lengths.
const maxSpelled = 64

// Nearest returns the candidate that name is most likely a misspelling of, for
// "did you mean". It returns "" when none is clearly nearest: too many edits,
// or two candidates equally near. The order of the candidates does not matter.
func Nearest(name string, candidates []string) string {
	best, bestDist, tie := "", len(name)/3+2, false
	for _, c := range candidates {
		if c == name || len(c) > maxSpelled || len(name) > maxSpelled {
			continue
		}
		switch d := spellDistance(name, c); {
		case d < bestDist:
			best, bestDist, tie = c, d, false
		case d == bestDist && best != "" && c != best:
			tie = true
		}
	}
	if tie || bestDist >= max(len(name), len(best)) {
		return ""
	}
	return best
}

// spellDistance is the edit distance of two names; a difference in case alone
// counts less than any edit.
func spellDistance(a, b string) int {
	if strings.EqualFold(a, b) {
		return 0
	}
	return editDistance([]rune(strings.ToLower(a)), []rune(strings.ToLower(b)))
}

// editDistance counts the insertions, deletions, substitutions and swaps of
// neighbours that turn a into b (the "optimal string alignment" distance).
func editDistance(a, b []rune) int {
	var before []int
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev = prev, row
	}
	return prev[len(b)]
}
