#!/usr/bin/env python3
"""Prints what the recordings hold, launch by launch, and checks what their README promises. Standard library only.

    summarise.py [training] [serving] [fleet]        exit 1 if a promise is broken

Reads the raw events, records and spells, not the summaries in the files, and none of the product's code.
"""
import gzip
import hashlib
import json
import math
import pathlib
import statistics
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
broken = []


def promise(text, kept):
    print(f"  {'ok    ' if kept else 'BROKEN'} {text}")
    if not kept:
        broken.append(text)


def apart(base, candidate):
    """Every value of one side lies on the same side of every value of the other."""
    return max(base) < min(candidate) or max(candidate) < min(base)


def hodges_lehmann(base, candidate):
    """The ratio of the sides: the median of all ratios of a launch to a launch."""
    return math.exp(statistics.median(math.log(c / b) for b in base for c in candidate))


def steady(samples):
    """MSER-5 (White 1997): not steady where the best cut is half of the series."""
    means = [statistics.fmean(samples[i:i + 5]) for i in range(0, len(samples) - len(samples) % 5, 5)]
    n, mean, squares, error = len(means), 0.0, 0.0, {}
    for d in reversed(range(n)):  # Welford's recurrence from the end: each cut's sum of squares in one pass
        change = means[d] - mean
        mean += change / (n - d)
        squares += change * (means[d] - mean)
        error[d] = squares / (n - d) ** 2
    return min(range(n // 2 + 1), key=error.get) < n // 2


def in_turn(starts):
    """Launches sorted by start alternate between the variants: no variant twice before every other came."""
    order = [name for _, name in sorted(starts)]
    width = len(set(order))
    return all(sorted(order[i:i + width]) == sorted(set(order)) for i in range(0, len(order), width))


def compared(metrics, sides, base, candidate):
    for metric, better in metrics:
        b, c = ([launch[metric] for launch in sides[s]] for s in (base, candidate))
        print(f"  {metric:22} {base} -> {candidate}: {statistics.median(b):.4g} -> {statistics.median(c):.4g}, ratio {hodges_lehmann(b, c):.3f}"
              f" ({better} is better){', launches apart' if apart(b, c) else ', launches overlap'}")


# Training: the steps of each profile.

def profile(path):
    with gzip.open(path) as f:
        trace = json.load(f)
    events = [e for e in trace["traceEvents"] if e.get("ph") == "X"]
    steps = [e["dur"] / 1000 for e in events if e["name"].startswith("ProfilerStep#")]
    loader = {e["name"].split("#")[1].split(".")[0] for e in events if e["name"].startswith("enumerate(DataLoader)#")}
    shapes = sorted({json.dumps(e["args"]["Input Dims"]) for e in events if e["name"] == "aten::conv2d"})
    return {"start": trace["baseTimeNanoseconds"] / 1e9 + min(e["ts"] for e in events) / 1e6, "steps": steps, "step_time.p50": statistics.median(steps),
            "step_time.mean": statistics.fmean(steps), "loader": loader, "shapes": shapes, "gpu": any(e.get("cat") == "kernel" for e in events)}


def training():
    sides, starts = {}, []
    for path in sorted((HERE / "training").glob("*.json.gz")):
        launch, name = profile(path), path.name.rsplit("-", 1)[0]
        sides.setdefault(name, []).append(launch)
        starts.append((launch["start"], name))
        print(f"  {path.name:20} {len(launch['steps'])} steps, p50 {launch['step_time.p50']:7.2f} ms, mean {launch['step_time.mean']:7.2f},"
              f" {min(launch['steps']):.2f} to {max(launch['steps']):.2f}, {'/'.join(launch['loader'])}")
    compared([("step_time.p50", "lower"), ("step_time.mean", "lower")], sides, "loader0", "loader2")
    every = [launch for side in sides.values() for launch in side]
    base, candidate = ([launch["step_time.p50"] for launch in sides[s]] for s in ("loader0", "loader2"))
    promise("five launches of each variant, in turn", all(len(s) == 5 for s in sides.values()) and in_turn(starts))
    promise("at least 20 steps each, on the CPU alone", all(len(launch["steps"]) >= 20 and not launch["gpu"] for launch in every))
    promise("loader2 has a shorter median step in every launch, by a third at least", max(candidate) < min(base) and hodges_lehmann(base, candidate) < 2 / 3)
    promise("the loaders of loader0 and loader2 are told by name", {"_SingleProcessDataLoaderIter"} == set.union(*(x["loader"] for x in sides["loader0"]))
            and {"_MultiProcessingDataLoaderIter"} == set.union(*(x["loader"] for x in sides["loader2"])))
    shapes = {name: {tuple(launch["shapes"]) for launch in side} for name, side in sides.items()}
    promise("convolutions have the same shapes in loader0 and loader2, none of them in narrow",
            shapes["loader0"] == shapes["loader2"] and len(shapes["loader0"]) == 1 and not set(*shapes["loader0"]) & set(*shapes["narrow"]))


# Serving: the requests of each archive.

def archive(path):
    with zipfile.ZipFile(path) as z:
        read = {name.split("/", 1)[1]: z.read(name) for name in z.namelist()}
    records = [json.loads(line) for line in read["profile_export.jsonl"].splitlines()]
    records = [r for r in records if r["metadata"]["phase_kind"] == "profiling"]
    good = sorted((r for r in records if "error" not in r), key=lambda r: r["metadata"]["request_start_ns"])
    value = {metric: [r["metrics"][tag]["value"] for r in good] for metric, tag in
             {"ttft": "time_to_first_token", "tpot": "inter_token_latency", "e2el": "request_latency", "osl": "output_sequence_length"}.items()}
    gaps = [gap for r in good for gap in r["metrics"]["inter_chunk_latency"]["value"]]
    start = good[0]["metadata"]["request_start_ns"]
    seconds = max(r["metadata"]["request_start_ns"] - start + ms * 1e6 for r, ms in zip(good, value["e2el"])) / 1e9
    launch = {f"{m}.{name}": f(value[m]) for m in ("ttft", "tpot", "e2el")
              for name, f in (("p50", statistics.median), ("p90", lambda v: statistics.quantiles(v, n=10, method="inclusive")[-1]))}
    summary = json.loads(read["profile_export_aiperf.json"])
    return launch | {
        "start": start, "requests": len(good), "failed": len(records) - len(good), "seconds": seconds, "bodies": hashlib.sha256(read["inputs.json"]).hexdigest(),
        "itl.p50": statistics.median(gaps),
        "steady": {m: steady(v) for m, v in [("ttft", value["ttft"]), ("tpot", value["tpot"]), ("itl", gaps), ("e2el", value["e2el"])]}, "request_throughput": len(good) / seconds,
        "output_token_throughput": sum(value["osl"]) / seconds, "tool": f"aiperf {summary['aiperf_version']}",
        "cancelled": summary["was_cancelled"], "load": json.dumps(summary["input_config"]["phases"])}


def serving():
    sides, starts = {}, []
    for path in sorted((HERE / "serving").glob("*.zip")):
        launch, name = archive(path), path.name.rsplit("-", 1)[0]
        sides.setdefault(name, []).append(launch)
        starts.append((launch["start"], name))
        print(f"  {path.name:12} {launch['requests']} requests in {launch['seconds']:6.2f} s ({launch['request_throughput']:.3f}/s), p50: ttft {launch['ttft.p50']:7.1f} ms,"
              f" tpot {launch['tpot.p50']:5.2f}, e2el {launch['e2el.p50']:7.1f}; steady: {', '.join(m for m, s in launch['steady'].items() if s) or 'none'}")
    compared([("ttft.p50", "lower"), ("ttft.p90", "lower"), ("tpot.p50", "lower"), ("itl.p50", "lower"), ("e2el.p50", "lower"), ("e2el.p90", "lower"),
              ("request_throughput", "higher"), ("output_token_throughput", "higher")], sides, "seqs2", "seqs8")
    every = [launch for side in sides.values() for launch in side]
    promise("at least four launches of each variant, in turn", all(len(s) >= 4 for s in sides.values()) and in_turn(starts))
    promise("the same request bodies and load in all, by AIPerf 0.13.0", len({(x["bodies"], x["load"], x["tool"]) for x in every}) == 1 and every[0]["tool"] == "aiperf 0.13.0")
    promise("no request failed, no run was cancelled", not any(x["failed"] or x["cancelled"] for x in every))
    promise("60 s and more measured, and steady", all(x["seconds"] >= 60 and all(x["steady"].values()) for x in every))
    for metric, least in (("ttft.p50", 1.3), ("e2el.p50", 1.3), ("request_throughput", 1 / 1.3)):
        b, c = ([launch[metric] for launch in sides[s]] for s in ("seqs2", "seqs8"))
        ratio = hodges_lehmann(b, c)
        promise(f"{metric}: seqs8 is better in every launch, by 30 % at least", apart(b, c) and (ratio < 1 / least if least > 1 else ratio > 1 / least))


# Fleet: the spells of each capture.

def kaplan_meier(waits, share):
    """The wait by which `share` of the jobs had started; waits that ended without a start are censored."""
    still, left = 1.0, len(waits)
    for wait, censored in sorted(waits):
        if not censored:
            still *= 1 - 1 / left
        left -= 1
        if still <= 1 - share:
            return wait
    return math.inf


def fleet():
    captures = {path.name.split(".")[0]: json.loads(path.read_text()) for path in sorted((HERE / "fleet").glob("*.kwcap.json"), reverse=True)}
    for name, capture in captures.items():
        spells = next(o for o in capture["outcomes"] if o["name"] == "queue_wait")
        waits = [(end - start, censored) for start, end, censored in zip(spells["start"], spells["end"], spells["censored"])]
        shares = {o["name"]: o["num"] / o["den"] for o in capture["outcomes"] if o["kind"] == "ratio"}
        print(f"  {name:9} {len(waits)} waits, {sum(c for _, c in waits)} censored, p50 {kaplan_meier(waits, .5)} s, p95 {kaplan_meier(waits, .95)} s; "
              + ", ".join(f"{k} {v:.3f}" for k, v in shares.items()))
        promise(f"{name} says that it is synthetic, and why", capture["synthetic"] and bool(capture["synthetic_reason"]))
        inventory, eligible = (next(o[k] for o in capture["outcomes"] if o["name"] == "availability") for k in ("den", "num"))
        allocated = next(o["num"] for o in capture["outcomes"] if o["name"] == "allocation")
        spans = next(o for o in capture["outcomes"] if o["name"] == "eligibility")
        hours = sum((t - f) * g for f, t, g, s in zip(spans["from"], spans["to"], spans["gpus"], spans["state"]) if s == "eligible") / 3600
        promise(f"{name}: allocated within eligible within inventory; eligible as the intervals say", allocated <= eligible <= inventory and abs(hours - eligible) < 0.01)
    load = [c["dimensions"]["offered_load"]["v"] for c in captures.values()]
    promise("offered load within 10 %, eligibility equal", max(load) / min(load) < 1.1 and len({json.dumps(c["outcomes"][1]) for c in captures.values()}) == 1)


if __name__ == "__main__":
    kinds = {"training": training, "serving": serving, "fleet": fleet}
    if {"-h", "--help"} & set(sys.argv) or set(sys.argv[1:]) - set(kinds):
        sys.exit(__doc__)
    for kind in sys.argv[1:] or kinds:
        print(kind)
        kinds[kind]()
    sys.exit(f"{len(broken)} promises broken" if broken else 0)
