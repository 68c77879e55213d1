package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const token = "benchmark-token-of-thirty-two-bytes"

// running is a server of this product on a folder of its own.
type running struct {
	command *exec.Cmd
	address string
	ready   time.Duration
}

// start runs the real binary on an empty folder and waits until it is ready.
func start(folder string) (*running, error) {
	started := time.Now()
	command := exec.Command(binary, "serve", "--data", folder, "--listen", "127.0.0.1:0")
	command.Env = append(os.Environ(), "KERNELWAKE_BOOTSTRAP_TOKEN="+token)
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w (run `make build`)", binary, err)
	}
	server := &running{command: command}
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if _, address, ok := strings.Cut(lines.Text(), "listening on "); ok {
			server.address = strings.Fields(address)[0]
			break
		}
	}
	go io.Copy(io.Discard, output)
	for range 1000 {
		if answer, err := http.Get(server.address + "/readyz"); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				server.ready = time.Since(started)
				return server, nil
			}
		}
		time.Sleep(2 * time.Millisecond)
	}
	server.stop()
	return nil, errors.New("the server did not become ready")
}

func (r *running) stop() {
	_ = r.command.Process.Signal(os.Interrupt)
	_ = r.command.Wait()
}

// mostMemory returns the most resident bytes of the server so far.
func (r *running) mostMemory() int64 {
	status, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(r.command.Process.Pid), "status"))
	for line := range strings.SplitSeq(string(status), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kibibytes, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kibibytes << 10
		}
	}
	return 0
}

// ask calls the API and decodes its answer.
func (r *running) ask(method, path, contentType string, body io.Reader, into any) error {
	request, err := http.NewRequest(method, r.address+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s: %.300s", method, path, answer.Status, content)
	}
	return json.Unmarshal(content, into)
}

func startUp(scratch string) []row {
	one := row{job: "serve on an empty folder, until ready", target: "under 1 s"}
	for i := range repeats {
		server, err := start(filepath.Join(scratch, "start", strconv.Itoa(i)))
		if err != nil {
			one.err = err
			return []row{one}
		}
		if memory := server.mostMemory(); i == 0 || server.ready < one.ours.wall {
			one.ours = cost{wall: server.ready, memory: memory}
		}
		server.stop()
	}
	if info, err := os.Stat(binary); err == nil {
		one.target += fmt.Sprintf("; the stripped binary has %.1f MB (aim: under 90)", float64(info.Size())/1e6)
	}
	return []row{one}
}
