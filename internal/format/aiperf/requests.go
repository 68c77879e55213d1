package aiperf

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

// mostRequests bounds the requests of one run. Real archives of 64 MiB hold
// well under half of it.
const mostRequests = 1_000_000

// requests are the profiling records of one run, as columns in file order,
// which is the order of completion. Warm-up records are only counted.
type requests struct {
	path                      string
	start, end, session       []int64
	turn                      []int32
	conversation, id          []uint64 // short digests; 0 is none
	failure                   []uint16 // 0 is a good request
	values                    [tagCount][]float64
	gaps                      *gapColumn
	failures                  failures
	warmups, others           int64
	warmupConversations       map[uint64]struct{}
	randomConversations       int64
	malformed, firstMalformed int64
	oddUnits                  int64
	cutLine                   bool
}

// readRequests reads a records file to its end.
func readRequests(ctx context.Context, path string, content io.Reader, limits evidence.Limits) (*requests, error) {
	r := &requests{path: path, gaps: newGapColumn(mostGaps), warmupConversations: map[uint64]struct{}{}}
	var scanner recordScanner
	source := newLines(content, path)
	for {
		line, whole, err := source.next()
		if err != nil {
			return nil, err
		}
		if line == nil {
			return r, nil
		}
		if source.number%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if blank(line) {
			continue
		}
		if !scanner.scan(line, limits.Depth) {
			if scanner.deep {
				return nil, tooDeep(path, limits.Depth)
			}
			r.damage(source.number, whole)
			continue
		}
		if err := r.add(&scanner.record); err != nil {
			return nil, err
		}
	}
}

func blank(line []byte) bool {
	for _, b := range line {
		if b != ' ' && b != '\t' {
			return false
		}
	}
	return true
}

func (r *requests) damage(line int64, whole bool) {
	if !whole {
		r.cutLine = true
		return
	}
	if r.malformed++; r.malformed == 1 {
		r.firstMalformed = line
	}
}

func (r *requests) count() int { return len(r.start) }

// good returns the number of requests without an error.
func (r *requests) good() int64 { return int64(r.count()) - r.failed() }

func (r *requests) failed() int64 {
	var all int64
	for _, count := range r.failures.counts {
		all += count
	}
	return all
}

func (r *requests) add(one *record) error {
	switch one.phase {
	case warmup:
		r.warmups++
		if len(r.warmupConversations) < mostRequests && len(one.conversation) > 0 {
			r.warmupConversations[shortDigest(one.conversation)] = struct{}{}
		}
		return nil
	case otherPhase:
		r.others++
		return nil
	}
	if r.count() == mostRequests {
		return fault.New(fault.TooLarge, "too_many_records", "%s has more than %d requests", shown(r.path), mostRequests).
			WithProblems(fault.Problem{Code: "too_many_records", Pointer: r.path, Message: "too many requests in one run", Limit: fmt.Sprint(mostRequests)}).
			WithHint("record a shorter run")
	}
	r.start = append(r.start, one.start)
	r.end = append(r.end, one.end)
	r.session = append(r.session, one.session)
	r.turn = append(r.turn, int32(min(one.turn, math.MaxInt32)))
	r.conversation = append(r.conversation, shortDigest(one.conversation))
	r.id = append(r.id, shortDigest(one.request))
	r.oddUnits += int64(one.oddUnits)
	if isUUID(one.conversation) {
		r.randomConversations++
	}
	var failure uint16
	if one.failed {
		failure = r.failures.add(unescaped(one.errorType), one.errorCode)
	}
	r.failure = append(r.failure, failure)
	r.addValues(one)
	return nil
}

// addValues appends the metrics of a request. A column begins to exist with
// its first value; a failed request has values of failures only.
func (r *requests) addValues(one *record) {
	before := r.count() - 1
	for which, value := range one.values {
		if one.failed && tag(which) != errorInputLength {
			value = math.NaN()
		}
		column := r.values[which]
		if column == nil {
			if math.IsNaN(value) {
				continue
			}
			column = make([]float64, before, max(64, 2*before))
			for i := range column {
				column[i] = math.NaN()
			}
		}
		r.values[which] = append(column, value)
	}
	if one.failed {
		one.gaps = one.gaps[:0]
	}
	r.gaps.add(one.gaps)
}

