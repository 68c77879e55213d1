package httpapi

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestARecomputedResultIsHeldByItsDigitsNotByItsWords(t *testing.T) {
	const saved = `{"answer":"capped","caps":[{"code":"gate_unknown","message":"old words"}],"sentence":"old","outcomes":[{"effect":{"value":0.717909}}]}`
	for name, tt := range map[string]struct {
		now               string
		differs, reworded []string
	}{
		"other words": {`{"answer":"capped","caps":[{"code":"gate_unknown","message":"new words"}],"sentence":"new","outcomes":[{"effect":{"value":0.717909}}]}`, []string{}, []string{"/caps", "/sentence"}},
		"a digit":     {`{"answer":"capped","caps":[{"code":"gate_unknown","message":"old words"}],"sentence":"old","outcomes":[{"effect":{"value":0.717908}}]}`, []string{"/outcomes"}, []string{}},
		"a code":      {`{"answer":"capped","caps":[{"code":"conflict","message":"old words"}],"sentence":"old","outcomes":[{"effect":{"value":0.717909}}]}`, []string{"/caps"}, []string{}},
		"a member":    {`{"answer":"capped","caps":[{"code":"gate_unknown","message":"old words"}],"sentence":"old"}`, []string{"/outcomes"}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			got := Recomputed{Differs: []string{}, Reworded: []string{}}
			got.hold([]byte(saved), []byte(tt.now))
			if diff := cmp.Diff(tt.differs, got.Differs); diff != "" {
				t.Errorf("differs: %s", diff)
			}
			if diff := cmp.Diff(tt.reworded, got.Reworded); diff != "" {
				t.Errorf("reworded: %s", diff)
			}
		})
	}
}
