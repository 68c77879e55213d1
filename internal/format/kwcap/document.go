package kwcap

import (
	"time"

	"kernelwake/internal/absent"
)

// The two constants that make a file a capture of this format.
const (
	schemaName    = "kernelwake.capture"
	schemaVersion = "1.0"
)

// document is a capture as it stands in the file, its members read and each
// checked by itself.
type document struct {
	Schema, Version  string
	Lens             string
	Created          time.Time
	Producer         producer
	Synthetic        bool
	SyntheticReason  string
	MeasuredOn       string
	Window           window
	Workload         workload
	Run              run
	Environment      absent.Value[environment]
	EnvironmentGiven bool
	Dimensions       map[string]dimension
	Outcomes         []outcome
	Excluded         []excluded
	Truncated        []truncated
	DerivedFrom      []rawFile
	Labels           map[string]string
	Ext              map[string]any
	// raw are the bytes of the members that are shown as they stand.
	raw map[string][]byte
}

type producer struct {
	Name, Version, Command string
	Clock                  clock
}

type clock struct{ Source, Sync string }

type window struct{ Start, End time.Time }

// seconds is the length of the window.
func (w window) seconds() float64 { return w.End.Sub(w.Start).Seconds() }

// reference names a model or a data set.
type reference struct {
	ID       string
	Revision absent.Value[string]
	SHA256   string
}

type workload struct {
	Name           string
	Model, Dataset *reference
	Labels         map[string]string
}

type run struct {
	ID, State      string
	Attempt        int64
	Started, Ended absent.Value[time.Time]
	Group          string
	Seed           absent.Value[string]
	Code           absent.Value[code]
	Image          absent.Value[string]
	ConfigSHA256   absent.Value[string]
}

type code struct {
	Repo, Commit string
	Dirty        bool
}

type environment struct {
	Nodes        absent.Value[int64]
	GPUs         absent.Value[[]gpuGroup]
	Driver, CUDA absent.Value[string]
	OS, Kernel   absent.Value[string]
	Interconnect absent.Value[interconnect]
	Software     absent.Value[map[string]string]
}

// gpuGroup is a number of equal GPUs.
type gpuGroup struct {
	Model             absent.Value[string]
	Count             absent.Value[int64]
	MemoryBytes       absent.Value[int64]
	UUIDs             absent.Value[[]string]
	ComputeCapability absent.Value[string]
	VBIOS             absent.Value[string]
	PowerLimitW       absent.Value[float64]
	SMClockMaxMHz     absent.Value[float64]
	ClocksLocked      absent.Value[bool]
	ECC, Persistence  absent.Value[bool]
	MIG               absent.Value[string]
	Throttled         absent.Value[[]string]
}

type interconnect struct {
	Intra, Inter absent.Value[string]
	Gbps         absent.Value[float64]
}

type dimension struct {
	Value  any
	Source string
	From   string
	Gap    gap
}

type excluded struct {
	What, Reason string
	Count        int64
}

type truncated struct {
	Pointer string
	Kept    int64
	Of      absent.Value[int64]
	Bound   string
}

type rawFile struct {
	Name, Format string
	Bytes        int64
	SHA256       string
}
