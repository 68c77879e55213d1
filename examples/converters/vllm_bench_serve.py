#!/usr/bin/env python3
"""Turn the JSON of `vllm bench serve` into a Kernelwake JSON capture.

  vllm bench serve … --save-result --save-detailed --result-filename bench.json
  vllm_bench_serve.py bench.json --workload chat-8b --tool-version 0.31.0 \\
      --measured-on gpu --dim dataset="random 64/32 seed 7" --dim engine=vllm -o run1.kwcap.json

With --save-detailed every request is taken and all rates are recomputed over
first start to last content; without it the tool's own summary is taken, which
compares only with other summaries. Not taken: max_concurrent_requests and
max_output_tokens_per_s (they count per second), generated texts. The result
says nothing of the data set, sampling, cache or server: declare them.
"""

import datetime
import json
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import kwcap

MOST_ELEMENTS = 1_000_000


def parse():
    parser = kwcap.arguments(__doc__)
    parser.add_argument("file", help="the result")
    parser.add_argument("--tool-version", help="version of vLLM that ran the benchmark; the result doesn't say it")
    parser.add_argument("--utc-offset", type=float, default=0.0, metavar="HOURS", help="time zone of the result's date, such as -8 (default: 0, UTC)")
    return parser.parse_args()


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"{path}: {error}")
    if not isinstance(result, dict) or "duration" not in result or "completed" not in result:
        sys.exit(f"{path}: there is no duration or completed, so it is no result of vllm bench serve")
    return result


def quantile(values, q):
    """Linear interpolation, as NumPy's default."""
    ordered = sorted(values)
    place = q * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def lengths(values):
    return {"p50": quantile(values, 0.5), "p90": quantile(values, 0.9), "mean": sum(values) / len(values)}


def main():
    options = parse()
    result = read(options.file)
    try:
        written = datetime.datetime.strptime(result["date"], "%Y%m%d-%H%M%S")
    except (KeyError, ValueError) as error:
        sys.exit(f"{options.file}: its date can't be read: {error}")
    # The date is the moment at which the result was put together, so the load
    # ended then; a window ends after what is in it.
    end = written.replace(tzinfo=datetime.timezone(datetime.timedelta(hours=options.utc_offset)))
    length = math.ceil(result["duration"] * 1e6) / 1e6
    capture = kwcap.Capture(
        "inference", options.workload, kwcap.run_name(options, options.file), end - datetime.timedelta(seconds=length), end, "vllm_bench_serve.py", "1",
        measured_on=options.measured_on, synthetic=options.synthetic, state=options.state, group=options.group,
    )
    capture.labels["window_source"] = f"the result's date, taken as UTC{options.utc_offset:+g}, and its duration"
    describe(capture, options, result)
    if result.get("ttfts") and result.get("start_times"):
        add_requests(capture, result)
    else:
        add_summaries(capture, result)
    failed = result.get("failed", result.get("num_prompts", result["completed"]) - result["completed"])
    capture.ratio("error_rate", failed, result["completed"] + failed, "{request}")
    capture.dimensions["completeness"] = kwcap.dim({"sent": result["completed"] + failed, "ok": result["completed"], "failed": failed}, "observed", "completed, failed")
    capture.derived_from(options.file, "vllm-bench-serve")
    kwcap.finish(capture, options)


def describe(capture, options, result):
    dims = capture.dimensions
    if result.get("model_id"):
        dims["model"] = kwcap.dim(result["model_id"], "observed", "model_id")
    if result.get("tokenizer_id"):
        dims["tokenizer"] = kwcap.dim(result["tokenizer_id"], "observed", "tokenizer_id")
    if result.get("input_lens"):
        dims["isl"] = kwcap.dim(lengths(result["input_lens"]), "observed", "input_lens")
    if result.get("output_lens"):
        dims["osl"] = kwcap.dim(lengths(result["output_lens"]), "observed", "output_lens")
    rate, most = result.get("request_rate"), result.get("max_concurrency")
    if rate in ("inf", None) and most:
        dims["arrival"] = kwcap.dim("closed", "derived", "request_rate inf, max_concurrency")
        dims["concurrency_or_rate"] = kwcap.dim(most, "observed", "max_concurrency")
    elif rate in ("inf", None):
        dims["arrival"] = kwcap.dim("all at once", "derived", "request_rate inf")
        dims["concurrency_or_rate"] = kwcap.dim(result.get("num_prompts", result["completed"]), "observed", "num_prompts")
    else:
        dims["arrival"] = kwcap.dim({"process": "gamma", "burstiness": result.get("burstiness", 1.0), **({"max_concurrency": most} if most else {})}, "observed", "burstiness")
        dims["concurrency_or_rate"] = kwcap.dim({"requests_per_second": float(rate)}, "observed", "request_rate")
    if any(result.get("itls") or []) or result.get("mean_itl_ms"):
        dims["streaming"] = kwcap.dim(True, "derived", "gaps between chunks were seen")
    dims["measured_at"] = kwcap.dim("client", "derived", "vllm bench serve measures at the client")
    tool = " ".join(filter(None, ("vllm bench serve", options.tool_version)))
    dims["load_tool"] = kwcap.dim(tool, "derived", "format of the result")
    if result.get("backend"):
        capture.labels["backend"] = result["backend"]


