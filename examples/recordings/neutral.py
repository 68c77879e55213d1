"""Keeps a recording free of the machine that made it.

    import neutral
    neutral.enter()                 # the process goes on under the host name node-1 (its own UTS namespace, Linux)
    neutral.check(["training"])     # raises if a file there, also inside gzip and zip, names this machine or its user

    python3 neutral.py PATH…        # the check alone; --word W adds a word to look for
"""
import argparse
import getpass
import gzip
import io
import os
import pathlib
import shutil
import socket
import sys
import zipfile

HOST = "node-1"


def enter():
    """Runs the calling script again with HOST as its host name, once; leaves files and network as they are."""
    if socket.gethostname() == HOST:
        return
    if not shutil.which("unshare"):
        sys.exit("neutral: recording needs `unshare` (util-linux): a profile carries the host's name")
    os.environ["RECORDED_ON"] = socket.gethostname()  # for check(), which must still know the name to look for
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    rename = f'hostname {HOST} && exec "$@"'
    os.execvp("unshare", ["unshare", *user, "--uts", "sh", "-c", rename, "sh", sys.executable, *sys.argv])


def words():
    """What must not be in a recording: this host, this user, the home and working folders, the package index."""
    found = {os.environ.get("RECORDED_ON", socket.gethostname()), getpass.getuser(), str(pathlib.Path.home()), os.getcwd()}
    for name in ("PIP_INDEX_URL", "UV_INDEX_URL", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        found.add(os.environ.get(name, ""))
    # A short or everyday word would be found in any file: "root" is one of them.
    return sorted(w for w in found if len(w) > 3 and w not in {HOST, "root", "/root", "localhost", "user"})


def contents(path):
    """(name, bytes) of a file and of all that is packed in it."""
    data = path.read_bytes()
    yield str(path), data
    if data[:2] == b"\x1f\x8b":
        yield f"{path} (expanded)", gzip.decompress(data)
    elif data[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                yield f"{path}: {entry.filename}", entry.filename.encode() + archive.read(entry)


def check(paths, more=()):
    unwanted = [*words(), *more]
    hits, looked = [], 0
    for start in map(pathlib.Path, paths):
        for path in sorted(p for p in ([start] if start.is_file() else start.rglob("*")) if p.is_file() and "__pycache__" not in p.parts):
            for name, data in contents(path):
                looked += 1
                hits += [f"{name}: {w!r} in it" for w in unwanted if w.encode() in data]
    if hits:
        raise SystemExit("neutral: not fit to be shared\n  " + "\n  ".join(hits))
    return looked


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("paths", nargs="+")
    p.add_argument("--word", action="append", default=[], help="one more word to look for")
    a = p.parse_args()
    print(f"neutral: {check(a.paths, a.word)} files and entries, nothing of this machine in them")
