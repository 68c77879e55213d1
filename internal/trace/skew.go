package trace

import (
	"cmp"
	"slices"
	"strings"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
)

// CollectivesTable is the name of the table of collective kernels in the parsed
// form: span (row of the spans table), name, group, sequence.
const CollectivesTable = "collectives"

// CollectiveTable makes the stored form of a trace's collective kernels, in
// order of start; it has no rows where there are none.
func CollectiveTable(t *Trace) evidence.Table {
	var rows, sequences []int64
	var names, groups []string
	for i := range t.Spans.Start {
		if !t.Spans.Kind(i).OnDevice() {
			continue
		}
		work := t.Device[t.Spans.Detail[i]]
		if work.Collective == MissingCode {
			continue
		}
		kind := t.Collectives[work.Collective]
		rows, sequences = append(rows, int64(i)), append(sequences, work.Sequence)
		names, groups = append(names, kind.Name), append(groups, kind.Group)
	}
	return evidence.Table{Name: CollectivesTable, Columns: []evidence.Column{{Name: "span", Ints: rows}, evidence.Words("name", names), evidence.Words("group", groups), {Name: "sequence", Ints: sequences}}}
}

// RankCollectives are the stored tables of one rank.
type RankCollectives struct {
	Rank int64
	// FirstNS is the wall clock that the rank's spans count from.
	FirstNS     int64
	Spans       evidence.Table
	Collectives evidence.Table
}

// CollectiveSkew is one collective as several ranks took part in it.
type CollectiveSkew struct {
	Name     string              `json:"name"`
	Group    string              `json:"group"`
	Sequence absent.Value[int64] `json:"sequence"`
	Ranks    int                 `json:"ranks"`
	// FirstNS is the first rank's start, on the wall clock.
	FirstNS int64 `json:"-"`
	// SkewNS is the last rank's start − the first one's: time that early ranks
	// waited. CommunicationNS is from the last start to the earliest end.
	SkewNS          int64 `json:"skew_ns"`
	CommunicationNS int64 `json:"communication_ns"`
	FirstRank       int64 `json:"first_rank"`
	LastRank        int64 `json:"last_rank"`
}

// collectiveKey tells collectives apart: by group, name and sequence number
// where the trace gives one, else by their order among those of the same group
// and name.
type collectiveKey struct {
	group, name string
	number      int64
	numbered    bool
}

// SkewOfCollectives matches the collectives of several ranks of one run, in
// order of start. It speaks only of what at least two ranks recorded, and is no
// better than the clocks of the ranks' machines agree.
func SkewOfCollectives(ranks []RankCollectives) []CollectiveSkew {
	matched := map[collectiveKey]*CollectiveSkew{}
	bounds := map[collectiveKey]*Interval{} // last start, earliest end
	for _, rank := range ranks {
		spans, ok := readSpans(rank.Spans)
		if !ok {
			continue
		}
		order := map[collectiveKey]int64{}
		eachCollective(rank.Collectives, func(row int, key collectiveKey, sequence int64) {
			if row < 0 || row >= spans.rows {
				return
			}
			if key.numbered = sequence != Missing; key.numbered {
				key.number = sequence
			} else {
				place := order[key]
				order[key]++
				key.number = place
			}
			start, end := rank.FirstNS+spans.start[row], rank.FirstNS+spans.end(row)
			skew, bound := matched[key], bounds[key]
			if skew == nil {
				skew = &CollectiveSkew{Name: key.name, Group: key.group, Sequence: absent.Because[int64](absent.NotRecorded, "matched by order"), FirstNS: start, FirstRank: rank.Rank, LastRank: rank.Rank}
				if key.numbered {
					skew.Sequence = absent.Of(key.number)
				}
				bound = &Interval{start, end}
				matched[key], bounds[key] = skew, bound
			}
			skew.Ranks++
			if start < skew.FirstNS {
				skew.FirstNS, skew.FirstRank = start, rank.Rank
			}
			if start > bound.Start {
				bound.Start, skew.LastRank = start, rank.Rank
			}
			bound.End = min(bound.End, end)
		})
	}
	var out []CollectiveSkew
	for key, skew := range matched {
		if skew.Ranks < 2 {
			continue
		}
		skew.SkewNS = bounds[key].Start - skew.FirstNS
		skew.CommunicationNS = max(0, bounds[key].End-bounds[key].Start)
		out = append(out, *skew)
	}
	slices.SortFunc(out, func(a, b CollectiveSkew) int {
		return cmp.Or(cmp.Compare(a.FirstNS, b.FirstNS), strings.Compare(a.Group, b.Group), strings.Compare(a.Name, b.Name))
	})
	return out
}

func eachCollective(table evidence.Table, visit func(row int, key collectiveKey, sequence int64)) {
	rows, _ := table.Column("span")
	names, _ := table.Column("name")
	groups, _ := table.Column("group")
	sequences, _ := table.Column("sequence")
	for i := range rows.Ints {
		if i < names.Len() && i < groups.Len() && i < len(sequences.Ints) {
			visit(int(rows.Ints[i]), collectiveKey{group: groups.Text(i), name: names.Text(i)}, sequences.Ints[i])
		}
	}
}
