package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/trace"
)

// Fields of the request mix by what they are part of.
var (
	// settledByRequests are fields that the requests themselves hold: where
	// those are the same, nothing more need be known of them.
	settledByRequests = []string{"sampling", "prefix_sharing", "turns", "tokenizer", "dataset", "random_seed", "isl", "osl", "prompt_order_sha256", "request_bodies_sha256"}
	// identityFields name the requests where bodies weren't kept.
	identityFields = []string{"dataset", "random_seed", "tokenizer", "sampling"}
)

// lengthTolerance is how far lengths may be apart.
const lengthTolerance = 0.05

// readMix reads the request mix: the load exactly; the requests by equal
// bodies, else by data set, seed, order and asked lengths, else by measured
// lengths.
func (t *table) readMix(row lens.Row) reading {
	if t.format == evidence.FormatChromeTrace {
		return t.mixOfTraces(row)
	}
	m := mix{t: t, fields: map[string]Field{}, values: map[string][2]sideValue{}}
	var r reading
	for _, key := range row.Fields {
		field, _ := t.lens.Field(key)
		read, values := readField(field, t.sides)
		m.fields[key], m.values[key] = read, values
		r.fields = append(r.fields, read)
	}
	m.same()
	m.load(row)
	r.state, r.basis, r.reason, r.conflict, r.differing = m.state, m.basis, m.reason, m.conflict, m.differing
	r.baseline, r.candidate = m.words(false), m.words(true)
	for i := range r.fields {
		if settled := m.fields[r.fields[i].Key]; settled.State != "" {
			r.fields[i].State = settled.State
		}
	}
	return r
}

// mixOfTraces: equal work stands for the request mix of traces, and only that.
func (t *table) mixOfTraces(row lens.Row) reading {
	r := t.fieldByField(row, row.Fields)
	switch w := t.work; {
	case w.state == trace.WorkEqual:
		r.state, r.basis, r.reason, r.oneSided = Same, string(evidence.Derived), "equal work signature", false
	case w.state == trace.WorkPerSample && !w.uncounted && !w.factor.IsOne():
		r.state, r.basis, r.reason, r.differing = Different, string(evidence.Derived), fmt.Sprintf("the candidate's work is %s × the baseline's", w.factor), []string{"concurrency_or_rate"}
	case r.state == Unknown:
		r.reason = cmp.Or(w.why(), "no equal work signature shows that the requests were the same")
	}
	return r
}

// mix puts the parts of the row together.
type mix struct {
	t         *table
	fields    map[string]Field
	values    map[string][2]sideValue
	state     State
	basis     string
	reason    string
	details   []string // of what differs
	differing []string
	missing   []string
	conflict  bool
	settled   []string
}

func (m *mix) isSame(key string) bool { return m.fields[key].State == Same }

// same finds how the requests are told to be alike.
func (m *mix) same() {
	m.state = Same
	switch {
	case m.isSame("request_bodies_sha256"):
		m.basis = string(evidence.Derived)
		m.reason = "equal request bodies"
		m.settled = settledByRequests
	case m.sameIdentity():
		m.basis = string(evidence.Derived)
		m.reason = "same data set, seed, order and asked lengths"
		m.settled = settledByRequests
	default:
		m.byLengths()
	}
}

// sameIdentity reports whether both sides name the same requests, whatever
// lengths came of them.
func (m *mix) sameIdentity() bool {
	for _, key := range identityFields {
		state := m.fields[key].State
		optional := key == "tokenizer" || key == "sampling"
		if state != Same && !(optional && neither(m.values[key])) {
			return false
		}
	}
	return m.sameOrder() && askedAlike(m.t.sides, "isl") && askedAlike(m.t.sides, "osl")
}

func neither(values [2]sideValue) bool { return !values[0].told() && !values[1].told() }

// sameOrder reports whether the prompts came in one order, a shorter run's the
// beginning of a longer one's.
func (m *mix) sameOrder() bool {
	captures := append(capturesOf(m.t.sides[0]), capturesOf(m.t.sides[1])...)
	first := orderOf(captures[0])
	for _, c := range captures {
		if !orderOf(c).startsLike(first) {
			return false
		}
	}
	return first.known()
}

// byLengths holds measured lengths against each other.
func (m *mix) byLengths() {
	for _, key := range []string{"isl", "osl"} {
		switch state, detail := lengthsAlike(m.t.sides, key); state {
		case Different:
			m.differ(key, detail)
		case Unknown:
			m.missing = append(m.missing, m.fields[key].Label)
		}
	}
	m.basis = weakest([]Field{m.fields["isl"], m.fields["osl"]}, func(Field) bool { return true })
	m.reason = "input and output lengths within 5 %"
	m.settled = []string{"dataset", "tokenizer", "random_seed", "prompt_order_sha256", "request_bodies_sha256", "isl", "osl"}
}

func (m *mix) differ(key, detail string) {
	f := m.fields[key]
	f.State = Different
	m.fields[key] = f
	m.differing = append(m.differing, key)
	if detail == "" {
		detail = fmt.Sprintf("%s %s against %s", f.Label, orNotStated(rawWords(f.Baseline)), orNotStated(rawWords(f.Candidate)))
	}
	m.details = append(m.details, detail)
}

// load holds the load and what the requests leave open against each other, and
// draws the conclusion.
func (m *mix) load(row lens.Row) {
	for _, key := range row.Fields {
		field, _ := m.t.lens.Field(key)
		values := m.values[key]
		m.conflict = m.conflict || (values[0].conflict || values[1].conflict) && !slices.Contains(m.settled, key)
		switch {
		case slices.Contains(m.settled, key):
			continue
		case m.fields[key].State == Different:
			m.differ(key, "")
		case m.fields[key].State == Unknown && (field.Required || values[0].told() || values[1].told()):
			m.missing = append(m.missing, field.Label)
		}
	}
	switch {
	case len(m.differing) > 0:
		m.state, m.reason = Different, strings.Join(m.details, "; ")
		m.basis = weakest(m.list(), func(f Field) bool { return slices.Contains(m.differing, f.Key) })
	case m.conflict:
		m.state, m.basis, m.reason = Unknown, "", "sources or launches inside a side disagree"
	case len(m.missing) > 0:
		m.state, m.basis, m.reason = Unknown, "", "not known: "+strings.Join(m.missing, ", ")
	}
}

func (m *mix) list() []Field {
	var fields []Field
	for _, f := range m.fields {
		fields = append(fields, f)
	}
	slices.SortFunc(fields, func(a, b Field) int { return strings.Compare(a.Key, b.Key) })
	return fields
}

// words names the requests and the load of a side.
func (m *mix) words(candidate bool) string {
	var parts []string
	for _, key := range []string{"dataset", "isl", "osl", "arrival", "concurrency_or_rate"} {
		v := m.fields[key].Baseline
		if candidate {
			v = m.fields[key].Candidate
		}
		if text := rawWords(v); text != "" {
			parts = append(parts, m.fields[key].Label+" "+text)
		}
	}
	return strings.Join(parts, ", ")
}
