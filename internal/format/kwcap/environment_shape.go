package kwcap

import "kernelwake/internal/absent"

var environmentShape = object(
	must("nodes", "machines used", func(e *environment) *absent.Value[int64] { return &e.Nodes }, orAbsent(integer(1))),
	must("gpus", "groups of equal GPUs; empty without any", func(e *environment) *absent.Value[[]gpuGroup] { return &e.GPUs }, orAbsent(list(gpuShape, mostGPUs, "groups of GPUs"))),
	must("driver", "version of the GPU driver", func(e *environment) *absent.Value[string] { return &e.Driver }, orAbsent(named())),
	must("cuda", "version of CUDA or ROCm", func(e *environment) *absent.Value[string] { return &e.CUDA }, orAbsent(named())),
	may("os", "operating system", func(e *environment) *absent.Value[string] { return &e.OS }, orAbsent(named())),
	may("kernel", "version of its kernel", func(e *environment) *absent.Value[string] { return &e.Kernel }, orAbsent(named())),
	may("interconnect", "how the GPUs are joined", func(e *environment) *absent.Value[interconnect] { return &e.Interconnect }, objectOrAbsent(interconnectShape)),
	must("software", "versions by name (torch, vllm, nccl …)", func(e *environment) *absent.Value[map[string]string] { return &e.Software }, softwareShape),
)

// softwareShape is a dictionary of versions; no software is called "absent".
var softwareShape = objectOrAbsent(dictionary(text(mostText), mostSoftware, "names of software"))

var gpuShape = object(
	must("model", "name as the driver gives it", func(g *gpuGroup) *absent.Value[string] { return &g.Model }, orAbsent(named())),
	must("count", "how many of them were used", func(g *gpuGroup) *absent.Value[int64] { return &g.Count }, orAbsent(integer(1))),
	must("memory_bytes", "memory of each", func(g *gpuGroup) *absent.Value[int64] { return &g.MemoryBytes }, orAbsent(integer(1))),
	may("uuid_sha256", "SHA-256 of each UUID", func(g *gpuGroup) *absent.Value[[]string] { return &g.UUIDs }, orAbsent(list(sha256Text, mostNotes, "digests"))),
	may("compute_capability", "such as 9.0", func(g *gpuGroup) *absent.Value[string] { return &g.ComputeCapability }, orAbsent(named())),
	may("vbios", "version of the VBIOS", func(g *gpuGroup) *absent.Value[string] { return &g.VBIOS }, orAbsent(named())),
	must("power_limit_w", "power cap of each in watts", func(g *gpuGroup) *absent.Value[float64] { return &g.PowerLimitW }, orAbsent(positive)),
	may("sm_clock_max_mhz", "highest SM clock in MHz", func(g *gpuGroup) *absent.Value[float64] { return &g.SMClockMaxMHz }, orAbsent(positive)),
	may("clocks_locked", "true if the clocks were fixed", func(g *gpuGroup) *absent.Value[bool] { return &g.ClocksLocked }, orAbsent(boolean)),
	may("ecc", "true if ECC was on", func(g *gpuGroup) *absent.Value[bool] { return &g.ECC }, orAbsent(boolean)),
	may("persistence", "true if persistence mode was on", func(g *gpuGroup) *absent.Value[bool] { return &g.Persistence }, orAbsent(boolean)),
	must("mig", "\"off\" or the MIG profile", func(g *gpuGroup) *absent.Value[string] { return &g.MIG }, orAbsent(named())),
	may("throttle_seen", "reasons for throttling seen in the window; empty if watched and none", func(g *gpuGroup) *absent.Value[[]string] { return &g.Throttled }, orAbsent(list(named(), 100, "reasons"))),
)

var interconnectShape = object(
	must("intra", "inside a machine", func(i *interconnect) *absent.Value[string] { return &i.Intra }, orAbsent(named())),
	must("inter", "between machines", func(i *interconnect) *absent.Value[string] { return &i.Inter }, orAbsent(named())),
	may("gbps", "gigabits per second", func(i *interconnect) *absent.Value[float64] { return &i.Gbps }, orAbsent(positive)),
)

// positive is a number above zero.
var positive = shape[float64]{
	read: func(s *scanner, into *float64) {
		before := s.count
		if number.read(s, into); s.count == before && *into <= 0 {
			s.note(codeRange, "a number above zero is expected")
		}
	},
	describe: schema{"type": "number", "exclusiveMinimum": 0},
}
