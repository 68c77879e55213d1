#!/usr/bin/env python3
"""Read the AIPerf records in an archive with the standard library alone and
print the figures that the import derives too: the distribution of each latency
and length, and the rate from the first start to the last content.

    figures.py run.tar.gz
"""
import json
import math
import sys
import tarfile

QUANTILES = (0.5, 0.9, 0.95, 0.99)
METRICS = ("time_to_first_token", "inter_token_latency", "inter_chunk_latency", "request_latency",
           "input_sequence_length", "output_sequence_length")


def quantile(ordered, q):
    place = (len(ordered) - 1) * q
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def records(archive):
    for entry in archive:
        if entry.name.endswith(".jsonl"):
            yield from archive.extractfile(entry)


def main(path):
    columns = {name: [] for name in METRICS}
    good = failed = 0
    first, last = math.inf, -math.inf
    with tarfile.open(path, "r|gz") as archive:
        for line in records(archive):
            record = json.loads(line)
            metadata, metrics = record["metadata"], record["metrics"]
            if metadata["benchmark_phase"] != "profiling":
                continue
            if record.get("error"):
                failed += 1
                continue
            good += 1
            for name, column in columns.items():
                metric = metrics.get(name)
                if metric is None:
                    continue
                value = metric["value"]
                if isinstance(value, list):
                    column.extend(value)
                else:
                    column.append(value)
            start = metadata["request_start_ns"]
            first = min(first, start)
            last = max(last, start + round(metrics["request_latency"]["value"] * 1e6))
    figures = {"requests": {"good": good, "failed": failed, "per_second": good / ((last - first) / 1e9)}}
    for name, column in columns.items():
        column.sort()
        figures[name] = {"count": len(column), "mean": math.fsum(column) / len(column), "min": column[0], "max": column[-1]}
        for q in QUANTILES:
            figures[name]["p%g" % (100 * q)] = quantile(column, q)
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
