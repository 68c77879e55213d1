package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"strconv"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
)

// StoredCapture is a capture with what was parsed from it, short of its
// vectors and figures.
type StoredCapture struct {
	evidence.Capture
	OriginNote   string
	Launch       evidence.LaunchID
	Rank         evidence.Rank
	Dimensions   map[string]evidence.Dimension
	Completeness evidence.Completeness
}

const captureColumns = `SELECT c.id, c.run_id, c.format, c.format_version, c.tool, c.lens, c.cell, c.selector, c.origin, c.origin_note, c.measured_on, c.started_at, c.ended_at,
	c.importer, c.product, c.sha256, c.bytes, c.parsed_sha256, c.parsed_bytes, c.declared_sha256, c.file_name, c.via, c.imported_by, c.imported_at, c.derived_from,
	c.launch, c.rank, c.dimensions, c.completeness, c.findings, c.labels, c.revision FROM captures c`

func scanCapture(row scanner) (StoredCapture, error) {
	var c StoredCapture
	var started, ended sql.NullInt64
	var imported int64
	p := &c.Provenance
	err := row.Scan(&c.ID, &c.RunID, &c.Format, &c.FormatVersion, &c.Tool, &c.Lens, &c.Cell, &p.Selector, &c.Origin, &c.OriginNote, &c.MeasuredOn, &started, &ended,
		&p.Importer, &p.Product, &p.SHA256, &p.Bytes, &p.ParsedSHA256, &p.ParsedBytes, &p.DeclaredSHA256, &p.FileName, &p.Via, &p.ImportedBy, &imported, stored{&p.DerivedFrom},
		stored{&c.Launch}, stored{&c.Rank}, stored{&c.Dimensions}, stored{&c.Completeness}, stored{&c.Findings}, stored{&c.Labels}, &c.Revision)
	c.Started, c.Ended, p.ImportedAt = optionalTime(started), optionalTime(ended), timeOf(imported)
	return c, err
}

// Capture returns a capture by id.
func (d *DB) Capture(ctx context.Context, in, captureID string) (StoredCapture, error) {
	found, err := one(ctx, d.read, scanCapture, captureColumns+" WHERE c.workspace_id = $1 AND c.id = $2", in, captureID)
	return found, missing(err, "capture", captureID)
}

// CaptureFilter narrows a list of captures; empty fields don't.
type CaptureFilter struct {
	RunID, Format, Label string
	// Q is the beginning of the digest of the bytes or the parsed form, or part
	// of the file's name.
	Q string
	// Before is the id of the last capture of the page before.
	Before string
	Limit  int
}

// Captures returns a page of captures, the newest first, and how many the
// filter finds.
func (d *DB) Captures(ctx context.Context, in string, filter CaptureFilter) ([]StoredCapture, int64, error) {
	where := conditions{}
	where.add("c.workspace_id = ?", in)
	if filter.RunID != "" {
		where.add("c.run_id = ?", filter.RunID)
	}
	if filter.Format != "" {
		where.add("c.format = ?", filter.Format)
	}
	if filter.Q != "" {
		part := contains(filter.Q)
		where.add(`(c.sha256 LIKE ? ESCAPE '\' OR c.parsed_sha256 LIKE ? ESCAPE '\' OR LOWER(c.file_name) LIKE ? ESCAPE '\')`, part[1:], part[1:], part)
	}
	where.label("c.labels", filter.Label)
	total, err := scalar[int64](ctx, d.read, "SELECT COUNT(*) FROM captures c"+where.where(), where.args...)
	if err != nil {
		return nil, 0, err
	}
	if filter.Before != "" {
		where.add("c.id < ?", filter.Before)
	}
	rows, err := many(ctx, d.read, scanCapture, captureColumns+where.where()+" ORDER BY c.id DESC LIMIT "+strconv.Itoa(filter.Limit), where.args...)
	return rows, total, err
}

// Recognise returns the captures of a workspace that were read from the same
// bytes, by the same reader, under the lens asked for (any, if none).
func (d *DB) Recognise(ctx context.Context, in, sha256, importer, lens string) ([]StoredCapture, error) {
	where := conditions{}
	where.add("c.workspace_id = ?", in)
	where.add("c.sha256 = ?", sha256)
	where.add("c.importer = ?", importer)
	if lens != "" {
		where.add("c.lens = ?", lens)
	}
	return many(ctx, d.read, scanCapture, captureColumns+where.where()+" ORDER BY c.id", where.args...)
}

func capturesOfRuns(ctx context.Context, from querier, runIDs []string) ([]StoredCapture, error) {
	where := conditions{}
	where.in("c.run_id", runIDs)
	return many(ctx, from, scanCapture, captureColumns+where.where()+" ORDER BY c.id", where.args...)
}

// Figures returns a capture's figures, in the format's own words.
func (d *DB) Figures(ctx context.Context, captureID string) (json.RawMessage, error) {
	figures, err := scalar[string](ctx, d.read, "SELECT figures FROM captures WHERE id = $1", captureID)
	return json.RawMessage(figures), missing(err, "capture", captureID)
}

// Measurements returns what was measured, by capture, in the registry's order.
func (d *DB) Measurements(ctx context.Context, captureIDs []string) (map[string][]evidence.Measurement, error) {
	return measurements(ctx, d.read, captureIDs)
}

func measurements(ctx context.Context, from querier, captureIDs []string) (map[string][]evidence.Measurement, error) {
	all := make(map[string][]evidence.Measurement, len(captureIDs))
	if len(captureIDs) == 0 {
		return all, nil
	}
	where := conditions{}
	where.in("capture_id", captureIDs)
	_, err := many(ctx, from, func(row scanner) (none struct{}, err error) {
		var captureID string
		var m evidence.Measurement
		var value, reported sql.NullFloat64
		var n sql.NullInt64
		var nAbsent string
		err = row.Scan(&captureID, &m.Metric, &m.Name, &m.Statistic, &m.Phase, &m.Label, &m.Unit, &m.Direction, &value, &m.Absent, &m.Note, &n, &nAbsent, &m.Basis, &reported, stored{&m.Marks}, &m.Censored)
		if value.Valid {
			m.Value = &value.Float64
		}
		if reported.Valid {
			m.Reported = &reported.Float64
		}
		m.N = absent.Because[int64](absent.Reason(nAbsent), "")
		if n.Valid {
			m.N = absent.Of(n.Int64)
		}
		all[captureID] = append(all[captureID], m)
		return none, err
	}, `SELECT capture_id, metric, name, statistic, phase, label, unit, direction, value, absent, note, n, n_absent, basis, reported, marks, censored
		FROM measurements`+where.where()+" ORDER BY capture_id, position", where.args...)
	return all, err
}

// Parsed is the capture as far as it is kept in SQL: dimensions and marks,
// without outcomes, tables and figures.
func (c StoredCapture) Parsed() *evidence.Parsed {
	p := &evidence.Parsed{
		Format: c.Format, FormatVersion: c.FormatVersion, Importer: c.Provenance.Importer, Tool: c.Tool, Selector: c.Provenance.Selector,
		Cell: c.Cell, Lens: c.Lens, Origin: c.Origin, OriginNote: c.OriginNote, MeasuredOn: c.MeasuredOn, Launch: c.Launch, Rank: c.Rank,
		Dimensions: c.Dimensions, Completeness: c.Completeness, Findings: c.Findings, DerivedFrom: c.Provenance.DerivedFrom,
	}
	if c.Started != nil {
		p.Started = absent.Of(*c.Started)
	}
	if c.Ended != nil {
		p.Ended = absent.Of(*c.Ended)
	}
	return p
}
