package trace

import (
	"testing"

	"kernelwake/internal/absent"
)

// rankWith records collectives of one group: start, duration and sequence.
func rankWith(rank, first int64, kernels ...[3]int64) RankCollectives {
	t := &Trace{Names: []string{"nccl"}, Tracks: []Track{{}}, Lanes: []Lane{{}}, Collectives: []Collective{{Name: "allreduce", Group: "0"}}}
	for i, kernel := range kernels {
		t.Device = append(t.Device, DeviceWork{Sequence: kernel[2]})
		t.Spans.Append(kernel[0], kernel[1], Missing, 0, 0, Kernel, uint32(i))
	}
	missing := make([]uint32, len(kernels))
	return RankCollectives{Rank: rank, FirstNS: first, Spans: SpanTable(&t.Spans, t.Names, []string{"stream"}, missing, []string{""}), Collectives: CollectiveTable(t)}
}

func TestSkewOfCollectivesIsLastStartMinusFirst(t *testing.T) {
	got := SkewOfCollectives([]RankCollectives{
		rankWith(0, 1000, [3]int64{0, 100, 7}, [3]int64{500, 50, 8}),
		rankWith(1, 1010, [3]int64{30, 60, 7}, [3]int64{480, 60, 8}, [3]int64{900, 10, 9}),
	})
	if len(got) != 2 {
		t.Fatalf("%d collectives matched, both ranks recorded 2", len(got))
	}
	// Rank 0 starts number 7 at 1000, rank 1 at 1040; both end at 1100.
	if got[0].SkewNS != 40 || got[0].CommunicationNS != 60 || got[0].FirstRank != 0 || got[0].LastRank != 1 || got[0].Sequence != absent.Of[int64](7) {
		t.Errorf("number 7: %+v", got[0])
	}
	// Number 8: rank 1 at 1490 to 1550, rank 0 at 1500 to 1550.
	if got[1].SkewNS != 10 || got[1].CommunicationNS != 50 || got[1].FirstRank != 1 {
		t.Errorf("number 8: %+v", got[1])
	}
}

func TestCollectivesWithoutNumbersAreMatchedByOrder(t *testing.T) {
	got := SkewOfCollectives([]RankCollectives{
		rankWith(0, 0, [3]int64{0, 10, Missing}, [3]int64{100, 10, Missing}),
		rankWith(1, 0, [3]int64{5, 10, Missing}, [3]int64{90, 10, Missing}),
	})
	if len(got) != 2 || got[0].SkewNS != 5 || got[1].SkewNS != 10 || got[0].Sequence.Known() {
		t.Errorf("%+v", got)
	}
}
