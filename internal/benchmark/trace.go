package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"kernelwake/internal/evidence"
	"kernelwake/internal/format"
)

// largeTraces are two public traces of 33 MiB of JSON.
var largeTraces = []string{"kineto-resnet50-v100/workers0.pt.trace.json.gz", "not-comparable/a100-world8-rank3.json.gz"}

func traces() ([]string, error) {
	folder, err := samplesFolder()
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, name := range largeTraces {
		paths = append(paths, filepath.Join(folder, "traces", name))
	}
	return paths, nil
}

// traceUpload measures from the upload's first byte until the run page's data
// is answered, each time on a fresh server.
func traceUpload(scratch string) []row {
	paths, err := traces()
	if err != nil {
		return []row{{job: "trace, upload to run page", err: err}}
	}
	var rows []row
	for _, path := range paths {
		one := row{job: "trace " + filepath.Base(path) + ", upload to run page", target: "at most 2 s and 120 MB"}
		for i := range repeats {
			took, err := uploadOnce(filepath.Join(scratch, "upload", filepath.Base(path), strconv.Itoa(i)), path)
			if err != nil {
				one.err = err
				break
			}
			if i == 0 || took.wall < one.ours.wall {
				one.ours = took
			}
		}
		rows = append(rows, one)
	}
	return rows
}

func uploadOnce(folder, path string) (cost, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return cost{}, err
	}
	server, err := start(folder)
	if err != nil {
		return cost{}, err
	}
	defer server.stop()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("workload", "benchmark"); err != nil {
		return cost{}, err
	}
	part, err := form.CreateFormFile("file", filepath.Base(path))
	if err != nil {
		return cost{}, err
	}
	if _, err := part.Write(content); err != nil {
		return cost{}, err
	}
	form.Close()
	started := time.Now()
	var imported struct {
		Runs []struct{ ID string }
	}
	const workspace = "/api/v1/workspaces/default/"
	if err := server.ask("POST", workspace+"imports", form.FormDataContentType(), &body, &imported); err != nil {
		return cost{}, err
	}
	if len(imported.Runs) != 1 {
		return cost{}, fmt.Errorf("the import made %d runs", len(imported.Runs))
	}
	var page any
	if err := server.ask("GET", workspace+"runs/"+imported.Runs[0].ID, "", nil, &page); err != nil {
		return cost{}, err
	}
	return cost{wall: time.Since(started), memory: server.mostMemory()}, nil
}

// traceAgainstPeer compares whole processes: the offline check, which parses
// and computes every figure, and Holistic Trace Analysis.
func traceAgainstPeer(string) []row {
	paths, err := traces()
	if err != nil {
		return []row{{job: "trace, whole process", err: err}}
	}
	var rows []row
	for _, path := range paths {
		one := row{job: "trace " + filepath.Base(path) + ", whole process", versus: "Holistic Trace Analysis 0.5.0, load and four analyses", target: "at least 10 × faster, at most half its memory"}
		var python string
		if one.ours, one.err = process(binary, "capture", "check", "--json", path); one.err == nil {
			if python, one.err = peer("KERNELWAKE_HTA_PYTHON"); one.err == nil {
				one.peer, one.err = process(python, "internal/benchmark/peers/hta_analyse.py", path)
			}
		}
		rows = append(rows, one)
	}
	return rows
}

// traceAgainstScan compares reading a trace into its parsed form with gunzip
// and a bare scan of its tokens.
func traceAgainstScan(string) []row {
	paths, err := traces()
	if err != nil {
		return []row{{job: "trace, import against a bare scan", err: err}}
	}
	var rows []row
	for _, path := range paths {
		one := row{job: "trace " + filepath.Base(path) + ", read in process", versus: "gunzip and a bare token scan (jsontext)", target: "within 3 × (at least 0.3 × as fast)"}
		content, err := os.ReadFile(path)
		if err != nil {
			return []row{{job: one.job, err: err}}
		}
		one.ours, one.err = inside(func() error { return read(filepath.Base(path), content) })
		if one.err == nil {
			one.peer, one.err = inside(func() error { return scan(content) })
		}
		rows = append(rows, one)
	}
	return rows
}

// read detects and parses a file and encodes its parsed form.
func read(name string, content []byte) error {
	file := evidence.File{Name: name, Bytes: int64(len(content)), Content: bytes.NewReader(content)}
	reader, err := format.Detect(file)
	if err != nil {
		return err
	}
	return reader.Read(context.Background(), file, evidence.ReadOptions{}, func(parsed *evidence.Parsed) error {
		_, err := parsed.Encode()
		return err
	})
}

func scan(content []byte) error {
	expanded, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return err
	}
	decoder := jsontext.NewDecoder(expanded, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		if _, err := decoder.ReadToken(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
