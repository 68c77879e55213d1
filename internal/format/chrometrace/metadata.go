package chrometrace

import (
	"fmt"
	"slices"
	"strconv"

	"kernelwake/internal/secret"
	"kernelwake/internal/trace"
)

// knownMembers stand beside the events in files of kineto and its relatives.
var knownMembers = listOf("traceName", "displayTimeUnit", "baseTimeNanoseconds", "distributedInfo", "deviceProperties", "schemaVersion", "trace_id", "group_trace_id", "host_name", "metadata", "INFO", "WARNING", "ERROR",
	"record_shapes", "with_stack", "with_flops", "with_modules", "profile_memory", "samples", "stackFrames", "otherData", "systemTraceEvents")

// evidenceMembers are kept as they are; none of them can hold a person's, a
// machine's or a job's name. Every other member is left out, by its key.
var evidenceMembers = listOf("schemaVersion", "displayTimeUnit", "baseTimeNanoseconds", "trace_id", "group_trace_id", "record_shapes", "with_stack", "with_flops", "with_modules", "profile_memory",
	"cupti_version", "cuda_runtime_version", "cuda_driver_version", "hip_runtime_version", "hip_driver_version", "roctracer_version")

// readMembers are read for what they say, but not kept whole.
var readMembers = listOf("deviceProperties", "computeProperties", "distributedInfo")

func listOf(keys ...string) map[string]bool {
	out := map[string]bool{}
	for _, key := range keys {
		out[key] = true
	}
	return out
}

// metadata is what stands beside the events.
type metadata struct {
	// kept holds the scalars of evidenceMembers.
	kept map[string]string
	// removed lists the keys left out, tooLarge those too large to look at.
	removed, tooLarge    []string
	report               *secret.Report
	repeated             int64
	schema               string
	gpus                 []trace.GPU
	rank, worldSize      int64
	backend, collectives string
	groups               int64
	base                 int64
	seen                 map[string]bool
}

func newMetadata() metadata {
	return metadata{kept: map[string]string{}, seen: map[string]bool{}, rank: trace.Missing, worldSize: trace.Missing, base: trace.Missing, groups: trace.Missing}
}

// read takes down one member.
func (m *metadata) read(key string, v value) {
	if m.seen[key] {
		m.repeated++
	}
	m.seen[key] = true
	if !evidenceMembers[key] {
		m.findSecrets("/"+key, key, v)
	}
	switch {
	case evidenceMembers[key]:
		m.kept[key] = m.report.NamedText("/"+key, key, v.plainText())
	case !readMembers[key] && !slices.Contains(m.removed, key):
		m.removed = append(m.removed, key)
	}
	switch key {
	case "schema":
		m.schema = v.plainText()
	case "baseTimeNanoseconds":
		m.base = integer(v)
	case "deviceProperties", "computeProperties":
		m.gpus = nil
		elements(v, func(device value) { m.gpus = append(m.gpus, readGPU(device)) })
	case "distributedInfo":
		members(v, m.readDistributed)
	}
}

func readGPU(v value) trace.GPU {
	gpu := trace.GPU{Memory: trace.Missing}
	members(v, func(key string, member value) {
		switch key {
		case "id":
			gpu.ID = member.plainText()
		case "name":
			gpu.Name = member.plainText()
		case "totalGlobalMem", "totalGlobalMemory":
			gpu.Memory = integer(member)
		case "numSms":
			gpu.SMs = max(0, integer(member))
		}
	})
	return gpu
}

func (m *metadata) readDistributed(key string, v value) {
	switch key {
	case "rank":
		m.rank = integer(v)
	case "world_size":
		m.worldSize = integer(v)
	case "backend":
		m.backend = v.plainText()
	case "nccl_version":
		m.collectives = v.plainText()
	case "pg_count":
		m.groups = integer(v)
	}
}

// findSecrets counts the secrets of a member; its texts are not kept, but for
// those of evidenceMembers.
func (m *metadata) findSecrets(pointer, key string, v value) {
	switch v.kind {
	case text:
		m.report.NamedText(pointer, key, v.plainText())
	case object:
		members(v, func(key string, member value) { m.findSecrets(pointer+"/"+key, key, member) })
	case array:
		i := 0
		elements(v, func(element value) {
			m.findSecrets(pointer+"/"+strconv.Itoa(i), key, element)
			i++
		})
	}
}

// environment is what the metadata says of the machine and the profiler.
func (m *metadata) environment() trace.Environment {
	e := trace.Environment{GPUs: m.gpus, Rank: m.rank, WorldSize: m.worldSize, Backend: m.backend, CollectivesVersion: m.collectives, Options: map[string]bool{}}
	for _, option := range []string{trace.RecordShapes, trace.WithStack, trace.ProfileMemory} {
		if text, ok := m.kept[option]; ok {
			e.Options[option] = text == "1" || text == "true"
		}
	}
	e.OptionsComplete = m.seen["trace_id"]
	return e
}

// cudaVersion reads 1000 × major + 10 × minor.
func cudaVersion(text string) string {
	if version, err := strconv.Atoi(text); err == nil && version >= 1000 {
		return fmt.Sprintf("%d.%d", version/1000, version%1000/10)
	}
	return ""
}

// hipVersion reads 10^7 × major + 10^5 × minor + build.
func hipVersion(text string) string {
	if version, err := strconv.Atoi(text); err == nil && version >= 10_000_000 {
		return fmt.Sprintf("%d.%d", version/10_000_000, version/100_000%100)
	}
	return ""
}
