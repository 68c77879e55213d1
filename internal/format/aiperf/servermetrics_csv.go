package aiperf

import (
	"encoding/csv"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
)

// readServerTable reads server_metrics_export.csv, which is used where the
// JSON of the same run is missing: comment lines, then one table for each type
// of metric, each with a header of its own.
func readServerTable(path string, content io.Reader, keep bool) (*serverMetrics, error) {
	m := newServerMetrics(path, keep)
	reader := csv.NewReader(io.LimitReader(content, largestDocument))
	reader.FieldsPerRecord = -1
	reader.LazyQuotes = true
	reader.ReuseRecord = true
	var header map[string]int
	for {
		row, err := reader.Read()
		if err == io.EOF {
			return m, nil
		}
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			m.damaged = true
			return m, nil
		}
		if err != nil {
			return nil, err
		}
		switch {
		case strings.HasPrefix(row[0], "#"):
			m.comment(row[0])
		case row[0] == "Endpoint":
			header = map[string]int{}
			for i, name := range row {
				header[name] = i
			}
		case header != nil:
			m.row(header, row)
		}
	}
}

func (m *serverMetrics) comment(text string) {
	name, value, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(text, "#")), ":")
	if !ok {
		return
	}
	switch value = strings.TrimSpace(value); name {
	case "aiperf_version":
		m.version = value
	case "benchmark_id":
		m.benchmark = value
	}
}

func (m *serverMetrics) row(header map[string]int, row []string) {
	cell := func(name string) string {
		if at, ok := header[name]; ok && at < len(row) {
			return row[at]
		}
		return ""
	}
	number := func(name string) float64 {
		value, err := strconv.ParseFloat(cell(name), 64)
		if err != nil || math.IsInf(value, 0) {
			return math.NaN()
		}
		return value
	}
	m.endpoints = max(m.endpoints, 1)
	redactHost(&m.secrets, "host", cell("Endpoint"), m.path)
	name := cell("Metric")
	m.named(name)
	labels := map[string]string{"model_name": m.secrets.Text(m.path, cell("model_name")), "finished_reason": cell("finished_reason")}
	switch cell("Type") {
	case "counter":
		m.counter(name, labels, number("total"))
	case "histogram":
		m.histogram(name, tableHistogram(number("count"), number("sum"), cell("buckets")))
	case "gauge":
		m.gauge(name, labels, number("avg"), number("max"))
	case "":
		if strings.HasSuffix(name, "cache_config_info") && cell("Key") != "" {
			m.info(cell("Key"), m.secrets.NamedText(m.path, cell("Key"), cell("Value")))
		}
	}
}

// tableHistogram reads buckets written as "0.001=0;0.005=0;…;+Inf=40".
func tableHistogram(count, sum float64, buckets string) histogram {
	h := histogram{count: count, sum: sum}
	for _, one := range strings.Split(buckets, ";") {
		bound, value, ok := strings.Cut(one, "=")
		number, err := strconv.ParseFloat(value, 64)
		limit, errLimit := strconv.ParseFloat(bound, 64) // reads +Inf too
		if !ok || err != nil || errLimit != nil {
			continue
		}
		h.bounds = append(h.bounds, limit)
		h.cumulative = append(h.cumulative, number)
	}
	return h
}
