package kwcap

import (
	"bytes"
	"math"
	"strconv"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
)

// outcome is an outcome as it stands in the file: the members of every kind,
// of which its own kind decides which may be there.
type outcome struct {
	Name, Unit, Phase, Kind, Clock string
	Gap                            gap
	V                              numbers
	Columns                        map[string][]float64
	Words                          map[string]evidence.Column
	Agg                            int64
	N                              absent.Value[int64]
	Sum                            float64
	Bounds                         []float64
	Counts                         []float64
	Stats                          map[string]float64
	QuantileMethod                 absent.Value[string]
	Num, Den                       float64
	Basis                          string
	given                          map[string]bool
}

// numbers is one number or an array of them.
type numbers struct {
	List   []float64
	Scalar bool
}

// outcomeMember is a member of an outcome that notes that it was there.
func outcomeMember[T any](name, about string, place func(*outcome) *T, of shape[T]) member[outcome] {
	return member[outcome]{name: name, about: about, describe: of.describe, read: func(s *scanner, o *outcome) {
		o.mark(name)
		of.read(s, place(o))
	}}
}

func (o *outcome) mark(name string) {
	if o.given == nil {
		o.given = map[string]bool{}
	}
	o.given[name] = true
}

func columnMember(name, about string) member[outcome] {
	return member[outcome]{name: name, about: about, describe: vector.describe, read: func(s *scanner, o *outcome) {
		o.mark(name)
		if o.Columns == nil {
			o.Columns = map[string][]float64{}
		}
		var values []float64
		vector.read(s, &values)
		o.Columns[name] = values
	}}
}

func wordsMember(name, about string) member[outcome] {
	return member[outcome]{name: name, about: about, describe: words.describe, read: func(s *scanner, o *outcome) {
		o.mark(name)
		if o.Words == nil {
			o.Words = map[string]evidence.Column{}
		}
		column := evidence.Column{Name: name}
		words.read(s, &column)
		o.Words[name] = column
	}}
}

var outcomeMembers = []member[outcome]{
	must("name", "name in the registry of the lens, or x_… for one's own", func(o *outcome) *string { return &o.Name }, named()),
	must("unit", "unit in UCUM, such as ms, {token}/s, 1", func(o *outcome) *string { return &o.Unit }, named()),
	outcomeMember("phase", "phase of a request, for phase_time", func(o *outcome) *string { return &o.Phase }, named()),
	outcomeMember("kind", "form of the data", func(o *outcome) *string { return &o.Kind }, choice(kindNames...)),
	outcomeMember("absent", "why there is no value", func(o *outcome) *absent.Reason { return &o.Gap.Reason }, reason),
	outcomeMember("note", "words beside the reason", func(o *outcome) *string { return &o.Gap.Note }, text(mostText)),
	outcomeMember("v", "the values, or the one value of a total", func(o *outcome) *numbers { return &o.V }, numbersShape),
	outcomeMember("clock", "window: seconds since its start; run: the run's own clock", func(o *outcome) *string { return &o.Clock }, choice("window", "run")),
	outcomeMember("agg", "how many raw values one value is the mean of; 1 is raw", func(o *outcome) *int64 { return &o.Agg }, integer(1)),
	columnMember("at", "when, in seconds"),
	columnMember("step", "number of the step"),
	columnMember("rank", "rank of the process"),
	wordsMember("status", "ok, error, timeout or cancelled"),
	columnMember("weight", "weight of the value"),
	columnMember("start", "when the wait began"),
	columnMember("end", "when it ended or was last seen"),
	columnMember("censored", "1 if it had not ended yet, else 0"),
	columnMember("gpus", "GPUs concerned"),
	columnMember("end_after", "it had not ended yet at this time"),
	wordsMember("class", "class of the job"),
	wordsMember("cause", "why it waited"),
	columnMember("from", "first instant"),
	columnMember("to", "first instant after"),
	wordsMember("state", "state in between"),
	wordsMember("reason", "reason of the state"),
	wordsMember("subject", "who is meant; \"pool\" is the whole pool"),
	outcomeMember("n", "how many values stand behind it", func(o *outcome) *absent.Value[int64] { return &o.N }, orAbsent(integer(0))),
	outcomeMember("sum", "sum of the values", func(o *outcome) *float64 { return &o.Sum }, number),
	outcomeMember("bounds", "upper bounds of the buckets, ascending", func(o *outcome) *[]float64 { return &o.Bounds }, vector),
	outcomeMember("counts", "values in each bucket, the last one above all bounds", func(o *outcome) *[]float64 { return &o.Counts }, vector),
	outcomeMember("stats", "statistics by name (mean, sd, min, max, p50 …)", func(o *outcome) *map[string]float64 { return &o.Stats }, dictionary(number, 100, "statistics")),
	outcomeMember("quantile_method", "how the quantiles were taken", func(o *outcome) *absent.Value[string] { return &o.QuantileMethod }, orAbsent(named())),
	outcomeMember("num", "numerator", func(o *outcome) *float64 { return &o.Num }, number),
	outcomeMember("den", "denominator", func(o *outcome) *float64 { return &o.Den }, number),
	outcomeMember("basis", "unit of numerator and denominator", func(o *outcome) *string { return &o.Basis }, named()),
}

