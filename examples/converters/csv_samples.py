#!/usr/bin/env python3
"""Turn a CSV table of samples into a Kernelwake JSON capture.

Each row is one request, step or other sample. Name the columns that hold
outcomes, with their unit:

  csv_samples.py steps.csv --lens training --workload resnet50 \\
      --outcome step_time:ms=step_ms --step step --time timestamp \\
      --measured-on gpu --dim model=resnet50 -o run1.kwcap.json

Cells that are blank or no number are left out and counted. Nothing is guessed:
dimensions that --dim doesn't give are written as absent.
"""

import csv
import datetime
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import kwcap

SEPARATORS = {"comma": ",", "tab": "\t", "semicolon": ";"}


def parse():
    parser = kwcap.arguments(__doc__)
    parser.add_argument("file", help="the table; its first row names the columns")
    parser.add_argument("--lens", required=True, choices=sorted(kwcap.REQUIRED))
    parser.add_argument("--outcome", action="append", required=True, metavar="NAME:UNIT=COLUMN", help="a column that holds an outcome, such as ttft:ms=ttft_ms; repeat it")
    parser.add_argument("--agg", type=int, default=1, help="how many raw values each row is the mean of (default: 1, raw)")
    when = parser.add_mutually_exclusive_group()
    when.add_argument("--time", metavar="COLUMN", help="column of absolute times: seconds since 1970, or RFC 3339 with a time zone")
    when.add_argument("--at", metavar="COLUMN", help="column of seconds since --start")
    parser.add_argument("--start", help="begin of the window in UTC (default: the first --time)")
    parser.add_argument("--end", help="end of the window in UTC, not included (default: just after the last --time)")
    for column in ("step", "rank", "status"):
        parser.add_argument(f"--{column}", metavar="COLUMN", help=f"column of the {column}")
    parser.add_argument("--separator", default="comma", choices=sorted(SEPARATORS))
    return parser.parse_args()


def number(text):
    """The number in a cell, None if there is none."""
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def absolute(text):
    """Seconds since 1970 from a cell of --time."""
    value = number(text)
    if value is not None:
        return value
    try:
        return datetime.datetime.fromisoformat(kwcap.utc(text).replace("Z", "+00:00")[:32]).timestamp()
    except ValueError as error:
        sys.exit(f"--time: {text!r} is no time: {error}")


def read_rows(options):
    with open(options.file, newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file, delimiter=SEPARATORS[options.separator]))
        if not rows:
            sys.exit(f"{options.file}: there is no row below the names of the columns")
    wanted = [spec.partition("=")[2] for spec in options.outcome] + [options.time, options.at, options.step, options.rank, options.status]
    for column in wanted:
        if column is not None and column not in rows[0]:
            sys.exit(f"{options.file}: there is no column {column!r}; there are {', '.join(map(str, rows[0]))}")
    return rows


def window(options, rows):
    """Begin and end of the window, and each row's offset in it or None."""
    if options.time:
        times = [absolute(row[options.time]) for row in rows]
        start = options.start or min(times)
        end = options.end or max(times) + 0.001
        first = absolute(start) if isinstance(start, str) else round(start, 6)
        # Rounded to microseconds, as the window's ends are.
        return start, end, [round(t - first, 6) + 0.0 for t in times]
    if not options.start or not options.end:
        sys.exit("without --time the table doesn't say when it was measured: give --start and --end")
    if options.at:
        return options.start, options.end, [number(row[options.at]) for row in rows]
    return options.start, options.end, None


def main():
    options = parse()
    rows = read_rows(options)
    start, end, offsets = window(options, rows)
    capture = kwcap.Capture(
        options.lens, options.workload, kwcap.run_name(options, options.file), start, end, "csv_samples.py", "1",
        measured_on=options.measured_on, synthetic=options.synthetic, state=options.state, group=options.group,
    )
    for spec in options.outcome:
        left, _, column = spec.partition("=")
        name, _, unit = left.partition(":")
        if not (name and unit and column):
            sys.exit(f"--outcome {spec}: write it as NAME:UNIT=COLUMN")
        values = [number(row[column]) for row in rows]
        told = [i for i, value in enumerate(values) if value is not None and (offsets is None or offsets[i] is not None)]
        kept = [i for i in told if offsets is None or 0 <= offsets[i] < capture.seconds]
        capture.exclude(name, "blank or no number", len(rows) - len(told))
        capture.exclude(name, "outside the window", len(told) - len(kept))
        if not kept:
            capture.missing(name, unit, "not_recorded", f"column {column} holds no number inside the window")
            continue
        columns = {"at": [offsets[i] for i in kept]} if offsets else {}
        for other in ("step", "rank"):
            if getattr(options, other):
                cells = [number(rows[i][getattr(options, other)]) for i in kept]
                if None in cells:
                    sys.exit(f"--{other}: a cell beside a value of {name} is blank or no number")
                columns[other] = [int(cell) for cell in cells]
        if options.status:
            columns["status"] = [rows[i][options.status] for i in kept]
        try:
            capture.samples(name, unit, [values[i] for i in kept], agg=options.agg, **columns)
        except ValueError as error:
            sys.exit(str(error))
    capture.derived_from(options.file, "csv")
    kwcap.finish(capture, options)


if __name__ == "__main__":
    main()
