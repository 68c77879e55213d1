package kwcap

import (
	"fmt"
	"slices"
	"strings"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/secret"
)

// reading turns a checked document into the parsed form.
type reading struct {
	*document
	lens    lens.Lens
	out     *evidence.Parsed
	secrets secret.Report
	// capacity and waits are what a pool adds up to, nil under other lenses.
	capacity *capacity
	waits    *waits
}

// parsed returns the parsed form of a checked document.
func (d *document) parsed(f Format, options evidence.ReadOptions) (*evidence.Parsed, error) {
	l, ok := lens.Find(lens.ID(d.Lens))
	if !ok {
		return nil, fmt.Errorf("reading a capture: the registry has no lens %q", d.Lens)
	}
	r := &reading{document: d, lens: l, secrets: secret.Report{Keep: options.KeepSecrets}}
	r.out = &evidence.Parsed{
		Format: f.ID(), FormatVersion: d.Version, Importer: f.Importer(),
		Tool: r.text("/producer/name", d.Producer.Name) + " " + r.text("/producer/version", d.Producer.Version),
		Name: r.text("/run/id", d.Run.ID), Lens: l.ID,
		Origin: evidence.Recorded, MeasuredOn: evidence.Device(d.MeasuredOn),
		Started: absent.Of(d.Window.Start), Ended: absent.Of(d.Window.End),
		Workload: r.text("/workload/name", d.Workload.Name), Group: r.text("/run/replicate_group", d.Run.Group),
		Launch: evidence.LaunchID{Kind: evidence.Launch},
		Labels: r.labels(),
	}
	if d.Synthetic {
		r.out.Origin, r.out.OriginNote = evidence.Synthetic, r.text("/synthetic_reason", d.SyntheticReason)
	}
	r.readOutcomes()
	r.readDimensions()
	r.readRank()
	r.readCompleteness()
	r.readState()
	r.readRest()
	switch l.ID {
	case lens.Training:
		r.readTraining()
	case lens.Fleet:
		r.readFleet()
	case lens.Inference:
		r.readInference()
	}
	if err := r.figures(); err != nil {
		return nil, err
	}
	r.out.Findings = append(r.out.Findings, r.secrets.Findings()...)
	if r.out.Findings == nil {
		r.out.Findings = []evidence.Finding{}
	}
	return r.out, nil
}

// text returns a text without secrets. What is shown as it stands, too, is
// counted there.
func (r *reading) text(pointer, value string) string {
	return r.reporting(pointer).Text(pointer, value)
}

func (r *reading) reporting(pointer string) *secret.Report {
	top, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if r.raw[top] != nil {
		return &secret.Report{Keep: r.secrets.Keep}
	}
	return &r.secrets
}

// find adds a finding with its remedy.
func (r *reading) find(code string, count int64, pointer, remedy, format string, args ...any) {
	r.out.Findings = append(r.out.Findings, evidence.Finding{Code: code, Count: count, Pointer: pointer, Remedy: remedy, Message: fmt.Sprintf(format, args...)})
}

// labels are the capture's own, and the workload's where they don't name the
// same thing.
func (r *reading) labels() map[string]string {
	if len(r.Labels)+len(r.Workload.Labels) == 0 {
		return nil
	}
	out := map[string]string{}
	for _, from := range []struct {
		at     string
		labels map[string]string
	}{{"/workload/labels", r.Workload.Labels}, {"/labels", r.Labels}} {
		for _, key := range sorted(from.labels) {
			at := pointerTo(from.at, key)
			out[r.text(at, key)] = r.secrets.NamedText(at, key, from.labels[key])
		}
	}
	return out
}

// readRank says that the capture speaks for all ranks.
func (r *reading) readRank() {
	r.out.Rank.Rank = absent.Because[int64](absent.NotApplicable, "the capture speaks for all ranks")
	world := r.out.Dimensions["world_size"]
	if size, ok := lens.Number(world.Value); ok {
		r.out.Rank.WorldSize = absent.Of(int64(size))
		return
	}
	if world.Absent == "" {
		world.Absent = absent.NotApplicable
	}
	r.out.Rank.WorldSize = absent.Because[int64](world.Absent, "")
}

// readState says how the run ended, where it didn't end well.
func (r *reading) readState() {
	switch r.Run.State {
	case "failed":
		r.find("run_failed", 1, "/run/state", "find why, and record again", "the run failed: what it measured may not be typical")
	case "cancelled":
		r.find("run_stopped_early", 1, "/run/state", "record a whole run", "the run was cancelled: it is compared on what it completed")
	case "running":
		r.find("run_not_ended", 1, "/run/state", "write the capture again when the run has ended", "the run was still going on when the capture was written")
	}
	r.out.Completeness.StoppedEarly = r.Run.State != "completed"
}

// readRest keeps what the producer says it left out or cut.
func (r *reading) readRest() {
	for i, cut := range r.Truncated {
		of := "an unknown number"
		if n, ok := cut.Of.Get(); ok {
			of = fmt.Sprint(n)
		}
		r.find("truncated_by_producer", 1, pointerTo("/truncated", i), "write all values, or say so beside the result", "%s: %d of %s kept (%s)", cut.Pointer, cut.Kept, of, r.text(pointerTo("/truncated", i, "bound"), cut.Bound))
	}
	for i, one := range r.Excluded {
		if one.Count > 0 {
			at := pointerTo("/excluded", i)
			r.find("excluded_by_producer", one.Count, at, "", "%s: left out by the producer, %s", r.text(at, one.What), r.text(at, one.Reason))
		}
	}
	for i, file := range r.DerivedFrom {
		name := r.text(pointerTo("/derived_from", i, "name"), file.Name)
		r.out.DerivedFrom = append(r.out.DerivedFrom, evidence.RawFile{Name: name, Format: file.Format, Bytes: file.Bytes, SHA256: file.SHA256})
	}
}

// outcome returns an outcome of the parsed form to change, nil if there is no
// such outcome.
func (r *reading) outcome(name string) *evidence.Outcome {
	i := slices.IndexFunc(r.out.Outcomes, func(o evidence.Outcome) bool { return o.Name == name && o.Phase == "" })
	if i < 0 {
		return nil
	}
	return &r.out.Outcomes[i]
}

// place is where an outcome stands in the file; empty for one that was derived.
func (r *reading) place(name string) string {
	i := slices.IndexFunc(r.Outcomes, func(o outcome) bool { return o.Name == name && o.Phase == "" })
	if i < 0 {
		return ""
	}
	return pointerTo("/outcomes", i)
}

// withhold takes an outcome's value back: what it says can't be true.
func (r *reading) withhold(name, note string) {
	if o := r.outcome(name); o != nil && o.Absent == "" {
		o.Absent, o.Note = absent.Withheld, note
	}
}
