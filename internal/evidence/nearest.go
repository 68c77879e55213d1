package evidence

import "strings"

// Nearest is the candidate that a word was probably meant to be: the one a
// slip or two of the keys away, whatever its case, or empty.
func Nearest(word string, candidates []string) string {
	least, best := 1<<30, ""
	for _, candidate := range candidates {
		if d := slips(strings.ToLower(word), strings.ToLower(candidate)); d < least {
			least, best = d, candidate
		}
	}
	if least > max(2, len(word)/3) || least >= len(word) {
		return ""
	}
	return best
}

// slips is the optimal string alignment distance (Damerau, 1964): the fewest
// insertions, deletions, replacements and swaps of neighbours.
func slips(a, b string) int {
	const long = 64 // longer words are no slips of the keys
	if len(a) > long || len(b) > long {
		return 1 << 20
	}
	var rows [long + 1][long + 1]int
	for i := range len(a) + 1 {
		rows[i][0] = i
	}
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replaced := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
