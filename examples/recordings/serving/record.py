#!/usr/bin/env python3
"""Records the serving captures: AIPerf against freshly started vLLM servers on CPU, variants in turn (a b a b …).

    record.py OUT --vllm VENV --aiperf VENV [--launches 4] [--requests 200] [--only seqs2,seqs8] [--nice N] [--any]

    seqs2   vllm serve … --max-num-seqs=2    at most two requests in a batch
    seqs8   vllm serve … --max-num-seqs=8    room for all four that the client keeps in flight

Per launch: start the server on one core, wait until it is healthy, send --warmup and then --requests requests from another
core, four in flight, the same bodies every time; stop the server; pack what AIPerf wrote into OUT/VARIANT-LAUNCH.zip.
OUT/setup-VARIANT.json declares the server. The virtual environments are made by install.sh.

A launch that fell short of 60 s, or in which a latency was not steady (MSER-5), is done again at once, whichever side it is on: a
neighbour's burst is no property of the server. OUT/launches.jsonl has a line for every launch, those too, with "kept".
With --any the first try is kept, however short: to check that tools work together, never as evidence.

Linux, two cores. Works in /tmp/recording under the host name node-1, so that no file names the machine.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import neutral  # noqa: E402
import summarise  # noqa: E402

WORK = pathlib.Path("/tmp/recording")
MODEL = "local/random-llama"
TRIES = 4
VARIANTS = {"seqs2": ["--max-num-seqs=2"], "seqs8": ["--max-num-seqs=8"]}
SERVE = ["--served-model-name=" + MODEL, "--load-format=safetensors", "--generation-config=vllm", "--dtype=bfloat16",
         "--kv-cache-dtype=bfloat16", "--max-model-len=512", "--kv-cache-memory-bytes=67108864", "--no-enable-prefix-caching", "--enforce-eager", "--stream-interval=1"]
LOAD = ["--endpoint-type", "chat", "--streaming", "--use-server-token-count", "--concurrency", "4", "--random-seed", "42",
        "--isl", "96", "--isl-stddev", "16", "--osl", "32", "--osl-stddev", "6",
        "--extra-inputs", "ignore_eos:true", "--extra-inputs", "temperature:0",
        "--request-timeout-seconds", "120", "--no-gpu-telemetry", "--ui", "none"]


def environment(venv, home):
    return {"PATH": f"{venv}/bin:/usr/bin:/bin", "HOME": str(WORK), "TMPDIR": str(WORK / "tmp"), "LANG": "C.UTF-8",
            "HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "DO_NOT_TRACK": "1", "OMP_NUM_THREADS": "1"}


def pinned(core, nice):
    def before():
        os.sched_setaffinity(0, {core})
        os.nice(nice)
    return before


class Server:
    """A vLLM server in the work folder; `with` waits until it is healthy and stops it at the end."""

    def __init__(self, a, home, arguments):
        self.port, self.started = a.port, time.monotonic()
        env = environment(a.vllm, home) | {
            "VLLM_NO_USAGE_STATS": "1", "VLLM_PLUGINS": "", "VLLM_CPU_OMP_THREADS_BIND": "nobind",
            "TORCHDYNAMO_DISABLE": "1"}  # else vLLM compiles C++ at the first request
        self.log = open(WORK / "server.log", "w")
        self.process = subprocess.Popen(
            ["vllm", "serve", snapshot(home), "--host=127.0.0.1", f"--port={a.port}", *SERVE, *arguments],
            env=env, cwd=WORK, stdout=self.log, stderr=subprocess.STDOUT, preexec_fn=pinned(a.server_core, a.nice))

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
            return answer.read()

    def __enter__(self):
        while time.monotonic() - self.started < 600:
            if self.process.poll() is not None:
                sys.exit(f"the server ended with {self.process.returncode}:\n" + (WORK / "server.log").read_text()[-3000:])
            try:
                self.get("/health")
                self.version = json.loads(self.get("/version"))["version"]
                self.ready_s = round(time.monotonic() - self.started, 1)
                return self
            except (urllib.error.URLError, OSError):
                time.sleep(1)
        sys.exit("the server was not healthy within 600 s")

    def __exit__(self, *failure):
        self.process.terminate()
        self.process.wait(60)
        self.log.close()


def snapshot(home):
    folder = home / "hub" / ("models--" + MODEL.replace("/", "--"))
    return str(folder / "snapshots" / (folder / "refs" / "main").read_text())


def measure(a, home):
    """Runs AIPerf once; its folder."""
    out = WORK / "out"
    command = ["aiperf", "profile", "--model", MODEL, "--tokenizer", MODEL, "--url", f"http://127.0.0.1:{a.port}", *LOAD,
               "--warmup-request-count", str(a.warmup), "--request-count", str(a.requests),
               "--num-dataset-entries", str(a.warmup + a.requests), "--artifact-dir", "out"]
    with open(WORK / "client.log", "w") as log:
        done = subprocess.run(command, env=environment(a.aiperf, home), cwd=WORK, stdout=log, stderr=subprocess.STDOUT, timeout=1200,
                              preexec_fn=pinned(a.client_core, a.nice))
    if done.returncode or not (out / "profile_export_aiperf.json").exists():
        sys.exit(f"aiperf ended with {done.returncode}:\n" + (WORK / "client.log").read_text()[-3000:])
    return out


def pack(folder, archive):
    """The folder's files in one zip, in order and without times of their own."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            entry = zipfile.ZipInfo(f"{archive.stem}/{path.relative_to(folder).as_posix()}", (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)


