"""Write Kernelwake JSON captures (format 1.0) from any Python script.

One file, standard library only: copy it beside your script. Example:

    from kwcap import Capture, absent, dim

    c = Capture("training", workload="resnet50", run="seed-3",
                start="2026-03-01T11:40:00Z", end="2026-03-01T11:50:00Z",
                producer="train.py", version="1.4", measured_on="gpu")
    c.dimensions["model"] = dim("resnet50")
    c.dimensions["world_size"] = dim(8, "observed", "torchrun")
    c.dimensions["driver"] = absent("not_recorded")
    c.samples("step_time", "ms", step_times, step=step_numbers)
    c.total("elapsed_time", "s", 148.6)
    c.write("seed-3.kwcap.json")

Dimensions that the lens needs and you leave out are written as absent,
`not_recorded`: they then cap a comparison until somebody declares them, which
is better than a guess. `graphsignal-server capture check FILE` lists what is
wrong with a file; docs/formats/kernelwake-json.md has every rule.
"""

import argparse
import datetime
import hashlib
import json
import math
import os
import re
import sys

SCHEMA, VERSION = "kernelwake.capture", "1.0"
REASONS = ("not_recorded", "not_applicable", "not_supported", "withheld", "failed", "below_minimum_samples", "not_reached", "lost", "unknown")
SOURCES = ("declared", "observed", "derived", "default")
STATES = ("completed", "failed", "cancelled", "running")
DEVICES = ("gpu", "cpu", "simulator", "none", "unknown")

# What each lens needs, as a value or an absence. A test of the importer keeps
# this list equal to its registry.
REQUIRED = {
    "inference": (
        "arrival", "cache_state", "concurrency_or_rate", "dataset", "gpu_count", "gpu_memory", "gpu_model", "isl", "measured_at", "mig", "model", "model_revision",
        "osl", "prefix_sharing", "sampling", "streaming", "tokenizer",
    ),
    "training": (
        "clock_rule", "dataset", "effective_batch", "gpu_count", "gpu_model", "init", "model", "objective", "sequence_length", "target", "world_size",
    ),
    "fleet": (
        "attainment_target", "device_types", "eligibility", "policy_sha256", "pool", "population", "share_rule", "wait_rule",
    ),
}

LARGEST_INTEGER = 2**53 - 1  # what every JSON reader keeps exact
LARGEST_FILE = 16 * 2**20


def absent(reason, note=None):
    """Why there is no value."""
    if reason not in REASONS:
        raise ValueError(f"{reason!r} is no reason; one of {', '.join(REASONS)} is")
    return {"absent": reason, "note": note} if note else {"absent": reason}


def dim(value, src="declared", source=None):
    """A dimension's value, how it is known, and the place or formula it comes from."""
    if src not in SOURCES:
        raise ValueError(f"{src!r} is no source; one of {', '.join(SOURCES)} is")
    if value is None:
        raise ValueError("a dimension without a value is an absence: absent('not_recorded')")
    out = {"v": value, "src": src}
    if source:
        out["from"] = source
    return out


def utc(when):
    """A time as the format writes it, from a datetime, seconds since 1970 or text."""
    if isinstance(when, str):
        if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z", when):
            return when
        text = re.sub(r"(\.\d{6})\d+", r"\1", when.strip().replace("Z", "+00:00"))
        when = datetime.datetime.fromisoformat(text)
    if isinstance(when, (int, float)):
        when = datetime.datetime.fromtimestamp(when, datetime.timezone.utc)
    if when.tzinfo is None:
        raise ValueError(f"{when} has no time zone: write it in UTC, with a Z at the end")
    return when.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")


def seconds_between(start, end):
    """The length of a window whose ends utc() wrote."""

    def read(text):
        whole, _, fraction = text.rstrip("Z").partition(".")
        moment = datetime.datetime.fromisoformat(whole).replace(tzinfo=datetime.timezone.utc)
        return int(moment.timestamp()), float("0." + fraction) if fraction else 0.0

    (first, part), (last, rest) = read(start), read(end)
    return last - first + (rest - part)


