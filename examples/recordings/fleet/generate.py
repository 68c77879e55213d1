#!/usr/bin/env python3
"""Makes two fleet captures (Kernelwake JSON 1.0) by simulating a GPU pool for a week under each of two scheduler policies.

    generate.py OUT [--gpus 128] [--load 0.72]

    fifo.kwcap.json       jobs start strictly in the order in which they came
    backfill.kwcap.json   a later job may start first where that delays no earlier one (conservative backfill)

Nothing here was measured: no pool was at hand. Both captures say synthetic, and why. The same call writes the same bytes.
The simulated users know how long their jobs take; maintenance is planned, and no job is started that would run into it.
"""
import argparse
import bisect
import hashlib
import json
import pathlib
import random

HOUR = 3600
WINDOW = 168 * HOUR
LEAD_IN = 48 * HOUR  # the pool fills before the window opens
GPUS_PER_NODE = 8
TARGET_WAIT = 900
MODEL = "NVIDIA H100 80GB HBM3"
# (first node, number of nodes, from, to, reason), the same in both weeks.
MAINTENANCE = [(0, 4, 30 * HOUR, 34 * HOUR, "maintenance"), (9, 1, 80 * HOUR, 98 * HOUR, "gpu_health")]
SIZES, SHARES = [1, 2, 4, 8, 16, 32, 64], [40, 18, 14, 14, 8, 4, 2]
POLICIES = {
    "fifo": ("first in, first out; whole GPUs; no preemption; backfill off", 11, "2026-03-02T00:00:00Z", "2026-03-09T00:00:00Z"),
    "backfill": ("first in, first out; whole GPUs; no preemption; conservative backfill", 12, "2026-03-09T00:00:00Z", "2026-03-16T00:00:00Z"),
}


class FreeGPUs:
    """GPUs nobody has taken, as a step function of time."""

    def __init__(self, gpus):
        self.times, self.free = [-LEAD_IN], [gpus]

    def split(self, at):
        i = bisect.bisect_left(self.times, at)
        if i == len(self.times) or self.times[i] != at:
            self.times.insert(i, at)
            self.free.insert(i, self.free[i - 1])
        return i

    def take(self, start, end, gpus):
        for i in range(self.split(start), self.split(end)):
            self.free[i] -= gpus

    def earliest(self, after, length, gpus):
        """The first time from `after` on at which `gpus` are free for all of `length`."""
        start, i = after, bisect.bisect_right(self.times, after) - 1
        while i < len(self.times) and self.times[i] < start + length:
            if self.free[i] < gpus:
                start = self.times[i + 1]
            i += 1
        return start


