package aiperf

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
)

// gpu is one device as exporters report it; two exporters may report the same
// one, which is told by its UUID.
type gpu struct {
	model, uuid, host string
	exporters         int
	// Of the samples in the measured window; NaN where not reported.
	utilizationMean, utilizationMost float64
	powerMean, powerLimit            float64 // W
	memoryMost, memoryTotal          float64 // bytes
	temperatureMost                  float64 // °C
	energy                           float64 // J, by AIPerf's own figure
}

func unmeasuredGPU(model, uuid, host string) gpu {
	missing := math.NaN()
	return gpu{
		model: model, uuid: uuid, host: host, exporters: 1, utilizationMean: missing, utilizationMost: missing,
		powerMean: missing, powerLimit: missing, memoryMost: missing, memoryTotal: missing, temperatureMost: missing, energy: missing,
	}
}

// digest stands for the device without naming it.
func (g gpu) digest() string {
	sum := sha256.Sum256([]byte(g.uuid))
	return hex.EncodeToString(sum[:6])
}

// gigabyte is the decimal unit in which AIPerf gives GPU memory.
const gigabyte = 1e9

// summaryGPUs reads the devices of a summary's telemetry, once each.
func summaryGPUs(telemetry node) []gpu {
	var all []gpu
	for _, endpoint := range telemetry.at("endpoints").names() {
		devices := telemetry.at("endpoints", endpoint, "gpus")
		for _, name := range devices.names() {
			all = mergeGPU(all, summaryGPU(devices.at(name)))
		}
	}
	return all
}

func mergeGPU(all []gpu, one gpu) []gpu {
	for i := range all {
		if one.uuid != "" && all[i].uuid == one.uuid {
			all[i].exporters++
			return all
		}
	}
	return append(all, one)
}

func summaryGPU(device node) gpu {
	g := unmeasuredGPU(device.at("gpu_name").text(), device.at("gpu_uuid").text(), device.at("hostname").text())
	metrics := device.at("metrics")
	// Names gained a vendor's prefix after 0.13.
	read := func(figure string, names ...string) float64 {
		for _, name := range names {
			for _, prefix := range []string{"", "nvidia_", "amd_"} {
				if one := metrics.at(prefix + name); one.known() {
					return one.at(figure).orNaN()
				}
			}
		}
		return math.NaN()
	}
	g.utilizationMean, g.utilizationMost = read("avg", "gpu_utilization"), read("max", "gpu_utilization")
	g.powerMean, g.powerLimit = read("avg", "gpu_power_usage", "power_usage"), read("max", "power_management_limit")
	g.memoryMost = read("max", "gpu_memory_used", "memory_used") * gigabyte
	g.memoryTotal = read("max", "gpu_memory_total") * gigabyte
	g.temperatureMost = read("max", "gpu_temperature")
	return g
}