def setup(name, engine_version, home):
    """What AIPerf's files don't say of the server, but for the hardware, which is left for a person to attest."""
    with open(pathlib.Path(snapshot(home)) / "model.safetensors", "rb") as weights:
        digest = hashlib.file_digest(weights, "sha256").hexdigest()
    return {"name": f"vllm-cpu-{name}", "values": {
        "measured_on": "cpu", "host_id": neutral.HOST,
        "engine": "vllm", "engine_version": engine_version, "engine_args": [*SERVE, *VARIANTS[name]],
        "model_revision": f"sha256:{digest}", "weights_precision": "bfloat16", "kv_dtype": "bfloat16",
        "parallelism": {"tp": 1, "pp": 1, "dp": 1}, "speculation": "off",
        **{key: {"absent": "not_applicable", "note": "no GPU takes part"}
           for key in ("driver", "cuda", "power_limit", "clocks", "mig", "throttling")}}}


def launch(a, home, name, number):
    shutil.rmtree(WORK / "out", ignore_errors=True)
    line = {"file": f"{name}-{number}.zip", "kept": True, "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "load_1min_before": round(os.getloadavg()[0], 2)}
    with Server(a, home, VARIANTS[name]) as server:
        out = measure(a, home)
    summary = json.loads((out / "profile_export_aiperf.json").read_text())
    pack(out, a.out / line["file"])
    (a.out / f"setup-{name}.json").write_text(json.dumps(setup(name, server.version, home), indent=1) + "\n")
    measured = summarise.archive(a.out / line["file"])
    unsteady = [metric for metric, is_steady in measured["steady"].items() if not is_steady]
    return line | {
        "kept": a.any or (not unsteady and measured["seconds"] >= 60), "not_steady": unsteady, "vllm": server.version, "aiperf": summary["aiperf_version"], "server_ready_s": server.ready_s, "requests": summary["request_count"]["avg"], "benchmark_duration_s": summary["benchmark_duration"]["avg"],
        "request_throughput": summary["request_throughput"]["avg"], "ttft_p50_ms": summary["time_to_first_token"]["p50"],
        "tpot_p50_ms": summary["inter_token_latency"]["p50"], "e2el_p50_ms": summary["request_latency"]["p50"],
        "bytes": (a.out / line["file"]).stat().st_size}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out", type=pathlib.Path)
    p.add_argument("--vllm", type=pathlib.Path, required=True, help="virtual environment with vLLM")
    p.add_argument("--aiperf", type=pathlib.Path, required=True, help="virtual environment with AIPerf")
    p.add_argument("--launches", type=int, default=4)
    p.add_argument("--first", type=int, default=1, help="number of the first launch; above 1 goes on with a recording (default 1)")
    p.add_argument("--only", default=",".join(VARIANTS))
    p.add_argument("--warmup", type=int, default=8, help="requests before the measured ones (default 8)")
    p.add_argument("--requests", type=int, default=200, help="measured requests (default 200)")
    p.add_argument("--port", type=int, default=8000)
    p.add_argument("--server-core", type=int, default=0)
    p.add_argument("--client-core", type=int, default=1)
    p.add_argument("--any", action="store_true", help="keep the first try, however short or unsteady")
    p.add_argument("--nice", type=int, default=0, help="added to the niceness of server and client; below 0 (as root) keeps neighbours out")
    a = p.parse_args()
    a.vllm, a.aiperf, a.out = a.vllm.absolute(), a.aiperf.absolute(), a.out.absolute()
    neutral.enter()

    a.out.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "tmp").mkdir(parents=True)
    home = WORK / "hf"
    subprocess.run([a.vllm / "bin/python", HERE / "make_model.py", home], env=environment(a.vllm, home), check=True, stdout=subprocess.DEVNULL)
    with open(a.out / "launches.jsonl", "w" if a.first == 1 else "a") as log:
        for number in range(a.first, a.first + a.launches):
            for name in a.only.split(","):
                for _ in range(TRIES):
                    line = launch(a, home, name, number)
                    print(json.dumps(line), file=log, flush=True)
                    print(json.dumps(line), flush=True)
                    if line["kept"]:
                        break
                else:
                    sys.exit(f"{name}-{number}: {TRIES} tries, none steady for 60 s; the machine is too busy")
    shutil.rmtree(WORK)
    neutral.check([a.out], more=[str(a.vllm), str(a.aiperf)])


if __name__ == "__main__":
    main()
