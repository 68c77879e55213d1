package kwcap

import (
	"slices"
	"strings"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// saidElsewhere lists what the file says of its dimensions outside of them:
// the environment as observed, the workload and the run as declared.
func (r *reading) saidElsewhere() []saying {
	var all []saying
	say := func(key string, value any, source evidence.Source, at string) {
		all = append(all, saying{key, r.reporting(at).Value(at, "", value), source, at})
	}
	if e, ok := r.Environment.Get(); ok && r.lens.ID != lens.Fleet {
		observe := func(key string, value any, at string) { say(key, value, evidence.Observed, at) }
		e.observeGPUs(observe)
		e.observeSoftware(r.lens.ID, r.Dimensions, observe)
	}
	if image, ok := r.Run.Image.Get(); ok {
		say("image_digest", image, evidence.Observed, "/run/image")
	}
	if digest, ok := r.Run.ConfigSHA256.Get(); ok {
		say("config_sha256", digest, evidence.Observed, "/run/config_sha256")
	}
	for _, named := range []struct {
		of            *reference
		key, revision string
		at            string
	}{{r.Workload.Model, "model", "model_revision", "/workload/model"}, {r.Workload.Dataset, "dataset", "", "/workload/dataset"}} {
		if named.of == nil {
			continue
		}
		// A data set's dimension says more than its id (order, seed, split), so
		// only an open one takes the id.
		if named.key == "model" || !r.out.Dimensions[named.key].Known() {
			say(named.key, named.of.ID, evidence.Declared, named.at+"/id")
		}
		if revision, ok := named.of.Revision.Get(); ok && named.revision != "" {
			say(named.revision, revision, evidence.Declared, named.at+"/revision")
		}
	}
	return all
}

// observeGPUs says what the groups of GPUs have in common.
func (e environment) observeGPUs(observe func(key string, value any, at string)) {
	for _, plain := range []struct {
		key   string
		value absent.Value[string]
	}{{"driver", e.Driver}, {"cuda", e.CUDA}} {
		if value, ok := plain.value.Get(); ok {
			observe(plain.key, value, pointerTo("/environment", plain.key))
		}
	}
	if link, ok := e.Interconnect.Get(); ok {
		if value := link.words(); value != nil {
			observe("interconnect", value, "/environment/interconnect")
		}
	}
	groups, ok := e.GPUs.Get()
	if !ok || len(groups) == 0 {
		return
	}
	const at = "/environment/gpus"
	if model, ok := common(groups, func(g gpuGroup) absent.Value[string] { return g.Model }); ok {
		observe("gpu_model", model, at)
	}
	total, counted := 0.0, true
	for _, group := range groups {
		count, known := group.Count.Get()
		total, counted = total+float64(count), counted && known
	}
	if counted {
		observe("gpu_count", total, at)
	}
	if memory, ok := common(groups, func(g gpuGroup) absent.Value[int64] { return g.MemoryBytes }); ok {
		observe("gpu_memory", float64(memory), at)
	}
	if mig, ok := common(groups, func(g gpuGroup) absent.Value[string] { return g.MIG }); ok {
		observe("mig", mig, at)
	}
	if watts, ok := common(groups, func(g gpuGroup) absent.Value[float64] { return g.PowerLimitW }); ok {
		observe("power_limit", watts, at)
	}
	if megahertz, ok := common(groups, func(g gpuGroup) absent.Value[float64] { return g.SMClockMaxMHz }); ok {
		observe("clocks", megahertz, at)
	}
	if seen, ok := throttled(groups); ok {
		observe("throttling", seen, at)
	}
	if ids := uuids(groups); ids != nil {
		observe("host_id", ids, at)
	}
}

// common is the value that all groups have, if they do.
func common[T comparable](groups []gpuGroup, of func(gpuGroup) absent.Value[T]) (T, bool) {
	first, ok := of(groups[0]).Get()
	for _, group := range groups[1:] {
		value, known := of(group).Get()
		ok = ok && known && value == first
	}
	return first, ok
}

// throttled are the reasons seen on any GPU, "none" where all were watched.
func throttled(groups []gpuGroup) (string, bool) {
	var seen []string
	for _, group := range groups {
		reasons, known := group.Throttled.Get()
		if !known {
			return "", false
		}
		seen = append(seen, reasons...)
	}
	slices.Sort(seen)
	if len(seen) == 0 {
		return "none", true
	}
	return strings.Join(slices.Compact(seen), ", "), true
}

func uuids(groups []gpuGroup) any {
	var all []any
	for _, group := range groups {
		ids, _ := group.UUIDs.Get()
		for _, id := range ids {
			all = append(all, id)
		}
	}
	if all == nil {
		return nil
	}
	return all
}

func (i interconnect) words() any {
	out := map[string]any{}
	if intra, ok := i.Intra.Get(); ok {
		out["intra"] = intra
	}
	if inter, ok := i.Inter.Get(); ok {
		out["inter"] = inter
	}
	if gbps, ok := i.Gbps.Get(); ok {
		out["gbps"] = gbps
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// engines and frameworks are the names of software that is one.
var (
	engines    = []string{"vllm", "sglang", "tensorrt_llm", "lmdeploy", "text-generation-inference", "llama.cpp", "mlc-llm"}
	frameworks = map[string]string{"torch": "pytorch", "pytorch": "pytorch", "jax": "jax", "tensorflow": "tensorflow"}
)

// observeSoftware reads the engine or framework from the names of software,
// where they name exactly one, or the one that the dimensions name.
func (e environment) observeSoftware(id lens.ID, dimensions map[string]dimension, observe func(key string, value any, at string)) {
	software, _ := e.Software.Get()
	kind, named := "framework", map[string]string{}
	if id == lens.Inference {
		kind = "engine"
	}
	stated, _ := dimensions[kind].Value.(string)
	for _, name := range sorted(software) {
		known := strings.ToLower(name)
		called, ok := frameworks[known], frameworks[known] != ""
		if id == lens.Inference {
			called, ok = known, slices.Contains(engines, known)
		}
		if ok && (stated == "" || strings.EqualFold(stated, called) || strings.EqualFold(stated, name)) {
			named[called] = name
		}
	}
	if len(named) == 1 {
		for called, name := range named {
			at := pointerTo("/environment/software", name)
			observe(kind, called, at)
			observe(kind+"_version", software[name], at)
		}
	}
	if version, ok := software["nccl"]; ok && id == lens.Training {
		observe("comms", map[string]any{"library": "nccl", "version": version}, "/environment/software/nccl")
	}
}