// shortDigest tells texts apart in 8 bytes: the first of their SHA-256.
func shortDigest(text []byte) uint64 {
	if len(text) == 0 {
		return 0
	}
	sum := sha256.Sum256(text)
	return max(binary.BigEndian.Uint64(sum[:]), 1)
}

// isUUID reports whether an id is random: AIPerf gives conversations UUIDs
// when no seed was set.
func isUUID(id []byte) bool {
	if len(id) != 36 || id[8] != '-' || id[13] != '-' || id[18] != '-' || id[23] != '-' {
		return false
	}
	for i, b := range id {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			continue
		}
		if b-'0' > 9 && (b|0x20)-'a' > 5 {
			return false
		}
	}
	return true
}

// column returns the values of a metric that are there, in file order.
func (r *requests) column(which tag) []float64 {
	var values []float64
	for _, value := range r.values[which] {
		if !math.IsNaN(value) {
			values = append(values, value)
		}
	}
	return values
}

// value returns a request's metric, NaN if it has none.
func (r *requests) value(which tag, request int) float64 {
	if r.values[which] == nil {
		return math.NaN()
	}
	return r.values[which][request]
}

// byStart returns the requests in the order in which they were started; those
// of unknown start come last, in file order.
func (r *requests) byStart() []int32 {
	return r.orderedBy(func(i int32) int64 { return r.start[i] })
}

// bySession returns the requests in the order in which they were drawn.
func (r *requests) bySession() []int32 {
	return r.orderedBy(func(i int32) int64 { return r.session[i] })
}

func (r *requests) orderedBy(key func(int32) int64) []int32 {
	order := make([]int32, r.count())
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		keyA, keyB := key(a), key(b)
		if (keyA == missingInteger) != (keyB == missingInteger) {
			return cmp.Compare(keyB, keyA) // the missing one is the smallest
		}
		return cmp.Compare(keyA, keyB)
	})
	return order
}

// duplicates counts records whose request id occurred before.
func (r *requests) duplicates() int64 {
	ids := slices.Clone(r.id)
	slices.Sort(ids)
	var twice int64
	for i := 1; i < len(ids); i++ {
		if ids[i] == ids[i-1] && ids[i] != 0 {
			twice++
		}
	}
	return twice
}

// span returns the first start and the last moment of all requests.
func (r *requests) span() span {
	all := span{start: missingInteger, end: missingInteger}
	for i, start := range r.start {
		if start == missingInteger {
			continue
		}
		end := r.lastContent(i)
		if r.end[i] != missingInteger {
			end = max(end, r.end[i])
		}
		all = all.with(start, max(start, end))
	}
	return all
}

// goodSpan returns the time from the first start to the last content of good
// requests, in exact nanoseconds.
func (r *requests) goodSpan() span {
	all := span{start: missingInteger, end: missingInteger}
	for i, start := range r.start {
		if start == missingInteger || r.failure[i] != 0 {
			continue
		}
		if content := r.lastContent(i); content != missingInteger {
			all = all.with(start, content)
		}
	}
	return all
}

// lastContent is when the last content of a request came: its start and its
// latency, which ends there.
func (r *requests) lastContent(request int) int64 {
	latency := r.value(requestLatency, request)
	if math.IsNaN(latency) || math.Abs(latency) > 1e12 {
		return missingInteger
	}
	return r.start[request] + int64(math.Round(latency*1e6))
}

// retained estimates the memory that the columns hold, in bytes.
func (r *requests) retained() int64 {
	bytes := 52 * cap(r.start)
	for _, column := range r.values {
		bytes += 8 * cap(column)
	}
	bytes += 8*cap(r.gaps.kept) + 4*cap(r.gaps.perRequest) + 48*len(r.warmupConversations)
	return int64(bytes)
}