class Capture:
    """One capture. Every method that adds an outcome checks what it can at once."""

    def __init__(self, lens, workload, run, start, end, producer, version, measured_on="unknown", synthetic=None, state="completed", attempt=1, group=None, seed=None, created=None):
        if lens not in REQUIRED:
            raise ValueError(f"{lens!r} is no lens; one of {', '.join(REQUIRED)} is")
        if measured_on not in DEVICES or state not in STATES:
            raise ValueError(f"measured_on is one of {', '.join(DEVICES)}, state one of {', '.join(STATES)}")
        self.window = {"start": utc(start), "end": utc(end)}
        self.seconds = seconds_between(self.window["start"], self.window["end"])
        if self.seconds <= 0:
            raise ValueError("the window ends before it has begun")
        self.lens, self.workload, self.measured_on = lens, {"name": workload}, measured_on
        self.run = {"id": run, "state": state, "attempt": attempt}
        if group:
            self.run["replicate_group"] = group
        if seed is not None:
            self.run["seed"] = seed
        self.producer = {"name": producer, "version": version}
        self.synthetic = synthetic  # the reason, if the numbers were made up
        self.created = utc(created) if created else utc(datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0))
        self.environment = {}  # nodes, gpus, driver, cuda, software …
        self.dimensions, self.labels, self.ext = {}, {}, {}
        self.outcomes, self.excluded, self.truncated, self.sources = [], [], [], []

    def samples(self, name, unit, values, agg=1, phase=None, **columns):
        """Raw values (agg=1) or means of agg values each. Columns: at, step, rank, status, weight."""
        at = columns.get("at")
        if at is not None and any(not 0 <= t < self.seconds for t in at):
            raise ValueError(f"{name}: a time lies outside the window of {self.seconds:g} s")
        self._columns(name, unit, "samples", {"v": values, **columns}, ("v", "at", "step", "rank", "status", "weight"), phase, agg=agg)

    def series(self, name, unit, values, clock="window", phase=None, **columns):
        """Values over time or steps. Columns: at, step."""
        if not columns.get("at") and not columns.get("step"):
            raise ValueError(f"{name}: a series needs at or step")
        self._columns(name, unit, "series", {"v": values, **columns}, ("v", "at", "step"), phase, clock=clock)

    def spells(self, name, unit, start, end, censored, clock="window", phase=None, **columns):
        """Waits and ways to a target. censored is 1 where the end wasn't seen. Columns: gpus, end_after, class_, cause."""
        if "class_" in columns:
            columns["class"] = columns.pop("class_")
        known = ("start", "end", "censored", "gpus", "end_after", "class", "cause")
        self._columns(name, unit, "spells", {"start": start, "end": end, "censored": censored, **columns}, known, phase, clock=clock)

    def intervals(self, name, unit, from_, to, state, phase=None, **columns):
        """States over time. Columns: reason, subject, gpus."""
        known = ("from", "to", "state", "reason", "subject", "gpus")
        self._columns(name, unit, "intervals", {"from": from_, "to": to, "state": state, **columns}, known, phase)

    def histogram(self, name, unit, bounds, counts, total, phase=None):
        """Counts per bucket, one more than bounds: the last is what lies above them."""
        if len(counts) != len(bounds) + 1:
            raise ValueError(f"{name}: {len(bounds)} bounds need {len(bounds) + 1} counts")
        self._add(name, unit, phase, kind="histogram", n=sum(counts), sum=total, bounds=list(bounds), counts=list(counts))

    def summary(self, name, unit, n, stats, quantile_method=None, phase=None):
        """Another tool's statistics: mean, sd, min, max, p50 … n is a count or absent(...)."""
        extra = {"quantile_method": quantile_method or absent("unknown")} if any(re.fullmatch(r"p\d.*", k) for k in stats) else {}
        self._add(name, unit, phase, kind="summary", n=n, stats=dict(stats), **extra)

    def ratio(self, name, num, den, basis, unit="1", phase=None):
        """A share with what it was divided by; basis is the unit of both."""
        self._add(name, unit, phase, kind="ratio", num=num, den=den, basis=basis)

    def total(self, name, unit, value, phase=None):
        """One number."""
        self._add(name, unit, phase, kind="total", v=value)

    def missing(self, name, unit, reason, note=None, phase=None):
        """An outcome that couldn't be measured, and why."""
        self._add(name, unit, phase, **absent(reason, note))

    def exclude(self, what, reason, count):
        """Say what was left out (warm-up, errors, gaps) and how often."""
        if count:
            self.excluded.append({"what": what, "reason": reason, "count": count})

    def truncate(self, pointer, kept, of, bound):
        """Say what was cut by a bound of yours."""
        self.truncated.append({"pointer": pointer, "kept": kept, "of": of, "bound": bound})

    def derived_from(self, path, format):
        """Name a raw file that this capture was made from, with its digest."""
        digest = hashlib.sha256()
        with open(path, "rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                digest.update(block)
        self.sources.append({"name": os.path.basename(path), "format": format, "bytes": os.path.getsize(path), "sha256": digest.hexdigest()})

    def _columns(self, name, unit, kind, columns, known, phase, **members):
        lengths, out = {}, {}
        for column, values in columns.items():
            if column not in known:
                raise ValueError(f"{name}: kind {kind} has no column {column!r}; it has {', '.join(known)}")
            if values is None:
                continue
            out[column] = values.tolist() if hasattr(values, "tolist") else list(values)
            lengths[column] = len(out[column])
        if len(set(lengths.values())) != 1 or 0 in lengths.values():
            raise ValueError(f"{name}: columns have one length and at least one value: {lengths}; without any use missing()")
        self._add(name, unit, phase, kind=kind, **members, **out)

    def _add(self, name, unit, phase, **members):
        out = {"name": name, "unit": unit, **({"phase": phase} if phase else {}), **members}
        if any(o["name"] == name and o.get("phase") == phase for o in self.outcomes):
            raise ValueError(f"{name} was added already")
        self.outcomes.append(out)

    def to_dict(self):
        """The capture as it is written."""
        if not self.outcomes:
            raise ValueError("a capture has at least one outcome; one that couldn't be measured is added by missing()")
        out = {"schema": SCHEMA, "version": VERSION, "lens": self.lens, "created": self.created, "producer": self.producer, "synthetic": bool(self.synthetic)}
        if self.synthetic:
            out["synthetic_reason"] = self.synthetic
        out.update({"measured_on": self.measured_on, "window": self.window, "workload": self.workload, "run": self.run})
        if self.lens != "fleet":
            out["environment"] = {**{key: absent("not_recorded") for key in ("nodes", "gpus", "driver", "cuda", "software")}, **self.environment}
        out["dimensions"] = {**{key: absent("not_recorded") for key in REQUIRED[self.lens] if key not in self.dimensions}, **self.dimensions}
        out["outcomes"] = self.outcomes
        for key, value in (("excluded", self.excluded), ("truncated", self.truncated), ("derived_from", self.sources), ("labels", self.labels), ("ext", self.ext)):
            if value:
                out[key] = value
        return _clean(out, "")

    def write(self, path):
        """Write the file, whole or not at all. Returns its size in bytes."""
        data = json.dumps(self.to_dict(), allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode()
        if len(data) > LARGEST_FILE:
            raise ValueError(f"{len(data)} bytes are over the limit of {LARGEST_FILE}: give fewer decimals or fewer samples and say so with truncate(), or compress it with gzip")
        if path == "-":
            sys.stdout.buffer.write(data + b"\n")
            return len(data)
        temporary = f"{path}.{os.getpid()}.part"
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
        return len(data)


def _clean(value, at):
    """The value as JSON, or an error that names the place."""
    if hasattr(value, "item") and not isinstance(value, (str, bytes, dict, list)):
        value = value.item()  # a number of NumPy or PyTorch
    if value is None:
        raise ValueError(f"{at}: None says nothing; write absent('not_recorded') or leave it out")
    if isinstance(value, bool) or isinstance(value, str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= LARGEST_INTEGER else str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{at}: {value} is no number; leave the sample out and count it with exclude()")
        return value
    if isinstance(value, dict):
        return {str(key): _clean(one, f"{at}/{key}") for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean(one, f"{at}/{i}") for i, one in enumerate(value)]
    raise ValueError(f"{at}: {type(value).__name__} can't be written as JSON")


# What the converters beside this file share.


def arguments(description, epilog=None):
    """A command line with what every capture needs."""
    parser = argparse.ArgumentParser(description=description, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", default="-", help="the capture to write, such as run1.kwcap.json (default: standard output)")
    parser.add_argument("--workload", required=True, help="name of the workload")
    parser.add_argument("--run", help="name of the run (default: the file's name)")
    parser.add_argument("--group", help="replicate group: ties the runs of one configuration together")
    parser.add_argument("--state", default="completed", choices=STATES, help="how the run ended")
    parser.add_argument("--measured-on", default="unknown", choices=DEVICES, help="what did the work (default: unknown, which caps comparisons)")
    parser.add_argument("--synthetic", metavar="REASON", help="say why, if the numbers were made up")
    parser.add_argument("--dim", action="append", default=[], metavar="KEY=VALUE", help="declare a dimension; VALUE is JSON, else text; repeat it")
    parser.add_argument("--label", action="append", default=[], metavar="KEY=TEXT", help="a free label; repeat it")
    return parser


def declare(capture, options):
    """Apply --dim and --label. What is declared doesn't replace what the file says."""
    for given in options.dim:
        key, found, text = given.partition("=")
        if not found:
            sys.exit(f"--dim {given}: write it as KEY=VALUE")
        try:
            value = json.loads(text)
        except ValueError:
            value = text
        if isinstance(value, dict) and "absent" in value:
            capture.dimensions.setdefault(key, value)
        elif "v" not in capture.dimensions.get(key, {}):
            capture.dimensions[key] = dim(value)
        elif capture.dimensions[key]["v"] != value:
            sys.exit(f"--dim {key}: the file itself says {capture.dimensions[key]['v']!r}")
    for given in options.label:
        key, _, text = given.partition("=")
        capture.labels[key] = text


def run_name(options, path):
    return options.run or os.path.splitext(os.path.basename(path))[0]


def finish(capture, options):
    """Write the capture and say what it leaves open."""
    declare(capture, options)
    try:
        size = capture.write(options.output)
    except ValueError as error:
        sys.exit(f"writing the capture: {error}")
    open_keys = [key for key in REQUIRED[capture.lens] if "v" not in capture.dimensions.get(key, {})]
    print(f"{options.output}: {size} bytes, {len(capture.outcomes)} outcomes", file=sys.stderr)
    if open_keys:
        print(f"not known, so comparisons are capped until --dim or a setup gives it: {', '.join(open_keys)}", file=sys.stderr)