def add_requests(capture, result):
    """Samples of every request, and rates over first start to last content."""
    starts, ttfts, gaps = result["start_times"], result["ttfts"], result.get("itls") or [[]] * len(result["ttfts"])
    errors, tokens = result.get("errors") or [""] * len(ttfts), result.get("output_lens") or []
    ends = result.get("latencies") or [first + sum(rest) for first, rest in zip(ttfts, gaps)]
    order = sorted(range(len(starts)), key=lambda i: starts[i])
    first = min(starts)
    at = [starts[i] - first for i in order]
    status = ["error" if errors[i] else "ok" for i in order]
    good = [i for i in order if not errors[i]]
    columns = {"at": at, "status": status}
    capture.samples("ttft", "s", [ttfts[i] for i in order], **columns)
    capture.samples("e2el", "s", [ends[i] for i in order], **columns)
    several = [i for i in good if len(tokens) > i and tokens[i] > 1]
    capture.exclude("tpot", "fewer than two output tokens, or failed", len(order) - len(several))
    if several:
        capture.samples("tpot", "s", [(ends[i] - ttfts[i]) / (tokens[i] - 1) for i in several], at=[starts[i] - first for i in several])
    else:
        capture.missing("tpot", "s", "not_applicable", "no answer has two tokens")
    pooled = [gap for i in good for gap in gaps[i]]
    if pooled:
        capture.samples("itl", "s", pooled[:MOST_ELEMENTS])
        if len(pooled) > MOST_ELEMENTS:
            capture.truncate(f"/outcomes/{len(capture.outcomes) - 1}/v", MOST_ELEMENTS, len(pooled), "elements of one array")
    else:
        capture.missing("itl", "s", "not_recorded", "no gaps between chunks are in the result")
    if not good:
        return
    busy = max(starts[i] + ends[i] for i in good) - min(starts[i] for i in good)
    capture.total("request_throughput", "{request}/s", len(good) / busy)
    if tokens:
        capture.total("output_token_throughput", "{token}/s", sum(tokens[i] for i in good) / busy)
    if result.get("request_goodput") is not None:
        capture.total("goodput", "{request}/s", result["request_goodput"] * result["duration"] / busy)


def add_summaries(capture, result):
    """What the tool summed up itself."""
    for name in ("ttft", "tpot", "itl", "e2el"):
        stats = {}
        for stat, key in (("mean", f"mean_{name}_ms"), ("sd", f"std_{name}_ms"), ("p50", f"median_{name}_ms")):
            if result.get(key) is not None:
                stats[stat] = result[key]
        for key, value in result.items():
            if key.startswith("p") and key.endswith(f"_{name}_ms") and key[1 : -len(f"_{name}_ms")].replace(".", "", 1).isdigit() and value is not None:
                stats[key[: -len(f"_{name}_ms")]] = value
        if stats and any(stats.values()):
            n = result["completed"] if name in ("ttft", "e2el") else kwcap.absent("not_recorded")
            capture.summary(name, "ms", n, stats, "linear")
        else:
            capture.missing(name, "ms", "not_recorded", f"not among --percentile-metrics, or not measured")
    for name, key, unit in (("request_throughput", "request_throughput", "{request}/s"), ("output_token_throughput", "output_throughput", "{token}/s"), ("goodput", "request_goodput", "{request}/s")):
        if result.get(key) is not None:
            capture.total(name, unit, result[key])


if __name__ == "__main__":
    main()
