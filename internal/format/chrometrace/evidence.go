package chrometrace

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/trace"
)

// figures is the JSON object of a trace's figures: those of package trace, and
// what stands beside the events.
type figures struct {
	trace.Figures
	Clock    clock             `json:"clock"`
	Metadata map[string]string `json:"metadata"`
	// MetadataRemoved lists the members left out of the parsed form, by key.
	MetadataRemoved []string    `json:"metadata_removed"`
	DevicesListed   []trace.GPU `json:"devices_listed"`
	// BytesPerEvent is the memory that the kept form takes for each event.
	BytesPerEvent float64 `json:"bytes_per_event"`
}

// clock says what times count from.
type clock struct {
	WholeMicroseconds bool `json:"whole_microseconds"`
	// BaseNS is the wall clock that times count from, FirstNS the first event
	// from there, both as text: they pass 2^53.
	BaseNS  absent.Value[string] `json:"base_ns"`
	FirstNS string               `json:"first_ns"`
	// OutOfOrder counts complete events that start before the one ahead of
	// them in the file.
	OutOfOrder   int64 `json:"out_of_order"`
	ZeroDuration int64 `json:"zero_duration_events"`
}

// parsed turns a trace and its analysis into evidence.
func (r *reader) parsed(fileName string, a *trace.Analysis, chosen lens.ID) (*evidence.Parsed, error) {
	id, guessed := chooseLens(a, chosen)
	p := &evidence.Parsed{
		Format: evidence.FormatChromeTrace, FormatVersion: r.version(), Tool: r.tool(a), Name: runName(fileName),
		Lens: id, LensGuessed: guessed, Origin: evidence.Recorded, MeasuredOn: evidence.CPU,
		Launch: evidence.LaunchID{Kind: evidence.Launch}, Rank: r.rank(),
		Completeness: noCompleteness(),
	}
	if a.Facts.OnGPU {
		p.MeasuredOn = evidence.GPU
	}
	p.Started, p.Ended = r.times()
	p.Outcomes = outcomes(a, id)
	p.Dimensions = r.dimensions(a, id)
	p.Findings = append(r.findings(), a.Findings...)
	p.Tables = []evidence.Table{r.spanTable(), r.trackTable()}
	if len(r.t.Collectives) > 0 {
		p.Tables = append(p.Tables, trace.CollectiveTable(r.t))
	}
	var err error
	if p.Figures, err = r.figuresJSON(a); err != nil {
		return nil, err
	}
	if p.Work, err = json.Marshal(a.Signature); err != nil {
		return nil, fmt.Errorf("encoding a work signature: %w", err)
	}
	return p, nil
}

// chooseLens takes the person's choice, else training where profiler or
// optimizer steps were recorded, else inference where an engine annotated model
// runs. A profiler step alone says nothing of training.
func chooseLens(a *trace.Analysis, chosen lens.ID) (id lens.ID, guessed bool) {
	switch f := &a.Facts; {
	case chosen != "":
		return chosen, false
	case f.Optimizer != "":
		return lens.Training, false
	case f.ModelRuns && !f.Trains:
		return lens.Inference, false
	}
	return lens.Training, true
}

// version is kineto's schema version, or the name of the plain format.
func (r *reader) version() string {
	if version := r.meta.kept["schemaVersion"]; version != "" {
		return version
	}
	return "trace-event"
}

func (r *reader) tool(a *trace.Analysis) string {
	switch {
	case r.meta.seen["schemaVersion"] && len(r.t.ByCategory) > 0:
		return "PyTorch profiler (kineto)"
	case a.Facts.CompiledKnown || a.Facts.OnGPU:
		return "PyTorch profiler"
	}
	return ""
}

// runName suggests a name from the file's name without its endings.
func runName(file string) string {
	name := filepath.Base(strings.ReplaceAll(file, `\`, "/"))
	for _, ending := range []string{".gz", ".json", ".trace", ".pt"} {
		name = strings.TrimSuffix(name, ending)
	}
	if name == "." || name == "/" {
		return ""
	}
	return name
}

func (r *reader) rank() evidence.Rank {
	unknown := absent.Because[int64](absent.NotRecorded, "the trace has no distributedInfo")
	out := evidence.Rank{Rank: unknown, WorldSize: unknown}
	if e := r.t.Environment; e.Rank >= 0 {
		out.Rank = absent.Of(e.Rank)
	}
	if e := r.t.Environment; e.WorldSize > 0 {
		out.WorldSize = absent.Of(e.WorldSize)
	}
	return out
}

func noCompleteness() evidence.Completeness {
	none := absent.Because[int64](absent.NotApplicable, "a trace counts no requests")
	return evidence.Completeness{Sent: none, OK: none, Failed: none, Cancelled: none}
}

// Times count from 1970 where no base is given and they lie in these years.
var (
	earliest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()
	latest   = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()
)

// times is the wall clock of the first and the last event: base + time, or the
// time itself where it is absolute.
func (r *reader) times() (started, ended absent.Value[time.Time]) {
	base := r.t.Base
	if base == trace.Missing {
		base = 0
	}
	first, last := base+r.t.FirstStart, base+r.t.LastEnd
	if base < 0 || base > latest || first < earliest || last > latest {
		unknown := absent.Because[time.Time](absent.NotRecorded, "times count from an unknown moment: the trace has no baseTimeNanoseconds")
		return unknown, unknown
	}
	return absent.Of(time.Unix(0, first).UTC()), absent.Of(time.Unix(0, last).UTC())
}

func (r *reader) figuresJSON(a *trace.Analysis) (json.RawMessage, error) {
	f := figures{Figures: a.Figures, Metadata: r.meta.kept, MetadataRemoved: append([]string{}, r.meta.removed...), DevicesListed: append([]trace.GPU{}, r.meta.gpus...)}
	f.Clock = clock{
		WholeMicroseconds: r.t.Observed.WholeMicroseconds, OutOfOrder: r.t.Observed.OutOfOrder, ZeroDuration: r.t.Observed.ZeroDuration,
		BaseNS: absent.Because[string](absent.NotRecorded, "the trace has no baseTimeNanoseconds"), FirstNS: fmt.Sprint(r.t.FirstStart),
	}
	if r.t.Base != trace.Missing {
		f.Clock.BaseNS = absent.Of(fmt.Sprint(r.t.Base))
	}
	if r.t.Events > 0 {
		f.BytesPerEvent = math.Round(100*float64(r.t.Bytes())/float64(r.t.Events)) / 100
	}
	encoded, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("encoding the figures of a trace: %w", err)
	}
	return encoded, nil
}
