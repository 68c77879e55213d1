package importing

import (
	"context"
	"time"

	"kernelwake/internal/blob"
	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/lens"
	"kernelwake/internal/sqlstore"
)

// capturesLimit is the most captures one file may hold.
const capturesLimit = 10_000

// draft is a parsed capture on its way into the store: everything but its
// vectors, which are in a temporary file.
type draft struct {
	file       *spooled
	parsed     blob.Stage
	capture    sqlstore.NewCapture
	name       string
	workload   string
	group      string
	labels     map[string]string
	start, end time.Time
}

// drafts parses a file. Its captures' parsed forms are staged one by one, so
// that memory holds one at a time.
func (i *Importer) drafts(ctx context.Context, file *spooled, options evidence.ReadOptions, keep bool) (made []*draft, err error) {
	select {
	case i.parsing <- struct{}{}:
		defer func() { <-i.parsing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() {
		if err != nil {
			discard(made)
			made, err = nil, about(file.name, err)
		}
	}()
	err = file.format.Read(ctx, file.file(), options, func(p *evidence.Parsed) error {
		if len(made) == capturesLimit {
			return fault.New(fault.TooLarge, "too_many_captures", "one file may hold %d captures", capturesLimit).WithHint("split the archive")
		}
		if err := offered(p, options.Lens); err != nil {
			return err
		}
		one, err := i.draft(ctx, file, p, keep)
		if err != nil {
			return err
		}
		made = append(made, one)
		return nil
	})
	if err == nil && len(made) == 0 {
		err = fault.New(fault.Invalid, "nothing_captured", "the file holds no capture").WithHint("check that the recording finished")
	}
	return made, err
}

// offered refuses a lens that the person chose and the file can't be read
// under, where its format didn't.
func offered(p *evidence.Parsed, chosen lens.ID) error {
	if chosen == "" || chosen == p.Lens {
		return nil
	}
	return fault.New(fault.Invalid, "lens_not_offered", "the file is read under the %s lens, it can't be read under %s", p.Lens, chosen).
		WithHint("leave the lens out, or choose %s", p.Lens)
}

func discard(drafts []*draft) {
	for _, one := range drafts {
		if one.parsed != nil {
			_ = one.parsed.Discard() // what can't be removed now goes at the next start
		}
	}
}

// draft works out what is kept of a capture; with keep its parsed form is
// staged too.
func (i *Importer) draft(ctx context.Context, file *spooled, p *evidence.Parsed, keep bool) (*draft, error) {
	of, ok := lens.Find(p.Lens)
	if !ok {
		return nil, fault.New(fault.Invalid, "lens_unknown", "the capture has no lens").WithHint("choose one: inference, training or fleet")
	}
	made := &draft{file: file, name: p.Name, workload: p.Workload, group: p.Group, labels: p.Labels}
	made.capture = sqlstore.NewCapture{
		Capture: evidence.Capture{
			Format: p.Format, FormatVersion: p.FormatVersion, Tool: p.Tool, Lens: p.Lens, Cell: p.Cell, Origin: p.Origin, MeasuredOn: p.MeasuredOn,
			Findings: p.Findings,
			Provenance: evidence.Provenance{
				FileName: file.name, Importer: p.Importer, Product: i.Product, SHA256: file.stage.Digest(), Bytes: file.stage.Size(),
				Selector: p.Selector, DeclaredSHA256: file.declaredSHA256, DerivedFrom: p.DerivedFrom,
			},
		},
		OriginNote: p.OriginNote, Launch: p.Launch, Rank: p.Rank, Dimensions: p.Dimensions, Completeness: p.Completeness,
		Figures: p.Figures, Measurements: evidence.MeasureAll(p, of),
	}
	if made.capture.Findings == nil {
		made.capture.Findings = []evidence.Finding{}
	}
	if at, known := p.Started.Get(); known {
		made.start, made.capture.Started = at, &at
	}
	if at, known := p.Ended.Get(); known {
		made.end, made.capture.Ended = at, &at
	}
	encoded, err := p.Encode()
	if err != nil {
		return nil, err
	}
	made.capture.Provenance.ParsedSHA256, made.capture.Provenance.ParsedBytes = evidence.Digest(encoded), int64(len(encoded))
	if !keep {
		return made, nil
	}
	if made.parsed, err = i.Blobs.Stage(ctx); err != nil {
		return nil, err
	}
	if _, err := made.parsed.Write(encoded); err != nil {
		_ = made.parsed.Discard() // the write's own error says what is wrong
		return nil, err
	}
	return made, nil
}
