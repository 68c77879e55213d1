package importing

import (
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/sqlstore"
)

// Answer says what an import made, and what it recognised.
type Answer struct {
	// Runs hold what was sent: those made now, and those that held it already.
	Runs     []AnswerRun        `json:"runs"`
	Findings []evidence.Finding `json:"findings"`
	// AlreadyStored names the files whose bytes this workspace has.
	AlreadyStored []AlreadyStored `json:"already_stored"`
}

// AnswerRun is a run with the captures that hold what was sent.
type AnswerRun struct {
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	Lens       lens.ID         `json:"lens"`
	WorkloadID string          `json:"workload_id"`
	Workload   string          `json:"workload"`
	Group      string          `json:"replicate_group,omitempty"`
	Captures   []AnswerCapture `json:"captures"`
}

// AnswerCapture is a capture as an import answers.
type AnswerCapture struct {
	ID            string          `json:"id"`
	Format        string          `json:"format"`
	FormatVersion string          `json:"format_version"`
	SHA256        string          `json:"sha256"`
	ParsedSHA256  string          `json:"parsed_sha256"`
	Bytes         int64           `json:"bytes"`
	Origin        evidence.Origin `json:"origin"`
	MeasuredOn    evidence.Device `json:"measured_on"`
	FileName      string          `json:"file_name"`
	Selector      string          `json:"selector,omitempty"`
	Cell          string          `json:"cell,omitempty"`
	// AlreadyStored is true where the capture was there before.
	AlreadyStored bool `json:"already_stored,omitempty"`
}

// AlreadyStored names a file that was recognised and where it is.
type AlreadyStored struct {
	FileName   string   `json:"file_name"`
	SHA256     string   `json:"sha256"`
	RunID      string   `json:"run_id"`
	Run        string   `json:"run"`
	Workload   string   `json:"workload"`
	CaptureIDs []string `json:"capture_ids"`
}

func answerCapture(c sqlstore.StoredCapture) AnswerCapture {
	return AnswerCapture{
		ID: c.ID, Format: c.Format, FormatVersion: c.FormatVersion, SHA256: c.Provenance.SHA256, ParsedSHA256: c.Provenance.ParsedSHA256, Bytes: c.Provenance.Bytes,
		Origin: c.Origin, MeasuredOn: c.MeasuredOn, FileName: c.Provenance.FileName, Selector: c.Provenance.Selector, Cell: c.Cell,
	}
}

// answer builds the answer from runs with captures, of which some were there
// before, and what the request said of those in vain.
func answer(runs []sqlstore.StoredRun, sent map[string]bool, recognised map[string]string, request Request) Answer {
	made := Answer{Runs: []AnswerRun{}, Findings: []evidence.Finding{}, AlreadyStored: []AlreadyStored{}}
	for _, run := range runs {
		before := false
		one := AnswerRun{ID: run.ID, Name: run.Name, Lens: run.Lens, WorkloadID: run.WorkloadID, Workload: run.RunRow.Workload, Group: run.Group, Captures: []AnswerCapture{}}
		for _, capture := range run.Captures {
			if !sent[capture.Provenance.SHA256] {
				continue
			}
			shown := answerCapture(capture)
			if fileName, known := recognised[capture.ID]; known {
				shown.AlreadyStored, before = true, true
				made.recognise(fileName, run, capture)
			} else {
				made.find(capture.Findings, allRanks(run))
			}
			one.Captures = append(one.Captures, shown)
		}
		if before {
			made.find(unchanged(run, request), false)
		}
		made.Runs = append(made.Runs, one)
	}
	return made
}

func (a *Answer) recognise(fileName string, run sqlstore.StoredRun, capture sqlstore.StoredCapture) {
	for i := range a.AlreadyStored {
		if one := &a.AlreadyStored[i]; one.SHA256 == capture.Provenance.SHA256 && one.RunID == run.ID {
			one.CaptureIDs = append(one.CaptureIDs, capture.ID)
			return
		}
	}
	a.AlreadyStored = append(a.AlreadyStored, AlreadyStored{
		FileName: fileName, SHA256: capture.Provenance.SHA256, RunID: run.ID, Run: run.Name, Workload: run.RunRow.Workload, CaptureIDs: []string{capture.ID},
	})
}

// ranksMissing is the finding that a file is one rank of several, which says
// nothing where the run holds them all.
const ranksMissing = "other_ranks_not_included"

// allRanks reports whether a run holds every rank of its world.
func allRanks(run sqlstore.StoredRun) bool {
	held := map[int64]bool{}
	var world int64
	for _, capture := range run.Captures {
		rank, known := capture.Rank.Rank.Get()
		if !known {
			return false
		}
		held[rank] = true
		world, _ = capture.Rank.WorldSize.Get()
	}
	return world > 0 && int64(len(held)) == world
}

// find adds findings, counting those that say the same once.
func (a *Answer) find(findings []evidence.Finding, allRanks bool) {
	for _, finding := range findings {
		if finding.Code == ranksMissing && allRanks {
			continue
		}
		known := false
		for i := range a.Findings {
			if a.Findings[i].Code == finding.Code && a.Findings[i].Message == finding.Message {
				a.Findings[i].Count += finding.Count
				known = true
				break
			}
		}
		if !known {
			a.Findings = append(a.Findings, finding)
		}
	}
}
