package sqlstore

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"kernelwake/internal/evidence"
	"kernelwake/internal/id"
	"kernelwake/internal/workspace"
)

// Comparison is a saved comparison. It never changes.
type Comparison struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Lens   string `json:"lens"`
	Answer string `json:"answer"`
	// Verdict is that of the leading outcome.
	Verdict      string    `json:"verdict"`
	Sentence     string    `json:"sentence"`
	Synthetic    bool      `json:"synthetic"`
	Method       string    `json:"method"`
	StatsVersion string    `json:"stats_version"`
	InputsSHA256 string    `json:"inputs_sha256"`
	ResultSHA256 string    `json:"result_sha256"`
	Created      time.Time `json:"created_at"`
	By           string    `json:"created_by"`
	// Request is what the person asked, Inputs what was computed from, Result
	// what came out, all as stored.
	Request json.RawMessage `json:"-"`
	Inputs  json.RawMessage `json:"-"`
	Result  json.RawMessage `json:"-"`
	// Captures are what it rests on.
	Captures []ComparedCapture `json:"-"`
}

// ComparedCapture is a capture that a comparison rests on.
type ComparedCapture struct{ CaptureID, RunID, Side string }

const comparisonColumns = `SELECT id, name, lens, answer, verdict, sentence, synthetic, method, stats_version, inputs_sha256, result_sha256, created_at, created_by`

func (c *Comparison) columns(created *int64) []any {
	return []any{&c.ID, &c.Name, &c.Lens, &c.Answer, &c.Verdict, &c.Sentence, &c.Synthetic, &c.Method, &c.StatsVersion, &c.InputsSHA256, &c.ResultSHA256, created, &c.By}
}

func scanComparisonRow(row scanner) (c Comparison, err error) {
	var created int64
	var request string
	err = row.Scan(append(c.columns(&created), &request)...)
	c.Created, c.Request = timeOf(created), json.RawMessage(request)
	return c, err
}

func scanComparison(row scanner) (c Comparison, err error) {
	var created int64
	var request, inputs, result string
	err = row.Scan(append(c.columns(&created), &request, &inputs, &result)...)
	c.Created = timeOf(created)
	c.Request, c.Inputs, c.Result = json.RawMessage(request), json.RawMessage(inputs), json.RawMessage(result)
	return c, err
}

// SaveComparison keeps a comparison, once for a key.
func (d *DB) SaveComparison(ctx context.Context, actor workspace.Actor, in string, c Comparison, once Once) (Comparison, error) {
	var saved Comparison
	err := d.change(ctx, actor, func(t *tx) error {
		existing, err := t.replay(in, once)
		if err != nil {
			return err
		}
		if existing == "" {
			if existing, err = t.insertComparison(in, c); err != nil {
				return err
			}
			if err := t.remember(in, once, existing); err != nil {
				return err
			}
		}
		saved, err = one(ctx, t, scanComparison, comparisonColumns+", request, inputs, result FROM comparisons WHERE id = $1", existing)
		return err
	})
	return saved, err
}

func (t *tx) insertComparison(in string, c Comparison) (string, error) {
	if err := checkName("comparison", c.Name); err != nil {
		return "", err
	}
	comparisonID, err := t.newID(id.Comparison)
	if err != nil {
		return "", err
	}
	_, err = t.exec(`INSERT INTO comparisons (id, workspace_id, name, lens, answer, verdict, sentence, synthetic, method, stats_version, request, inputs, inputs_sha256, result, result_sha256, created_at, created_by)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
		comparisonID, in, c.Name, c.Lens, c.Answer, c.Verdict, c.Sentence, c.Synthetic, c.Method, c.StatsVersion, string(c.Request), string(c.Inputs), c.InputsSHA256,
		string(c.Result), evidence.Digest(c.Result), t.at.UnixMicro(), t.actor.Name)
	if err != nil {
		return "", err
	}
	for _, capture := range c.Captures {
		if _, err := t.exec("INSERT INTO comparison_captures (comparison_id, capture_id, run_id, side) VALUES ($1, $2, $3, $4)", comparisonID, capture.CaptureID, capture.RunID, capture.Side); err != nil {
			if isReferred(err) {
				return "", missing(errNoRow, "capture", capture.CaptureID)
			}
			return "", err
		}
	}
	return comparisonID, t.audit(event{chain: in, action: "comparison.save", kind: "comparison", id: comparisonID, after: "inputs:" + c.InputsSHA256 + " answer:" + c.Answer})
}

// Comparison returns a saved comparison.
func (d *DB) Comparison(ctx context.Context, in, comparisonID string) (Comparison, error) {
	found, err := one(ctx, d.read, scanComparison, comparisonColumns+", request, inputs, result FROM comparisons WHERE workspace_id = $1 AND id = $2", in, comparisonID)
	return found, missing(err, "comparison", comparisonID)
}

// Comparisons returns a page of saved comparisons without their results, the
// newest first, and how many there are. A run id keeps those that rest on it.
func (d *DB) Comparisons(ctx context.Context, in, runID, before string, limit int) ([]Comparison, int64, error) {
	where := conditions{}
	where.add("workspace_id = ?", in)
	if runID != "" {
		where.add("id IN (SELECT comparison_id FROM comparison_captures WHERE run_id = ?)", runID)
	}
	total, err := scalar[int64](ctx, d.read, "SELECT COUNT(*) FROM comparisons"+where.where(), where.args...)
	if err != nil {
		return nil, 0, err
	}
	if before != "" {
		where.add("id < ?", before)
	}
	rows, err := many(ctx, d.read, scanComparisonRow, comparisonColumns+", request FROM comparisons"+where.where()+" ORDER BY id DESC LIMIT "+strconv.Itoa(limit), where.args...)
	return rows, total, err
}
