package kwcap

import (
	"regexp"
	"time"

	"kernelwake/internal/absent"
)

// documentShape is the whole file.
var documentShape = object(
	must("schema", "always \""+schemaName+"\"", func(d *document) *string { return &d.Schema }, constant(schemaName)),
	must("version", "version of the format", func(d *document) *string { return &d.Version }, versionShape),
	must("lens", "what the capture is judged by", func(d *document) *string { return &d.Lens }, choice("inference", "training", "fleet")),
	must("created", "when the file was written", func(d *document) *time.Time { return &d.Created }, timestamp),
	shown(must("producer", "the script or tool that wrote the file", func(d *document) *producer { return &d.Producer }, producerShape)),
	must("synthetic", "true if the numbers were not measured; then synthetic_reason says why", func(d *document) *bool { return &d.Synthetic }, boolean),
	may("synthetic_reason", "why the numbers were made up", func(d *document) *string { return &d.SyntheticReason }, named()),
	must("measured_on", "what did the work that was measured", func(d *document) *string { return &d.MeasuredOn }, choice("gpu", "cpu", "simulator", "none", "unknown")),
	must("window", "the time that was measured, its end not included", func(d *document) *window { return &d.Window }, windowShape),
	shown(must("workload", "what runs", func(d *document) *workload { return &d.Workload }, workloadShape)),
	shown(must("run", "one launch of the workload", func(d *document) *run { return &d.Run }, runShape)),
	shown(environmentMember()),
	must("dimensions", "facts that two runs are held against each other by; every required key of the lens, as a value or an absence", func(d *document) *map[string]dimension { return &d.Dimensions }, dictionary(dimensionShape, 1000, "dimensions")),
	must("outcomes", "what was measured", func(d *document) *[]outcome { return &d.Outcomes }, list(outcomeShape, mostOutcomes, "outcomes")),
	shown(may("excluded", "what was left out of the outcomes, and why", func(d *document) *[]excluded { return &d.Excluded }, list(excludedShape, mostNotes, "entries"))),
	shown(may("truncated", "what the producer cut by a bound", func(d *document) *[]truncated { return &d.Truncated }, list(truncatedShape, mostNotes, "entries"))),
	may("derived_from", "the raw files this was made from", func(d *document) *[]rawFile { return &d.DerivedFrom }, list(rawFileShape, mostNotes, "entries")),
	may("labels", "free, searched, never compared", func(d *document) *map[string]string { return &d.Labels }, dictionary(text(mostText), mostLabels, "labels")),
	shown(may("ext", "free JSON under reversed domain names, kept and never read", func(d *document) *map[string]any { return &d.Ext }, extShape)),
)

// environmentMember is needed but in a fleet capture, whose pool is described
// by dimensions; that is checked when the lens is known.
func environmentMember() member[document] {
	shape := objectOrAbsent(environmentShape)
	return member[document]{
		name: "environment", about: "the machines and their software; needed but for the fleet lens", describe: shape.describe,
		read: func(s *scanner, d *document) {
			d.EnvironmentGiven = true
			shape.read(s, &d.Environment)
		},
	}
}

// shown is a member that is also kept as it stands, for people to see.
func shown(of member[document]) member[document] {
	read := of.read
	of.read = func(s *scanner, d *document) {
		s.next()
		start := s.at
		if read(s, d); s.at > start {
			if d.raw == nil {
				d.raw = map[string][]byte{}
			}
			d.raw[of.name] = s.data[start:s.at]
		}
	}
	return of
}

func constant(word string) shape[string] {
	of := text(mostText)
	of.describe = schema{"const": word}
	return of
}

var versionForm = regexp.MustCompile(`^[0-9]{1,4}\.[0-9]{1,4}$`)

var versionShape = func() shape[string] {
	of := matching(versionForm, "a version such as \""+schemaVersion+"\"")
	of.describe = schema{"const": schemaVersion}
	return of
}()

