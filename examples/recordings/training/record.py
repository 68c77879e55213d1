#!/usr/bin/env python3
"""Records the training profiles: variants in turn (a b c a b c …), each launch a fresh process.

    record.py OUT [--python VENV/bin/python] [--launches 5] [--only loader0,loader2,narrow] [--nice N]

    loader0   the training process loads and augments the images itself (--workers 0)
    loader2   two loader processes do it                                (--workers 2), the same work
    narrow    as loader2, every layer half as wide                      (--width 24), other work

Writes OUT/VARIANT-LAUNCH.json.gz and OUT/launches.jsonl. PYTHON needs the packages of requirements.txt.
Linux; works in a temporary folder under the host name node-1, so that no profile names the machine.
"""
import argparse
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import neutral  # noqa: E402

VARIANTS = {
    "loader0": ["--workers", "0"],
    "loader2": ["--workers", "2"],
    "narrow": ["--workers", "2", "--width", "24"],
}


def launch(python, arguments, nice):
    """(what the launch said of itself, its profile) of one fresh process."""
    with tempfile.TemporaryDirectory(prefix="recording-") as folder:
        environment = {"PATH": "/usr/bin:/bin", "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([python, str(HERE / "train.py"), "trace.json", *arguments], cwd=folder, env=environment, text=True,
                              stdout=subprocess.PIPE, timeout=600, check=True, preexec_fn=lambda: os.nice(nice))
        return json.loads(done.stdout.splitlines()[-1]), (pathlib.Path(folder) / "trace.json").read_bytes()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out", type=pathlib.Path)
    p.add_argument("--python", default=sys.executable, help="the interpreter with torch")
    p.add_argument("--launches", type=int, default=5)
    p.add_argument("--only", default=",".join(VARIANTS))
    p.add_argument("--nice", type=int, default=0, help="added to the launches' niceness; below 0 (as root) keeps neighbours out")
    a = p.parse_args()
    neutral.enter()

    a.out.mkdir(parents=True, exist_ok=True)
    with open(a.out / "launches.jsonl", "w") as log:
        for number in range(1, a.launches + 1):
            for name in a.only.split(","):
                load = os.getloadavg()[0]
                at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
                said, trace = launch(a.python, VARIANTS[name], a.nice)
                file = a.out / f"{name}-{number}.json.gz"
                file.write_bytes(gzip.compress(trace, 9, mtime=0))
                line = {"file": file.name, "started": at, "load_1min_before": round(load, 2), **said, "bytes": file.stat().st_size}
                print(json.dumps(line), file=log, flush=True)
                print(json.dumps(line), flush=True)
    neutral.check([a.out])


if __name__ == "__main__":
    main()
