package aiperf

import (
	"io"

	"kernelwake/internal/evidence"
	"kernelwake/internal/secret"
)

// manifest is phase_manifest.json: when each phase ran.
type manifest struct {
	path      string
	profiling span
	// phases counts the profiling phases; a summary mixes several.
	phases  int
	warmups int64
	ok      int64
	failed  int64
}

func readManifest(path string, content io.Reader, limits evidence.Limits) (*manifest, error) {
	document, err := readDocument(path, content, limits)
	if err != nil {
		return nil, err
	}
	m := &manifest{path: path, profiling: span{missingInteger, missingInteger}}
	for _, one := range document.at("phases").list() {
		good, _ := one.at("successful_request_count").integer()
		bad, _ := one.at("error_request_count").integer()
		if one.at("phase_kind").text() != "profiling" {
			m.warmups += good + bad
			continue
		}
		start, okStart := one.at("start_ns").integer()
		end, okEnd := one.at("end_ns").integer()
		if okStart && okEnd {
			m.profiling = m.profiling.with(start, end)
		}
		m.phases++
		m.ok += good
		m.failed += bad
	}
	return m, nil
}

// runConfig is run_config.json of a sweep's cell or a trial.
type runConfig struct {
	path       string
	benchmark  string
	run        runInfo
	configured configuration
	secrets    secret.Report
}

func readRunConfig(path string, content io.Reader, limits evidence.Limits, keep bool) (*runConfig, error) {
	document, err := readDocument(path, content, limits)
	if err != nil {
		return nil, err
	}
	c := &runConfig{path: path, secrets: secret.Report{Keep: keep}}
	document = redactDocument(&c.secrets, document, path)
	c.benchmark, c.configured = document.at("benchmark_id").text(), readConfiguration(document.at("cfg"), "run_config.json")
	c.run = runInfo{sweep: document.at("sweep_id").text(), seed: document.at("random_seed"), values: document.at("variation", "values"), label: document.at("label").text()}
	c.run.trial, _ = document.at("trial").integer()
	c.run.variation, _ = document.at("variation", "index").integer()
	return c, nil
}

// ready is .aiperf_results_ready.json; where it and the summary differ on
// whether the run was cancelled, the summary is right.
type ready struct{ cancelled bool }

func readReady(path string, content io.Reader, limits evidence.Limits) (*ready, error) {
	document, err := readDocument(path, content, limits)
	if err != nil {
		return nil, err
	}
	r := &ready{}
	r.cancelled, _ = document.at("was_cancelled").flag()
	return r, nil
}