var producerShape = object(
	must("name", "name of the script or tool", func(p *producer) *string { return &p.Name }, named()),
	must("version", "its version", func(p *producer) *string { return &p.Version }, named()),
	may("command", "the command line that was run", func(p *producer) *string { return &p.Command }, text(mostCommand)),
	may("clock", "where the times come from", func(p *producer) *clock { return &p.Clock }, object(
		must("source", "the clock that was read", func(c *clock) *string { return &c.Source }, named()),
		must("sync", "how it was kept right", func(c *clock) *string { return &c.Sync }, choice("ntp", "ptp", "none", "unknown")),
	)),
)

var windowShape = object(
	must("start", "first instant measured", func(w *window) *time.Time { return &w.Start }, timestamp),
	must("end", "first instant not measured any more", func(w *window) *time.Time { return &w.End }, timestamp),
)

var referenceShape = object(
	must("id", "name of the model or data set", func(r *reference) *string { return &r.ID }, named()),
	must("revision", "its commit or version", func(r *reference) *absent.Value[string] { return &r.Revision }, orAbsent(named())),
	may("sha256", "digest of its bytes", func(r *reference) *string { return &r.SHA256 }, sha256Text),
)

var workloadShape = object(
	must("name", "name of the workload", func(w *workload) *string { return &w.Name }, named()),
	may("model", "the model", func(w *workload) **reference { return &w.Model }, pointed(referenceShape)),
	may("dataset", "the data set", func(w *workload) **reference { return &w.Dataset }, pointed(referenceShape)),
	may("labels", "free, searched, never compared", func(w *workload) *map[string]string { return &w.Labels }, dictionary(text(mostText), mostLabels, "labels")),
)

// pointed is a shape whose presence shows.
func pointed[T any](of shape[T]) shape[*T] {
	return shape[*T]{describe: of.describe, read: func(s *scanner, into **T) {
		*into = new(T)
		of.read(s, *into)
	}}
}

var runShape = object(
	must("id", "name of the run", func(r *run) *string { return &r.ID }, named()),
	must("state", "how the run ended", func(r *run) *string { return &r.State }, choice("completed", "failed", "cancelled", "running")),
	must("attempt", "1 for the first attempt", func(r *run) *int64 { return &r.Attempt }, integer(1)),
	may("started", "when the run began", func(r *run) *absent.Value[time.Time] { return &r.Started }, orAbsent(timestamp)),
	may("ended", "when it ended", func(r *run) *absent.Value[time.Time] { return &r.Ended }, orAbsent(timestamp)),
	may("replicate_group", "ties the runs of one configuration together", func(r *run) *string { return &r.Group }, named()),
	may("seed", "random seed", func(r *run) *absent.Value[string] { return &r.Seed }, orAbsent(seedShape)),
	may("code", "the program's own version", func(r *run) *absent.Value[code] { return &r.Code }, objectOrAbsent(object(
		must("repo", "where the program is kept", func(c *code) *string { return &c.Repo }, named()),
		must("commit", "its commit", func(c *code) *string { return &c.Commit }, named()),
		must("dirty", "true if it was changed since", func(c *code) *bool { return &c.Dirty }, boolean),
	))),
	may("image", "digest of the container image", func(r *run) *absent.Value[string] { return &r.Image }, orAbsent(matching(regexp.MustCompile(`^(\S+@)?sha256:[0-9a-f]{64}$`), "an image digest such as sha256:… with 64 hexadecimal digits"))),
	may("config_sha256", "digest of the configuration", func(r *run) *absent.Value[string] { return &r.ConfigSHA256 }, orAbsent(sha256Text)),
)

// seedShape is a text or a whole number, kept as text.
var seedShape = shape[string]{
	read: func(s *scanner, into *string) {
		switch s.next() {
		case '"':
			*into = s.text(mostText, "the seed")
		case '0':
			start := s.at
			s.number()
			*into = string(s.data[start:s.at])
		default:
			s.expect('"', "a text or a number")
		}
	},
	describe: schema{"type": []string{"string", "integer"}},
}

