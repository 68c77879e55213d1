package importing

import (
	"fmt"
	"reflect"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/sqlstore"
)

// unchanged says what of a request was not done because a run held the bytes
// already: recognising a file never changes the run it is in.
func unchanged(run sqlstore.StoredRun, request Request) []evidence.Finding {
	var left []string
	if request.Workload != "" && request.Workload != run.RunRow.Workload && request.Workload != run.WorkloadID {
		left = append(left, "the workload")
	}
	if request.Run != "" && request.Run != run.Name {
		left = append(left, "the run's name")
	}
	if request.Group != "" && request.Group != run.Group {
		left = append(left, "the replicate group")
	}
	if declaresMore(run, request.Dims) {
		left = append(left, "the declared values")
	}
	if request.SetupID != "" && !attached(run, request.SetupID) {
		left = append(left, "the setup")
	}
	if len(left) == 0 {
		return nil
	}
	return []evidence.Finding{{
		Code: "already_stored_unchanged", Count: 1,
		Message: fmt.Sprintf("the file is there already, in run %q of workload %q, which this import leaves as it is: not applied: %s", run.Name, run.RunRow.Workload, strings.Join(left, ", ")),
		Remedy:  "change the run itself: on its page, or with `run declare`, `run label` and `setup attach`",
	}}
}

func declaresMore(run sqlstore.StoredRun, dims map[string]any) bool {
	for key, value := range dims {
		if declared, ok := run.Declared[key]; !ok || !reflect.DeepEqual(declared.Value, value) {
			return true
		}
	}
	return false
}

func attached(run sqlstore.StoredRun, setupID string) bool {
	for _, one := range run.Attachments {
		if one.SetupID == setupID {
			return true
		}
	}
	return false
}
