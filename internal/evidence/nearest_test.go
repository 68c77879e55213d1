package evidence

import (
	"strings"
	"testing"
)

func TestNearestFindsSlipsOfTheKeys(t *testing.T) {
	for _, c := range []struct {
		word       string
		candidates []string
		want       string
	}{
		{"ttfts", []string{"ttft", "tpot", "itl"}, "ttft"},
		{"sytle", []string{"title", "style"}, "style"},
		{"V", []string{"at", "v"}, "v"},
		{"v", []string{"at"}, ""},
		{"completely_different", []string{"v", "at"}, ""},
		{"", []string{"v"}, ""},
		{"optimiser", []string{"optimizer"}, "optimizer"},
		{strings.Repeat("x", 200), []string{"v"}, ""},
	} {
		if got := Nearest(c.word, c.candidates); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}