var outcomeShape = object(outcomeMembers...)

// vector is an array of finite numbers.
var vector = shape[[]float64]{
	read: func(s *scanner, into *[]float64) {
		if s.expect('[', "an array of numbers") {
			*into = s.vector()
		}
	},
	describe: schema{"type": "array", "maxItems": mostElements, "items": schema{"type": "number"}},
}

var numbersShape = shape[numbers]{
	read: func(s *scanner, into *numbers) {
		if s.next() == '0' {
			var value float64
			number.read(s, &value)
			*into = numbers{[]float64{value}, true}
			return
		}
		vector.read(s, &into.List)
	},
	describe: schema{"anyOf": []schema{{"type": "number"}, vector.describe}},
}

// vector reads an array of numbers that begins here. It is where most bytes of
// a large capture are, so the path of a number is set only if it breaks a rule.
func (s *scanner) vector() []float64 {
	if !s.begin() {
		return nil
	}
	defer func() { s.depth-- }()
	if s.blank() == ']' {
		s.at++
		return []float64{}
	}
	values := make([]float64, 0, s.length())
	for i := 0; ; i++ {
		if i >= mostElements {
			if i == mostElements {
				s.limit(s.pointer(), codeTooMany, strconv.Itoa(mostElements), "", "more than %d elements in one array", mostElements)
			}
			values = values[:0]
		}
		values = append(values, s.element(i))
		// One comma and the next digit follow nearly always.
		if s.at+1 < len(s.data) && s.data[s.at] == ',' && s.data[s.at+1] > ' ' {
			s.at++
			continue
		}
		if !s.more(']') {
			return values
		}
	}
}

// length is how many elements the array that begins here has if it holds
// nothing but numbers.
func (s *scanner) length() int {
	end := bytes.IndexByte(s.data[s.at:], ']')
	if end < 0 {
		return 0
	}
	return min(bytes.Count(s.data[s.at:s.at+end], []byte{','})+1, mostElements)
}

// element reads one number of an array.
func (s *scanner) element(i int) float64 {
	if s.at < len(s.data) && (s.data[s.at] >= '0' && s.data[s.at] <= '9' || s.data[s.at] == '-') {
		value, integer, next := parseNumber(s.data, s.at)
		if next > 0 && next < len(s.data) && s.data[next] <= ',' && math.Abs(value) <= mostNumber && !(integer && math.Abs(value) > mostInteger) {
			s.at = next
			return value
		}
	}
	var value float64
	s.place = append(s.place, segment{"", i})
	number.read(s, &value)
	s.place = s.place[:len(s.place)-1]
	return value
}

// words is an array of texts, kept as indexes into a dictionary.
var words = shape[evidence.Column]{
	read: func(s *scanner, into *evidence.Column) {
		if !s.expect('[', "an array of texts") {
			return
		}
		index := map[string]uint32{}
		s.array(mostElements, "elements in one array", func(int) {
			var raw []byte
			if s.expect('"', "a text") {
				raw = s.rawText()
			}
			code, ok := index[string(raw)]
			if !ok {
				word := s.checked(raw, mostText, "the text")
				code = uint32(len(into.Dictionary))
				index[word] = code
				into.Dictionary = append(into.Dictionary, word)
			}
			into.Codes = append(into.Codes, code)
		})
	},
	describe: schema{"type": "array", "maxItems": mostElements, "items": schema{"type": "string", "maxLength": mostText}},
}
