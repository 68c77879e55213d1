package trace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// multiset counts entries by their text.
type multiset map[string]int64

// lines is the canonical form: "count entry", ordered by entry.
func (m multiset) lines() []string {
	entries := make([]string, 0, len(m))
	for entry := range m {
		entries = append(entries, entry)
	}
	slices.Sort(entries)
	for i, entry := range entries {
		entries[i] = strconv.FormatInt(m[entry], 10) + " " + entry
	}
	return entries
}

// parseMultiset reads canonical lines.
func parseMultiset(lines []string) (multiset, error) {
	out := multiset{}
	for _, line := range lines {
		count, entry, ok := strings.Cut(line, " ")
		n, err := strconv.ParseInt(count, 10, 64)
		if !ok || err != nil || n < 1 {
			return nil, fmt.Errorf("reading a work signature: %q is no line of the form \"count name [dims]…\"", line)
		}
		out[entry] += n
	}
	return out, nil
}

func (m multiset) total() int64 {
	var total int64
	for _, n := range m {
		total += n
	}
	return total
}

// shared is the part of the larger side's entries that the other has too.
func shared(a, b multiset) float64 {
	var common int64
	for entry, n := range a {
		common += min(n, b[entry])
	}
	return float64(common) / float64(max(1, a.total(), b.total()))
}

// operatorEntry is one distinct operator of a multiset with its count.
type operatorEntry struct {
	name  string
	dims  [][]int64
	count int64
}

func (m multiset) operators() []operatorEntry {
	out := make([]operatorEntry, 0, len(m))
	for text, count := range m {
		name, dims := parseOperator(text)
		out = append(out, operatorEntry{name, dims, count})
	}
	return out
}

// parseOperator reads "name [dims] [dims]". Names may hold spaces and
// brackets, so the dims are read from the end.
func parseOperator(text string) (name string, dims [][]int64) {
	for strings.HasSuffix(text, "]") {
		at := strings.LastIndex(text, " [")
		if at < 0 {
			break
		}
		one, ok := parseDims(text[at+2 : len(text)-1])
		if !ok {
			break
		}
		dims = append(dims, one)
		text = text[:at]
	}
	slices.Reverse(dims)
	return text, dims
}

func parseDims(text string) ([]int64, bool) {
	var out []int64
	for part := range strings.SplitSeq(text, ",") {
		dim, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return nil, false
		}
		out = append(out, dim)
	}
	return out, true
}

// names drops the shapes.
func (m multiset) names() multiset {
	out := multiset{}
	for text, count := range m {
		name, _ := parseOperator(text)
		out[name] += count
	}
	return out
}
