#!/usr/bin/env python3
"""Holds what was read from an AIPerf archive against the archive's own summary.

    agrees.py ARCHIVE.zip CHECK.json      CHECK.json: graphsignal-server capture check --json
"""
import json
import sys
import zipfile

TAGS = {"ttft": "time_to_first_token", "tpot": "inter_token_latency", "itl": "inter_chunk_latency", "e2el": "request_latency"}
STATISTICS = {"p50": "p50", "p90": "p90", "p99": "p99", "mean": "avg"}

with zipfile.ZipFile(sys.argv[1]) as archive:
    name = min((n for n in archive.namelist() if n.endswith("profile_export_aiperf.json") and "phases/" not in n), key=len)
    summary = json.loads(archive.read(name))
with open(sys.argv[2]) as file:
    check = json.load(file)
read = {outcome["metric"]: outcome for outcome in check["outcomes"]}
compared = 0
for ours, tag in TAGS.items():
    for statistic, theirs in STATISTICS.items():
        got, want = read[f"{ours}.{statistic}"]["value"], summary[tag][theirs]
        if abs(got - want) > 1e-9 * abs(want):
            sys.exit(f"{ours}.{statistic} is {got}, AIPerf says {want}")
        compared += 1
if read["ttft.p50"]["n"] != summary["request_count"]["avg"]:
    sys.exit(f"{read['ttft.p50']['n']} requests were read, AIPerf counts {summary['request_count']['avg']}")
print(f"{compared} figures agree with AIPerf {summary['aiperf_version']}, {read['ttft.p50']['n']} requests")
