// Small captures that the journeys make for themselves.

export interface Made {
  name: string;
  bytes: Uint8Array;
}

interface Options {
  /** Names the run and the file. */
  name: string;
  /** Step times in ms. */
  values: number[];
  /** The minute of the hour in which the run began: launches take turns. */
  minute: number;
  /** Values of dimensions; undefined ones are absent. */
  dimensions?: Record<string, unknown>;
}

const required = [
  "model",
  "init",
  "dataset",
  "objective",
  "target",
  "gpu_model",
  "gpu_count",
  "world_size",
  "effective_batch",
  "sequence_length",
  "clock_rule",
];

const usual: Record<string, unknown> = {
  model: "tiny-net",
  init: "random",
  dataset: "digits",
  objective: "cross entropy",
  target: { metric: "val_loss", direction: "lower", value: 0.5 },
  gpu_model: "NVIDIA H200",
  gpu_count: 1,
  world_size: 1,
  effective_batch: { count: 64, unit: "{sample}" },
  sequence_length: "128",
  clock_rule: "wall clock",
  precision: "bf16",
  optimizer: "sgd",
  input: 2,
};

function dimensionsOf(known: Record<string, unknown>): Record<string, unknown> {
  const stated: Record<string, unknown> = {};
  for (const key of required) stated[key] = { absent: "not_recorded" };
  for (const [key, value] of Object.entries(known))
    if (value !== undefined) stated[key] = { v: value, src: "declared" };
  return stated;
}

/** A Kernelwake JSON capture of step times; synthetic, and it says so. */
export function trainingCapture({ name, values, minute, dimensions = {} }: Options): Made {
  const known: Record<string, unknown> = { ...usual, ...dimensions };
  const minutes = String(minute).padStart(2, "0");
  const capture = {
    schema: "kernelwake.capture",
    version: "1.0",
    lens: "training",
    created: "2026-03-01T12:00:00Z",
    producer: { name: "e2e", version: "1" },
    synthetic: true,
    synthetic_reason: "made for a browser journey",
    measured_on: "none",
    window: { start: `2026-03-01T10:${minutes}:00Z`, end: `2026-03-01T10:${minutes}:50Z` },
    workload: { name: "tiny-net" },
    run: { id: name, state: "completed", attempt: 1 },
    environment: {
      nodes: 1,
      gpus: [],
      driver: "570.86.15",
      cuda: "12.8",
      software: {},
      interconnect: { absent: "not_applicable" },
    },
    dimensions: dimensionsOf(known),
    outcomes: [{ name: "step_time", unit: "ms", kind: "samples", agg: 1, v: values }],
  };
  return { name: `${name}.kwcap.json`, bytes: new TextEncoder().encode(JSON.stringify(capture)) };
}

/** Step times around a middle, the same for the same seed. */
export function around(middle: number, seed: number, n = 40): number[] {
  let state = seed * 2654435761;
  return Array.from({ length: n }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.round(middle * (0.97 + 0.06 * (state / 2147483648)) * 1000) / 1000;
  });
}

/** Two sides of launches in turns: baseline around one value, candidate around another. */
export function launches(
  side: string,
  middle: number,
  from: number,
  count: number,
  dimensions: Record<string, unknown> = {},
): Made[] {
  return Array.from({ length: count }, (_, index) =>
    trainingCapture({
      name: `${side}-${index + 1}`,
      values: around(middle, from * 31 + index),
      minute: index * 2 + from,
      dimensions,
    }),
  );
}

/** A trace of two steps, each with operators, launches and kernels on one stream. */
export function tinyTrace(): Made {
  const events: unknown[] = [];
  let correlation = 1;
  for (let step = 0; step < 4; step++) {
    const start = step * 10_000;
    events.push({
      ph: "X",
      cat: "user_annotation",
      name: `ProfilerStep#${step + 1}`,
      pid: 100,
      tid: 100,
      ts: start,
      dur: 9_500,
    });
    for (let i = 0; i < 12; i++) {
      const at = start + 100 + i * 700;
      events.push({
        ph: "X",
        cat: "cpu_op",
        name: i % 3 ? "aten::add" : "aten::mm",
        pid: 100,
        tid: 100,
        ts: at,
        dur: 400,
        args: {
          "Input Dims": [
            [64, 64],
            [64, 64],
          ],
          "Input type": ["float", "float"],
        },
      });
      events.push({
        ph: "X",
        cat: "cuda_runtime",
        name: "cudaLaunchKernel",
        pid: 100,
        tid: 100,
        ts: at + 50,
        dur: 20,
        args: { correlation },
      });
      events.push({
        ph: "X",
        cat: "kernel",
        name: i % 3 ? "add_kernel" : "gemm_kernel",
        pid: 0,
        tid: 7,
        ts: at + 90,
        dur: i % 3 ? 120 : 480,
        args: { device: 0, stream: 7, correlation },
      });
      correlation++;
    }
  }
  const trace = {
    schemaVersion: 1,
    deviceProperties: [{ id: 0, name: "NVIDIA H200", totalGlobalMem: 150754820096 }],
    record_shapes: 1,
    trace_id: "0123456789abcdef0123456789abcdef",
    baseTimeNanoseconds: 1767225600000000000,
    traceEvents: events,
  };
  return { name: "tiny.pt.trace.json", bytes: new TextEncoder().encode(JSON.stringify(trace)) };
}
