// Package environment reads the machine it runs on into a setup: the GPUs,
// driver, CUDA, caps and clocks that no load tool or trace records. What it
// can't read stays absent with the reason.
package environment

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kernelwake/internal/absent"
)

// Setup is what `graphsignal-server env` writes and `import --env` reads. A
// value is a scalar, a list, an object, or {"absent": reason, "note": text}.
type Setup struct {
	Name   string         `json:"name"`
	Values map[string]any `json:"values"`
	// Notes say how a value was found or why it is missing.
	Notes []string `json:"notes,omitempty"`
}

// Machine is what a reading depends on.
type Machine struct {
	// Files is the root file system.
	Files fs.FS
	// Run runs a program and returns its standard output.
	Run func(ctx context.Context, name string, args ...string) ([]byte, error)
}

// Given are the facts that only the person who started the engine knows.
type Given struct {
	Name          string
	Engine        string
	EngineVersion string
	EngineArgs    []string
	ImageDigest   string
}

// queryTimeout bounds a call of nvidia-smi, which hangs on a broken driver.
const queryTimeout = 20 * time.Second

var queryFields = []string{"name", "memory.total", "driver_version", "power.limit", "clocks.max.sm", "mig.mode.current", "uuid"}

var cudaVersion = regexp.MustCompile(`CUDA (?:DRIVER )?[Vv](?:ersion|ERSION)\s*:\s*([0-9.]+)`)

// Read returns the machine's setup.
func Read(ctx context.Context, machine Machine, given Given) (Setup, error) {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	setup := Setup{Name: given.Name, Values: map[string]any{}}
	if setup.Name == "" {
		setup.Name = "this machine"
	}
	switch present := gpusOnBus(machine.Files); {
	case !present.nvidia && !present.amd && present.read:
		setup.withoutGPU("no NVIDIA or AMD GPU is on the PCI bus")
	case present.amd && !present.nvidia:
		setup.unread(absent.NotSupported, "an AMD GPU is on the PCI bus; its readings are not supported yet, give them by hand")
	default:
		if err := setup.readNVIDIA(ctx, machine); err != nil {
			setup.unread(absent.Failed, err.Error())
		}
	}
	if hostID, err := readHostID(machine.Files); err == nil {
		setup.Values["host_id"] = hostID
	} else {
		setup.missing("host_id", absent.NotRecorded, err.Error())
	}
	setup.take(given)
	return setup, nil
}

func (s *Setup) missing(key string, reason absent.Reason, note string) {
	s.Values[key] = map[string]any{"absent": string(reason), "note": note}
}

// machineKeys are the fields that describe GPUs.
var machineKeys = []string{"gpu_model", "gpu_count", "gpu_memory", "driver", "cuda", "power_limit", "clocks", "mig", "throttling"}

func (s *Setup) withoutGPU(note string) {
	for _, key := range machineKeys {
		s.missing(key, absent.NotApplicable, note)
	}
	s.Values["measured_on"] = "cpu"
	s.Notes = append(s.Notes, "measured_on is cpu because "+note)
}

func (s *Setup) unread(reason absent.Reason, note string) {
	for _, key := range machineKeys {
		s.missing(key, reason, note)
	}
	s.Notes = append(s.Notes, note)
}