var sourceShape = choice("declared", "observed", "derived", "default")

var dimensionShape = func() shape[dimension] {
	members := object(
		may("v", "the value", func(d *dimension) *any { return &d.Value }, anything),
		may("src", "where it comes from", func(d *dimension) *string { return &d.Source }, sourceShape),
		may("from", "the place or formula it comes from", func(d *dimension) *string { return &d.From }, text(mostText)),
		may("absent", "why there is no value", func(d *dimension) *absent.Reason { return &d.Gap.Reason }, reason),
		may("note", "words beside the reason", func(d *dimension) *string { return &d.Gap.Note }, text(mostText)),
	)
	read := members.read
	members.read = func(s *scanner, into *dimension) {
		before := s.count
		if read(s, into); s.stopped || s.count > before {
			return
		}
		switch {
		case into.Gap.Reason != "" && (into.Value != nil || into.Source != "" || into.From != ""):
			s.note(codeContradiction, "a dimension has either a value (v, src, from) or an absence (absent, note)")
		case into.Gap.Reason == "" && into.Value == nil:
			s.note(codeMissing, `neither "v" nor "absent" is there: write {"v": …, "src": "declared"} or {"absent": "not_recorded"}`)
		case into.Value != nil && into.Source == "":
			s.note(codeMissing, `"src" is missing: say where the value comes from`)
		case into.Value != nil && into.Gap.Note != "":
			s.note(codeMisplaced, `"note" stands beside an absence; beside a value "from" says where it comes from`)
		}
	}
	return members
}()

var excludedShape = object(
	must("what", "the outcome or other thing", func(e *excluded) *string { return &e.What }, named()),
	must("reason", "why it was left out", func(e *excluded) *string { return &e.Reason }, named()),
	must("count", "how many", func(e *excluded) *int64 { return &e.Count }, integer(0)),
)

var truncatedShape = object(
	must("pointer", "JSON Pointer to what was cut", func(t *truncated) *string { return &t.Pointer }, matching(regexp.MustCompile(`^(/([^/~]|~[01])*)*$`), "a JSON Pointer such as /outcomes/0/v")),
	must("kept", "how many are in the file", func(t *truncated) *int64 { return &t.Kept }, integer(0)),
	must("of", "how many there were", func(t *truncated) *absent.Value[int64] { return &t.Of }, orAbsent(integer(0))),
	must("bound", "the bound that cut", func(t *truncated) *string { return &t.Bound }, named()),
)

var rawFileShape = object(
	must("name", "name of the file", func(f *rawFile) *string { return &f.Name }, named()),
	must("format", "its format", func(f *rawFile) *string { return &f.Format }, named()),
	must("bytes", "its size", func(f *rawFile) *int64 { return &f.Bytes }, integer(0)),
	must("sha256", "its digest", func(f *rawFile) *string { return &f.SHA256 }, sha256Text),
)

var extKey = regexp.MustCompile(`^[a-z0-9-]+(\.[A-Za-z0-9_-]+)+$`)

var extShape = func() shape[map[string]any] {
	of := dictionary(anything, mostNotes, "members")
	read := of.read
	of.read = func(s *scanner, into *map[string]any) {
		s.next()
		start := s.at
		read(s, into)
		if size := s.at - start; size > mostExt {
			s.limit(s.pointer(), codeTooLarge, "1048576", "", "ext has %d bytes, %d are allowed", size, mostExt)
		}
		for _, key := range sorted(*into) {
			if !extKey.MatchString(key) {
				s.problems.got(pointerTo(s.pointer(), key), codeForm, key, "names under ext are reversed domain names such as org.example.tool")
			}
		}
	}
	of.describe = schema{"type": "object", "propertyNames": schema{"pattern": extKey.String(), "maxLength": mostKey}}
	return of
}()
