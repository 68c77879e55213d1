package aiperf

import (
	"math"
	"strconv"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// resources are what the run took of the machine, where telemetry or the
// server's metrics tell.
func (m *material) resources() []evidence.Outcome {
	return []evidence.Outcome{
		m.cachePeak(), m.memoryPeak(), m.energy(),
		missing(m.newOutcome("startup_time", lens.Total), absent.NotRecorded, "a load run begins after the server's start"),
	}
}

// only is an outcome of one number without counts.
func (m *material) only(name string, value float64, note string) evidence.Outcome {
	o := m.newOutcome(name, lens.Total)
	o.Definition.Success = ""
	o.Statistics = map[string]float64{"value": value}
	o.Note = note
	return o
}

// cachePeak is the largest share of the KV cache seen in use, times its size.
func (m *material) cachePeak() evidence.Outcome {
	if m.server != nil {
		size, err := strconv.ParseFloat(m.server.cacheConfig["kv_cache_memory_bytes"], 64)
		gauge, ok := m.server.gauges["vllm:kv_cache_usage_perc"]
		if peak := gauge.most * size; ok && err == nil && finite(peak) != nil && peak >= 0 {
			return m.only("kv_cache_peak", peak, "largest vllm:kv_cache_usage_perc among the server's samples × kv_cache_memory_bytes")
		}
	}
	return missing(m.newOutcome("kv_cache_peak", lens.Total), absent.NotRecorded, "the server's metrics don't give the KV cache's use and its size in bytes")
}

// memoryPeak is the largest memory use of the one GPU that was busy.
func (m *material) memoryPeak() evidence.Outcome {
	gpus, from := m.devices()
	busy := busyOnes(gpus)
	switch {
	case len(busy) == 1 && finite(busy[0].memoryMost) != nil:
		return m.only("vram_peak", busy[0].memoryMost, from)
	case len(busy) > 1:
		return missing(m.newOutcome("vram_peak", lens.Total), absent.NotSupported, "several GPUs were busy; the figures have each of them")
	}
	return missing(m.newOutcome("vram_peak", lens.Total), absent.NotRecorded, "no GPU telemetry tells it")
}

// energyNames are AIPerf's names of the GPUs' energy over the run.
var energyNames = []string{"total_gpu_energy", "nvidia_total_gpu_energy", "total_nvidia_gpu_energy", "amd_total_gpu_energy", "total_amd_gpu_energy"}

// energy is the GPUs' energy for each output token, where AIPerf gives both.
func (m *material) energy() evidence.Outcome {
	tokens := m.summary.value("total_osl")
	for _, name := range energyNames {
		joules := m.summary.value(name)
		if math.IsNaN(joules) || math.IsNaN(tokens) || tokens <= 0 || joules < 0 || m.summary.metrics[name].unit != "J" {
			continue
		}
		o := m.newOutcome("energy_per_output_token", lens.Total)
		o.Definition.Denominator, o.Definition.TokenSource = "output_tokens", m.tokenSource()
		o.Numerator, o.Denominator = &joules, &tokens
		o.Statistics = map[string]float64{"value": joules / tokens}
		o.Reported = map[string]float64{"value": joules / tokens}
		o.Note = "energy of the GPUs the exporter sees"
		return o
	}
	return missing(m.newOutcome("energy_per_output_token", lens.Total), absent.NotRecorded, "AIPerf gives no energy of the run")
}