def arrivals(rng, gpus, load):
    """Jobs as (submitted, length, GPUs, patience, idle share, end state); busier by day, quieter at the weekend."""
    mean_gpus = sum(s * w for s, w in zip(SIZES, SHARES)) / sum(SHARES)
    mean_length = 2.2 * HOUR
    rate = load * gpus / (mean_gpus * mean_length)
    at, jobs = float(-LEAD_IN), []
    while at < WINDOW:
        hour, weekend = at / HOUR % 24, (at // (24 * HOUR)) % 7 >= 5
        busy = (1.35 if 8 <= hour < 20 else 0.65) * (0.8 if weekend else 1.08)
        at += rng.expovariate(rate * busy)
        size = rng.choices(SIZES, SHARES)[0]
        length = min(max(rng.lognormvariate(0, 1), 0.05), 12) * mean_length / 1.6
        state = rng.choices(["completed", "failed", "cancelled"], [88, 8, 4])[0]
        idle = rng.uniform(0.2, 0.7) if size <= 2 and rng.random() < 0.35 else 0.0
        jobs.append((round(at), round(length) + 60, size, round(rng.expovariate(1 / (30 * HOUR))), idle, state))
    return [j for j in jobs if j[0] < WINDOW]


def schedule(jobs, gpus, backfill):
    """[(job, start or None, end of waiting)]; a job that outwaits its user's patience is withdrawn."""
    free, placed, line = FreeGPUs(gpus), [], -LEAD_IN
    for first, count, start, end, _ in MAINTENANCE:
        free.take(start, end, count * GPUS_PER_NODE)
    for job in jobs:
        submitted, length, size, patience = job[:4]
        after = submitted if backfill else max(submitted, line)
        start = free.earliest(after, length, size)
        gone = submitted + patience
        if start > gone:  # the queue behind it moves on when it leaves
            line = max(line, min(gone, start))
            placed.append((job, None, gone))
            continue
        line = max(line, start)
        free.take(start, start + length, size)
        placed.append((job, start, start))
    return placed


def inside(start, end):
    return max(0, min(end, WINDOW) - max(start, 0))


def wait_spells(placed):
    """Queue waits that began in the window; waits still going on at its end, or given up, are censored."""
    columns = {"start": [], "end": [], "censored": [], "gpus": [], "class": [], "cause": []}
    earlier = 0
    for job, start, end in placed:
        if job[0] < 0:
            earlier += end > 0
            continue
        seen = start is not None and start < WINDOW
        columns["start"].append(job[0])
        columns["end"].append(min(end, WINDOW))
        columns["censored"].append(0 if seen else 1)
        columns["gpus"].append(job[2])
        columns["class"].append("small" if job[2] < 8 else "large")
        columns["cause"].append("none" if end == job[0] else "resources")
    return columns, earlier


def eligibility(gpus):
    """Per node, without overlap: eligible, or not and why."""
    columns = {key: [] for key in ("from", "to", "state", "reason", "subject", "gpus")}
    for node in range(gpus // GPUS_PER_NODE):
        at = 0
        out = sorted((start, end, reason) for first, count, start, end, reason in MAINTENANCE if first <= node < first + count)
        for start, end, reason in [*out, (WINDOW, WINDOW, "")]:
            for since, until, state, why in ((at, start, "eligible", "none"), (start, end, "ineligible", reason)):
                if until > since:
                    for key, value in zip(columns, (since, until, state, why, f"node-{node + 1:02d}", GPUS_PER_NODE)):
                        columns[key].append(value)
            at = end
    return columns


def idle_with_demand(placed, gpus):
    """∫ min(eligible − allocated, asked for) dt over the window, in GPU-seconds."""
    changes = []  # (time, eligible, allocated, asked for)
    for first, count, start, end, _ in MAINTENANCE:
        changes += [(start, -count * GPUS_PER_NODE, 0, 0), (end, count * GPUS_PER_NODE, 0, 0)]
    for job, start, end in placed:
        changes += [(job[0], 0, 0, job[2]), (end, 0, 0, -job[2])]
        if start is not None:
            changes += [(start, 0, job[2], 0), (start + job[1], 0, -job[2], 0)]
    eligible, allocated, asked, last, total = gpus, 0, 0, 0, 0
    for at, e, a, q in sorted(changes):
        if last < min(at, WINDOW):
            assert 0 <= allocated <= eligible, "more allocated than eligible"
            total += min(eligible - allocated, asked) * (min(at, WINDOW) - last)
            last = min(at, WINDOW)
        eligible, allocated, asked = eligible + e, allocated + a, asked + q
    return total


def account(placed, gpus):
    """GPU-hours of the window: inventory, eligible, allocated, productive, held idle, asked for but idle."""
    inventory = gpus * WINDOW
    lost = sum(count * GPUS_PER_NODE * inside(start, end) for _, count, start, end, _ in MAINTENANCE)
    allocated = productive = held = 0
    for job, start, _ in placed:
        if start is not None:
            used = job[2] * inside(start, start + job[1])
            allocated += used
            held += used * job[4]
            productive += used * (1 - job[4]) * (job[5] == "completed")
    hours = (inventory, inventory - lost, allocated, productive, held, idle_with_demand(placed, gpus))
    return [round(x / HOUR, 3) for x in hours]


def outcomes(placed, gpus):
    inventory, eligible, allocated, productive, held, wanted = account(placed, gpus)
    spells, earlier = wait_spells(placed)
    waits = [(end - start, censored) for start, end, censored in zip(spells["start"], spells["end"], spells["censored"])]
    decided = [wait <= TARGET_WAIT for wait, censored in waits if not censored or wait > TARGET_WAIT]

    def ratio(name, part, whole, basis="{GPU}.h"):
        return {"name": name, "unit": "1", "kind": "ratio", "num": part, "den": whole, "basis": basis}

    def total(name, value):
        return {"name": name, "unit": "{GPU}.h", "kind": "total", "v": value}

    return [
        {"name": "queue_wait", "unit": "s", "kind": "spells", **spells},
        {"name": "eligibility", "unit": "s", "kind": "intervals", **eligibility(gpus)},
        ratio("availability", eligible, inventory), ratio("allocation", allocated, eligible),
        ratio("productive", productive, allocated), ratio("delivered", productive, eligible),
        ratio("wait_attainment", sum(decided), len(decided), "1"),
        total("delivered_gpu_hours", productive), total("held_idle", held), total("idle_with_demand", wanted),
    ], earlier


def capture(name, gpus, load):
    text, seed, start, end = POLICIES[name]
    jobs = arrivals(random.Random(seed), gpus, load)
    placed = schedule(jobs, gpus, name == "backfill")
    found, earlier = outcomes(placed, gpus)
    week = [job for job in jobs if job[0] >= 0]
    states = {s: round(sum(j[5] == s for j in week) / len(week), 4) for s in ("completed", "failed", "cancelled")}
    by = "simulation"

    def dim(value, source="declared", **more):
        return {"v": value, "src": source, **more}

    return {
        "schema": "kernelwake.capture", "version": "1.0", "lens": "fleet", "created": end,
        "producer": {"name": "examples/recordings/fleet/generate.py", "version": "1", "command": f"generate.py OUT --gpus {gpus} --load {load}"},
        "synthetic": True, "synthetic_reason": "a simulated pool: no real GPU pool could be recorded", "measured_on": "simulator",
        "window": {"start": start, "end": end}, "workload": {"name": "example pool"},
        "run": {"id": f"pool-a-{name}", "state": "completed", "attempt": 1, "replicate_group": name, "seed": seed},
        "environment": {"absent": "not_applicable", "note": "see device_types"},
        "dimensions": {
            "pool": dim("pool-a"), "device_types": dim([{"model": MODEL, "gpus": gpus, "mig": "off"}]),
            "policy_sha256": dim(hashlib.sha256(text.encode()).hexdigest(), "derived", **{"from": "SHA-256 of policy"}), "policy": dim(text),
            "eligibility": dim("/outcomes/1", "observed", **{"from": by}), "population": dim("complete"), "share_rule": dim("whole GPUs"),
            "wait_rule": dim("eligible_to_start"), "attainment_target": dim({"wait_s": TARGET_WAIT}), "window_hours": dim(WINDOW // HOUR, "derived"),
            "offered_load": dim(round(sum(j[1] * j[2] for j in week) / HOUR, 1), "derived", **{"from": "GPU-hours asked for"}),
            "outcome_states": dim(states, "derived"), "scheduler": dim("simulated"), "scheduler_version": dim("1")},
        "outcomes": found,
        **({"excluded": [{"what": "queue_wait", "reason": "eligible before the window", "count": earlier}]} if earlier else {}),
    }


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out", type=pathlib.Path)
    p.add_argument("--gpus", type=int, default=128)
    p.add_argument("--load", type=float, default=0.72, help="rate of arrivals; 1 would ask for about all GPU time (default 0.72)")
    a = p.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    for name in POLICIES:
        file = a.out / f"{name}.kwcap.json"
        made = capture(name, a.gpus, a.load)
        file.write_text(json.dumps(made, separators=(",", ":"), allow_nan=False) + "\n")
        waits = made["outcomes"][0]
        print(f"{file.name}: {len(waits['start'])} waits, {sum(waits['censored'])} censored, "
              + ", ".join(f"{o['name']} {o['num'] / o['den']:.3f}" if o["kind"] == "ratio" else f"{o['name']} {o['v']:.0f}" for o in made["outcomes"][2:])
              + f", offered {made['dimensions']['offered_load']['v']:.0f}, {made['dimensions']['outcome_states']['v']}, {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
