#!/usr/bin/env python3
"""Turn a Hugging Face trainer_state.json into a Kernelwake JSON capture.

  hf_trainer_state.py checkpoint-15000/trainer_state.json --workload whisper \\
      --metric eval_wer --direction lower --target 10 --all-results all_results.json \\
      --batch 32 --accumulation 2 --world-size 1 -o run1.kwcap.json

What such a file has: evaluations and losses by step. What it doesn't have, and
what is therefore written as absent: the time of each step, timestamps, the
hardware. A resumed run divides all its work by its last session's time; where
the evaluations alone took longer than the stated run time, throughput and
elapsed time are withheld.
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import kwcap

NOT_QUALITY = ("_runtime", "_per_second", "_steps", "_samples", "_model_preparation_time", "_jit_compilation_time")


def parse():
    parser = kwcap.arguments(__doc__)
    parser.add_argument("file", help="trainer_state.json")
    parser.add_argument("--all-results", metavar="FILE", help="all_results.json or train_results.json of the run: its run time and throughput")
    parser.add_argument("--metric", help="evaluation metric that is the quality, such as eval_wer (default: the only one there is, else eval_loss)")
    parser.add_argument("--direction", default="lower", choices=("lower", "higher"), help="which way it is better")
    parser.add_argument("--target", type=float, help="the quality to reach")
    parser.add_argument("--batch", type=int, help="samples per device and micro-step (per_device_train_batch_size)")
    parser.add_argument("--accumulation", type=int, default=1, help="gradient_accumulation_steps")
    parser.add_argument("--world-size", type=int, help="processes that trained together")
    parser.add_argument("--start", help="begin of the run in UTC; the file doesn't say it")
    parser.add_argument("--end", help="end of the run in UTC")
    return parser.parse_args()


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"{path}: {error}")


def quality_metric(options, history):
    names = sorted({key for row in history for key in row if key.startswith("eval_") and not key.endswith(NOT_QUALITY)})
    if options.metric:
        if options.metric not in names:
            sys.exit(f"--metric {options.metric}: the evaluations hold {', '.join(names) or 'nothing'}")
        return options.metric
    others = [name for name in names if name != "eval_loss"]
    return others[0] if len(others) == 1 else ("eval_loss" if "eval_loss" in names else None)


def window(options, known_seconds):
    """The run's window. The file has no times: unless they are given, the
    file's own time stands for the end, and the label window_source says so."""
    if options.start and options.end:
        return options.start, options.end, None
    if options.start or options.end:
        sys.exit("give both --start and --end, or neither")
    end = os.path.getmtime(options.file)
    return end - max(known_seconds, 1.0), end, "assumed: it ends at the file's modification time and is as long as the run times stated; trainer_state.json has no timestamps"


def main():
    options = parse()
    state = read(options.file)
    history = state.get("log_history")
    if not isinstance(history, list):
        sys.exit(f"{options.file}: there is no log_history, so it is no trainer_state.json")
    results = read(options.all_results) if options.all_results else {}
    results = {**{key: row[key] for row in history for key in row if key.startswith("train_")}, **results}
    evaluations = sum(row.get("eval_runtime", 0) for row in history)
    runtime = results.get("train_runtime")
    start, end, assumed = window(options, max(evaluations, runtime or 0))
    capture = kwcap.Capture(
        "training", options.workload, kwcap.run_name(options, options.file), start, end, "hf_trainer_state.py", "1",
        measured_on=options.measured_on, synthetic=options.synthetic, state=options.state, group=options.group,
    )
    if assumed:
        capture.labels["window_source"] = assumed
    metric = quality_metric(options, history)
    describe(capture, options, metric)
    add_quality(capture, options, history, metric)
    capture.missing("step_time", "ms", "not_recorded", "trainer_state.json has no times of steps")
    capture.missing("time_to_target", "s", "not_recorded", "trainer_state.json has no timestamps")
    add_rates(capture, options, results, runtime, evaluations)
    capture.derived_from(options.file, "hf-trainer-state")
    if options.all_results:
        capture.derived_from(options.all_results, "hf-results")
    kwcap.finish(capture, options)


def describe(capture, options, metric):
    if options.world_size:
        capture.dimensions["world_size"] = kwcap.dim(options.world_size)
    if options.batch and options.world_size:
        capture.dimensions["effective_batch"] = kwcap.dim({"count": effective_batch(options), "unit": "{sample}"}, "derived", "batch x accumulation x world size")
    if options.batch:
        capture.dimensions["micro_batch"] = kwcap.dim({"count": options.batch, "unit": "{sample}"})
        capture.dimensions["accumulation"] = kwcap.dim(options.accumulation)
    if options.target is not None and metric:
        capture.dimensions["target"] = kwcap.dim({"metric": metric, "direction": options.direction, "value": options.target})
    capture.dimensions["framework"] = kwcap.dim("pytorch", "default", "transformers.Trainer")


def effective_batch(options):
    return options.batch * options.accumulation * options.world_size


def add_quality(capture, options, history, metric):
    """The quality by step, and the samples to the target where the batch is known."""
    points = sorted({row["step"]: row[metric] for row in history if metric in row and "step" in row}.items()) if metric else []
    if not points:
        capture.missing("quality", "1", "not_recorded", "no evaluation is in log_history")
        return
    steps, values = [step for step, _ in points], [value for _, value in points]
    capture.series("quality", "1", values, clock="run", step=steps)
    if options.target is None:
        capture.missing("samples_to_target", "{sample}", "not_applicable", "no target is given")
        return
    if not (options.batch and options.world_size):
        capture.missing("samples_to_target", "{sample}", "not_recorded", "the batch is not known: give --batch and --world-size")
        return
    meets = (lambda v: v <= options.target) if options.direction == "lower" else (lambda v: v >= options.target)
    met = next((i for i, value in enumerate(values) if meets(value)), None)
    last = len(steps) - 1 if met is None else met
    before = steps[last] if met is None else (steps[met - 1] if met else 0)
    batch = effective_batch(options)
    capture.spells("samples_to_target", "{sample}", [0], [steps[last] * batch], [int(met is None)], clock="run", end_after=[before * batch])


def add_rates(capture, options, results, runtime, evaluations):
    """Throughput and elapsed time, unless the parts exceed the whole."""
    per_second = results.get("train_samples_per_second")
    if runtime is None:
        capture.missing("elapsed_time", "s", "not_recorded", "no train_runtime; give --all-results")
        capture.missing("throughput_per_gpu", "{sample}/s", "not_recorded", "no train_samples_per_second; give --all-results")
        return
    if evaluations > runtime:
        note = f"parts_exceed_whole: the evaluations took {evaluations:.0f} s, the stated run time is {runtime:.0f} s (a resumed run states its last session's)"
        capture.missing("elapsed_time", "s", "withheld", note)
        capture.missing("throughput_per_gpu", "{sample}/s", "withheld", note)
        return
    capture.total("elapsed_time", "s", runtime)
    if per_second is None or not options.world_size:
        capture.missing("throughput_per_gpu", "{sample}/s", "not_recorded", "no train_samples_per_second, or the world size is not known: give --world-size")
        return
    capture.total("throughput_per_gpu", "{sample}/s", per_second / options.world_size)


if __name__ == "__main__":
    main()
