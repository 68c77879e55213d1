package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// cost is what a job took.
type cost struct {
	wall   time.Duration
	cpu    time.Duration
	memory int64 // most resident bytes
}

func (c cost) String() string {
	text := fmt.Sprintf("%.3f s", c.wall.Seconds())
	if c.cpu > 0 {
		text += fmt.Sprintf(", %.3f s CPU", c.cpu.Seconds())
	}
	if c.memory > 0 {
		text += fmt.Sprintf(", %.0f MB", float64(c.memory)/1e6)
	}
	return text
}

// repeats of each process; the fastest counts, for noise only ever adds.
const repeats = 5

// process runs a program to its end several times and returns its least cost.
func process(name string, arguments ...string) (cost, error) {
	var best cost
	for i := range repeats {
		command := exec.Command(name, arguments...)
		var complaints strings.Builder
		command.Stderr = &complaints
		started := time.Now()
		if err := command.Run(); err != nil {
			return cost{}, fmt.Errorf("%s: %w: %s", name, err, lastLine(complaints.String()))
		}
		usage := command.ProcessState.SysUsage().(*syscall.Rusage)
		one := cost{
			wall:   time.Since(started),
			cpu:    command.ProcessState.UserTime() + command.ProcessState.SystemTime(),
			memory: usage.Maxrss << 10,
		}
		if i == 0 || one.wall < best.wall {
			best = one
		}
	}
	return best, nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// inside measures a job of this process by wall time only.
func inside(job func() error) (cost, error) {
	var best cost
	for i := range repeats {
		started := time.Now()
		if err := job(); err != nil {
			return cost{}, err
		}
		if took := time.Since(started); i == 0 || took < best.wall {
			best.wall = took
		}
	}
	return best, nil
}

// peer returns the path of a peer's interpreter, or why it is missing.
func peer(variable string) (string, error) {
	path := os.Getenv(variable)
	if path == "" {
		return "", fmt.Errorf("no peer: %s names no interpreter (run it by `make bench`)", variable)
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("no peer: %w", err)
	}
	return path, nil
}
