package kwcap

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/format/formattest"
	"kernelwake/internal/lens"
	"kernelwake/internal/sampledir"
)

// table reads a CSV file into columns by name.
func table(t *testing.T, path string) map[string][]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string][]string{}
	for i, name := range rows[0] {
		for _, row := range rows[1:] {
			columns[name] = append(columns[name], row[i])
		}
	}
	return columns
}

func value(t *testing.T, text string) float64 {
	t.Helper()
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return number
}

// fleetCapture writes a fleet capture around outcomes and reads it.
func fleetCapture(t *testing.T, seconds int, population string, outcomes ...any) *evidence.Parsed {
	t.Helper()
	dimensions := jsonObject{"population": jsonObject{"v": population, "src": "declared"}}
	l, _ := lens.Find(lens.Fleet)
	for _, field := range l.Fields {
		if _, given := dimensions[field.Key]; field.Required && !given {
			dimensions[field.Key] = jsonObject{"absent": "not_recorded"}
		}
	}
	data, err := json.Marshal(jsonObject{
		"schema": schemaName, "version": schemaVersion, "lens": "fleet", "created": "2026-01-01T00:00:00Z", "producer": jsonObject{"name": "test", "version": "1"}, "synthetic": false, "measured_on": "none",
		"window":   jsonObject{"start": "2020-05-08T00:00:00Z", "end": fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02dZ", 2020, 5, 8+seconds/86400, seconds/3600%24, seconds/60%60, seconds%60)},
		"workload": jsonObject{"name": "pool"}, "run": jsonObject{"id": "day", "state": "completed", "attempt": 1}, "dimensions": dimensions, "outcomes": outcomes,
	})
	if err != nil {
		t.Fatal(err)
	}
	all, err := formattest.Read(Format{}, "", data)
	if err != nil {
		t.Fatalf("%v: %+v", err, fault.Of(err).Problems)
	}
	return all[0]
}

// TestHeliosDaysAddUpAndTheDayThatContradictsItselfIsWithheld holds one pool's
// minutes against its capacity table, as the samples' README works them out.
func TestHeliosDaysAddUpAndTheDayThatContradictsItselfIsWithheld(t *testing.T) {
	folder := filepath.Join(sampledir.Find(t), "fleet", "helios-earth")
	minutes := table(t, filepath.Join(folder, "vc6YE_cluster_sequence_2020-05-08_to_2020-05-11.csv"))
	capacities := table(t, filepath.Join(folder, "Earth_gpu_number.csv"))
	for _, day := range []struct {
		date                               string
		eligible, allocated, pending, idle float64
		allocation                         float64 // NaN: withheld
	}{
		{"2020-05-08", 4992, 4720.3, 1207.6, 211.7, 0.9456},
		{"2020-05-09", 0, 4872.1, 509.9, 0, math.NaN()},
		{"2020-05-10", 4992, 0, 0, 0, 0},
		{"2020-05-11", 4992, 4521.5, 1644.8, 457.3, 0.9058},
	} {
		t.Run(day.date, func(t *testing.T) {
			gpus := value(t, capacities["vc6YE"][slices.Index(capacities["date"], day.date)])
			from, to, state, reason, subject, held := []any{0}, []any{86400}, []any{"eligible"}, []any{"none"}, []any{"pool"}, []any{gpus}
			start, end, censored, waiting := []any{}, []any{}, []any{}, []any{}
			minute := 0
			for i, when := range minutes["time"] {
				if !strings.HasPrefix(when, day.date) {
					continue
				}
				from, to = append(from, minute*60), append(to, minute*60+60)
				state, reason, subject = append(state, "allocated"), append(reason, "none"), append(subject, "pool")
				held = append(held, value(t, minutes["running_gpu_num"][i]))
				start, end, censored = append(start, minute*60), append(end, minute*60+60), append(censored, 1)
				waiting = append(waiting, value(t, minutes["pending_gpu_num"][i]))
				minute++
			}
			p := fleetCapture(t, 86400, "complete",
				jsonObject{"name": "queue_wait", "unit": "s", "kind": "spells", "start": start, "end": end, "censored": censored, "gpus": waiting},
				jsonObject{"name": "eligibility", "unit": "s", "kind": "intervals", "from": from, "to": to, "state": state, "reason": reason, "subject": subject, "gpus": held})
			got := capacityOf(t, p)
			for name, want := range map[string]float64{"eligible_gpu_hours": day.eligible, "allocated_gpu_hours": day.allocated, "pending_gpu_hours": day.pending, "idle_with_demand_gpu_hours": day.idle} {
				if hours, ok := got[name].(float64); !ok || math.Abs(hours-want) > 0.05 {
					t.Errorf("%s is %v, want %v", name, got[name], want)
				}
			}
			o := outcomeOf(t, p, "allocation")
			if math.IsNaN(day.allocation) {
				if o.Absent != absent.Withheld || codes(p)["allocated_exceeds_eligible"] != 1 {
					t.Errorf("allocation is %+v, findings %v", o, codes(p))
				}
			} else if math.Abs(o.Statistics["value"]-day.allocation) > 5e-5 || o.Absent != "" {
				t.Errorf("allocation is %+v, want %v", o, day.allocation)
			}
		})
	}
}

// TestOpenbWaitsCountWhatNeverStarted: 277 s among the started is no 95th
// percentile of the wait.
func TestOpenbWaitsCountWhatNeverStarted(t *testing.T) {
	pods := table(t, filepath.Join(sampledir.Find(t), "fleet", "alibaba-openb-2023", "openb_pod_list_default.csv"))
	start, end, censored, gpus := []any{}, []any{}, []any{}, []any{}
	for i := range pods["name"] {
		n := value(t, pods["num_gpu"][i])
		if n == 0 {
			continue
		}
		last, seen := pods["scheduled_time"][i], 0
		if last == "" {
			last, seen = pods["deletion_time"][i], 1
		}
		start, end = append(start, value(t, pods["creation_time"][i])), append(end, value(t, last))
		censored, gpus = append(censored, seen), append(gpus, n*value(t, pods["gpu_milli"][i])/1000)
	}
	p := fleetCapture(t, 12*86400, "sampled", jsonObject{"name": "queue_wait", "unit": "s", "kind": "spells", "clock": "run", "start": start, "end": end, "censored": censored, "gpus": gpus})
	got := capacityOf(t, p)
	for name, want := range map[string]float64{"waits.spells": 7064, "waits.ended": 6203, "waits.censored": 861, "waits.p50_s": 3, "waits.p95_s": 667} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if codes(p)["population_incomplete"] != 1 || codes(p)["censored_spells"] != 861 {
		t.Errorf("findings %v", codes(p))
	}
	if _, ok := p.Outcome("allocation", ""); ok {
		t.Error("a sampled job list gives an allocation")
	}
}
