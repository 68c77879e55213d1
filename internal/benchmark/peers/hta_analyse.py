#!/usr/bin/env python3
"""The peer for traces: Holistic Trace Analysis loads one trace and runs its four analyses.

    hta_analyse.py TRACE        (HolisticTraceAnalysis 0.5.0, pandas 1.5.3, numpy 1.24)
"""
import logging
import os
import shutil
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
from hta.trace_analysis import TraceAnalysis  # noqa: E402  (after the warnings are silenced)

folder = tempfile.mkdtemp()
try:
    name = os.path.join(folder, os.path.basename(sys.argv[1]))
    shutil.copyfile(sys.argv[1], name)
    analysis = TraceAnalysis(trace_files={0: name}, trace_dir=folder)
    analysis.get_temporal_breakdown(visualize=False)
    analysis.get_gpu_kernel_breakdown(visualize=False)
    analysis.get_idle_time_breakdown(visualize=False)
    analysis.get_comm_comp_overlap(visualize=False)
finally:
    shutil.rmtree(folder)
