#!/usr/bin/env python3
"""The peer for AIPerf archives: the same JSONL into the same figures with Python's own json.

    aiperf_records.py ARCHIVE.zip        prints count, mean and p50, p90, p99 of each latency
"""
import io
import json
import sys
import zipfile

TAGS = ("time_to_first_token", "inter_token_latency", "inter_chunk_latency", "request_latency")


def quantile(values, q):
    place = q * (len(values) - 1)
    low = int(place)
    return values[low] + (place - low) * (values[min(low + 1, len(values) - 1)] - values[low])


columns = {tag: [] for tag in TAGS}
with zipfile.ZipFile(sys.argv[1]) as archive:
    for name in archive.namelist():
        if not name.endswith("profile_export.jsonl"):
            continue
        with archive.open(name) as raw:
            for line in io.TextIOWrapper(raw, "utf-8"):
                record = json.loads(line)
                if record.get("error") or record["metadata"].get("benchmark_phase") == "warmup":
                    continue
                for tag in TAGS:
                    value = record["metrics"].get(tag, {}).get("value")
                    if isinstance(value, list):
                        columns[tag].extend(value)
                    elif value is not None:
                        columns[tag].append(value)
for tag, values in columns.items():
    values.sort()
    print(tag, len(values), sum(values) / len(values), *(quantile(values, q) for q in (0.5, 0.9, 0.99)))
