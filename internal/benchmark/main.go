package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// row is one line of the report.
type row struct {
	job    string
	ours   cost
	peer   cost
	versus string
	target string
	err    error
}

func main() {
	scratch, err := os.MkdirTemp("", "kernelwake-benchmark-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "making a scratch folder:", err)
		os.Exit(1)
	}
	defer os.RemoveAll(scratch)
	fmt.Printf("%s, %d cores, %s; the least of %d runs each\n", time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), runtime.Version(), repeats)
	for _, measure := range []func(string) []row{startUp, traceUpload, traceAgainstPeer, traceAgainstScan, archive, capture, comparison} {
		for _, one := range measure(scratch) {
			one.print()
		}
	}
}

func (r row) print() {
	if r.err != nil {
		fmt.Printf("%-44s not measured: %v\n", r.job, r.err)
		return
	}
	fmt.Printf("%-44s %v\n", r.job, r.ours)
	if r.versus != "" {
		fmt.Printf("%44s %s: %v\n", "", r.versus, r.peer)
		fmt.Printf("%44s %.1f × faster", "", r.peer.wall.Seconds()/r.ours.wall.Seconds())
		if r.ours.memory > 0 && r.peer.memory > 0 {
			fmt.Printf(", %.2f of its memory", float64(r.ours.memory)/float64(r.peer.memory))
		}
		fmt.Println()
	}
	if r.target != "" {
		fmt.Printf("%44s aim: %s\n", "", r.target)
	}
}

// binary is the program that `make build` makes.
var binary = filepath.Join("bin", "graphsignal-server")

// samplesFolder returns the folder of recorded samples, or why there is none.
func samplesFolder() (string, error) {
	for _, folder := range []string{os.Getenv("KERNELWAKE_SAMPLES"), filepath.Join("..", "shared", "samples")} {
		if info, err := os.Stat(folder); folder != "" && err == nil && info.IsDir() {
			return folder, nil
		}
	}
	return "", fmt.Errorf("the sample captures are absent (set KERNELWAKE_SAMPLES)")
}
