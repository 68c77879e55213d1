package importing

import (
	"context"
	"slices"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/lens"
)

// Checked is what a file holds, without anything being kept.
type Checked struct {
	FileName string `json:"file_name"`
	// Readable is false where the file was refused; Errors then says why.
	Readable    bool    `json:"readable"`
	Format      string  `json:"format,omitempty"`
	Lens        lens.ID `json:"lens,omitempty"`
	LensGuessed bool    `json:"lens_guessed"`
	SHA256      string  `json:"sha256,omitempty"`
	Bytes       int64   `json:"bytes"`
	// Captures are those the file holds, without ids.
	Captures []evidence.CaptureDetail `json:"captures"`
	// Missing are the fields that a comparison would ask for and the file
	// doesn't tell: what a person may declare.
	Missing []MissingField  `json:"missing"`
	Errors  []fault.Problem `json:"errors"`
	// Message and Hint say in words why the file was refused.
	Message string `json:"message,omitempty"`
	Hint    string `json:"hint,omitempty"`
}

// MissingField is a field without a value.
type MissingField struct {
	Key     string     `json:"key"`
	Label   string     `json:"label"`
	Row     string     `json:"row"`
	Class   lens.Class `json:"class"`
	Unit    string     `json:"unit,omitempty"`
	Example string     `json:"example,omitempty"`
	// Required is true where leaving it unknown caps a comparison.
	Required bool `json:"required"`
}

// Check reads the one file of an upload and says what is in it. A refusal is
// part of the answer; an error is one of the server.
func (u *Upload) Check(ctx context.Context, chosen lens.ID) (Checked, error) {
	if len(u.files) != 1 {
		return Checked{}, fault.New(fault.Invalid, "one_file", "a check takes one file, %d were sent", len(u.files)).WithHint("send one part named file")
	}
	file := u.files[0]
	i := u.importer
	i.Reached(Spooled)
	select {
	case i.parsing <- struct{}{}:
		defer func() { <-i.parsing }()
	case <-ctx.Done():
		return Checked{}, ctx.Err()
	}
	checked, err := Check(ctx, file.format, file.file(), evidence.ReadOptions{Lens: chosen})
	checked.SHA256 = file.stage.Digest()
	return checked, err
}

// Check reads a file by a format and says what is in it, keeping nothing.
func Check(ctx context.Context, format evidence.Format, file evidence.File, options evidence.ReadOptions) (Checked, error) {
	checked := Checked{FileName: file.Name, Readable: true, Format: format.ID(), Bytes: file.Bytes, Captures: []evidence.CaptureDetail{}, Missing: []MissingField{}, Errors: []fault.Problem{}}
	var read []evidence.CaptureEvidence
	err := format.Read(ctx, file, options, func(p *evidence.Parsed) error {
		of, ok := lens.Find(p.Lens)
		if !ok {
			return fault.New(fault.Invalid, "lens_unknown", "the capture has no lens").WithHint("choose one: inference, training or fleet")
		}
		if err := offered(p, options.Lens); err != nil {
			return err
		}
		checked.Captures = append(checked.Captures, evidence.Detail(p, of))
		checked.Lens, checked.LensGuessed = p.Lens, checked.LensGuessed || p.LensGuessed
		read = append(read, evidence.CaptureEvidence{Parsed: &evidence.Parsed{Format: p.Format, Lens: p.Lens, MeasuredOn: p.MeasuredOn, Dimensions: p.Dimensions, Launch: p.Launch, Cell: p.Cell}})
		return nil
	})
	if err != nil {
		return Refused(file, format.ID(), err)
	}
	if of, ok := lens.Find(checked.Lens); ok {
		checked.Missing = Missing(evidence.RunEvidence{Captures: read}, of)
	}
	return checked, nil
}

// Refused is the answer to a file that can't be read. What isn't the file's
// fault stays an error.
func Refused(file evidence.File, format string, err error) (Checked, error) {
	failure := fault.Of(err)
	if failure.Kind == fault.Internal || failure.Kind == fault.Unavailable {
		return Checked{}, err
	}
	refused := Checked{
		FileName: file.Name, Format: format, Bytes: file.Bytes, Captures: []evidence.CaptureDetail{}, Missing: []MissingField{},
		Errors: slices.Clone(failure.Problems), Message: failure.Message, Hint: failure.Hint,
	}
	if len(refused.Errors) == 0 {
		refused.Errors = []fault.Problem{{Code: failure.Code, Message: failure.Message}}
	}
	return refused, nil
}

// Missing are the fields of the lens that a run has no usable value of and a
// row judges.
func Missing(run evidence.RunEvidence, of lens.Lens) []MissingField {
	return MissingAmong(evidence.Resolve(run, of), run, of)
}

// MissingAmong is Missing for a run whose values are resolved.
func MissingAmong(values map[string]evidence.Value, run evidence.RunEvidence, of lens.Lens) []MissingField {
	missing := []MissingField{}
	for _, row := range of.Rows {
		if row.Class == lens.Note || row.Class == lens.PerOutcome || row.Class == lens.Noise {
			continue
		}
		for _, key := range row.Fields {
			field, ok := of.Field(key)
			value := values[key]
			if !ok || value.Usable() || value.NotApplicable() || !applies(row, run) {
				continue
			}
			missing = append(missing, MissingField{
				Key: key, Label: field.Label, Row: row.Key, Class: row.Class, Unit: field.Unit, Example: field.Example, Required: row.Class != lens.Context,
			})
		}
	}
	return missing
}

// applies reports whether a row speaks of the formats of a run.
func applies(row lens.Row, run evidence.RunEvidence) bool {
	if len(row.Formats) == 0 {
		return true
	}
	return slices.ContainsFunc(run.Captures, func(c evidence.CaptureEvidence) bool { return slices.Contains(row.Formats, c.Format) })
}