func (s *Setup) readNVIDIA(ctx context.Context, machine Machine) error {
	out, err := machine.Run(ctx, "nvidia-smi", "--query-gpu="+strings.Join(queryFields, ","), "--format=csv,noheader,nounits")
	if err != nil {
		return fmt.Errorf("asking nvidia-smi: %w", err)
	}
	reader := csv.NewReader(bytes.NewReader(out))
	reader.TrimLeadingSpace = true
	rows, err := reader.ReadAll()
	if err != nil {
		return fmt.Errorf("reading the answer of nvidia-smi: %w", err)
	}
	if len(rows) == 0 || len(rows[0]) != len(queryFields) {
		return fmt.Errorf("nvidia-smi named no GPU")
	}
	s.Values["gpu_count"] = len(rows)
	s.same(rows, 0, "gpu_model", func(text string) (any, bool) { return text, text != "" })
	s.same(rows, 1, "gpu_memory", scaled(1<<20))
	s.same(rows, 2, "driver", func(text string) (any, bool) { return text, text != "" })
	s.same(rows, 3, "power_limit", scaled(1))
	s.missing("clocks", absent.NotRecorded, "whether clocks are locked is not asked; the maximum is in the notes")
	s.same(rows, 5, "mig", migState)
	s.missing("throttling", absent.NotRecorded, "only a reading during the run would tell")
	s.Notes = append(s.Notes, "maximum SM clock "+rows[0][4]+" MHz", "measured_on is gpu because GPUs are present: correct it if the work ran on the CPU")
	s.Values["measured_on"] = "gpu"
	version, err := machine.Run(ctx, "nvidia-smi", "--version")
	if match := cudaVersion.FindSubmatch(version); err == nil && match != nil {
		s.Values["cuda"] = string(match[1])
		return nil
	}
	s.missing("cuda", absent.NotRecorded, "nvidia-smi --version names no CUDA version")
	return nil
}

// same takes a column's value where all GPUs agree; otherwise it is a conflict.
func (s *Setup) same(rows [][]string, column int, key string, read func(string) (any, bool)) {
	first := rows[0][column]
	for _, row := range rows[1:] {
		if row[column] != first {
			s.missing(key, absent.Conflict, fmt.Sprintf("the GPUs differ: %s and %s", first, row[column]))
			return
		}
	}
	if value, ok := read(strings.TrimSpace(first)); ok {
		s.Values[key] = value
		return
	}
	s.missing(key, absent.NotSupported, fmt.Sprintf("nvidia-smi says %q", first))
}

func scaled(factor float64) func(string) (any, bool) {
	return func(text string) (any, bool) {
		number, err := strconv.ParseFloat(text, 64)
		return number * factor, err == nil
	}
}

func migState(text string) (any, bool) {
	switch strings.ToLower(text) {
	case "disabled", "[n/a]", "n/a":
		return "off", true
	case "enabled":
		return nil, false // the profile matters, and this query doesn't name it
	}
	return nil, false
}

type bus struct{ read, nvidia, amd bool }

// gpusOnBus looks for display and accelerator devices (PCI classes 03 and 12).
func gpusOnBus(files fs.FS) bus {
	const devices = "sys/bus/pci/devices"
	entries, err := fs.ReadDir(files, devices)
	if err != nil {
		return bus{}
	}
	found := bus{read: true}
	for _, entry := range entries {
		class, _ := fs.ReadFile(files, path.Join(devices, entry.Name(), "class"))
		if !bytes.HasPrefix(class, []byte("0x03")) && !bytes.HasPrefix(class, []byte("0x12")) {
			continue
		}
		vendor, _ := fs.ReadFile(files, path.Join(devices, entry.Name(), "vendor"))
		switch strings.TrimSpace(string(vendor)) {
		case "0x10de":
			found.nvidia = true
		case "0x1002":
			found.amd = true
		}
	}
	return found
}

// readHostID returns a digest of the machine id: it tells hosts apart without
// naming them.
func readHostID(files fs.FS) (string, error) {
	text, err := fs.ReadFile(files, "etc/machine-id")
	if err != nil || len(bytes.TrimSpace(text)) == 0 {
		return "", fmt.Errorf("/etc/machine-id can't be read")
	}
	sum := sha256.Sum256(append([]byte("kernelwake host\n"), bytes.TrimSpace(text)...))
	return "host-" + hex.EncodeToString(sum[:6]), nil
}

func (s *Setup) take(given Given) {
	for key, value := range map[string]string{"engine": given.Engine, "engine_version": given.EngineVersion, "image_digest": given.ImageDigest} {
		if value != "" {
			s.Values[key] = value
		}
	}
	if len(given.EngineArgs) > 0 {
		s.Values["engine_args"] = slices.Clone(given.EngineArgs)
	}
}
