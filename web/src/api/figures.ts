// The figures of a trace, in integer nanoseconds, as the server derives them.
import type { Maybe } from "./nouns";
import type { components } from "./schema.gen";

export interface Kernel {
  name: string;
  short_name: string;
  type: string;
  count: number;
  sum_ns: number;
  mean_ns: number;
  p50_ns: number;
  min_ns: number;
  max_ns: number;
  share_of_kernel_sum: number;
  share_of_window: number;
}

export interface Step {
  name: string;
  start_ns: number;
  cpu_ns: number;
  gpu_ns: Maybe<number>;
  gpu_busy_ns: Maybe<number>;
  kernel_ns: number;
  gpu_events: number;
  operators: number;
  excluded?: string;
}

export interface Stream {
  device: string;
  stream: string;
  events: number;
  busy_ns: number;
  share_of_window: number;
  host_wait_ns: number;
  kernel_wait_ns: number;
  other_wait_ns: number;
  host_waits: number;
  kernel_waits: number;
  other_waits: number;
  overlaps: number;
  partial_overlaps: number;
  sum_ns: number;
  queue_mean: number;
  queue_max: number;
  queue_blocked_ns: number;
}

export interface TraceFigures {
  window_ns: Maybe<number>;
  busy_ns: Maybe<number>;
  idle_ns: Maybe<number>;
  compute_ns: Maybe<number>;
  communication_ns: Maybe<number>;
  memory_ns: Maybe<number>;
  exposed_communication_ns: Maybe<number>;
  exposed_memory_ns: Maybe<number>;
  overlap_ns: Maybe<number>;
  overlap_share: Maybe<number>;
  devices: {
    device: string;
    kernels: number;
    gpu_events: number;
    kernel_sum_ns: number;
    busy_ns: Maybe<number>;
    window_ns: Maybe<number>;
  }[];
  streams: Stream[];
  kernels: Kernel[];
  copies: {
    direction: string;
    count: number;
    sum_ns: number;
    bytes: Maybe<number>;
    gb_per_s: Maybe<number>;
    exposed_ns: number;
  }[];
  launches: Record<string, number>;
  step_kind: string;
  steps: Step[];
  steps_kept: number;
  operators: { name: string; count: number; sum_ns: number; self_ns: number }[];
  collectives: { name: string; group: string; group_size: number; count: number; sum_ns: number; max_ns: number }[];
  events: Record<string, number>;
  events_total: number;
  gpu_events: number;
  kernel_count: number;
  kernel_sum_ns: number;
  zero_duration_gpu_events: number;
  left_out: { reason: string; count: number }[];
  capture_ns: number;
  truncated?: { pointer: string; kept: number; of: number }[];
}

/** A trace's spans in a window, reduced to a picture's width. */
export type TimelineView = components["schemas"]["TraceTimelineView"];

/** One span with what ties it to others: a kernel's launch call, a launch call's kernels. */
export type SpanDetail = components["schemas"]["TraceSpanDetail"];
