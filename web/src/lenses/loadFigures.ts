// What an AIPerf capture's figures hold beside its outcomes.

export interface LoadFigures {
  window?: { seconds?: number; from?: string; exact?: boolean; warmup_requests?: number };
  denominators?: Record<string, number>;
  summary_denominator?: string;
  requests?: {
    ok?: number;
    failed?: number;
    cancelled?: number;
    sent?: number;
    records: number;
    within_service_levels?: number;
    asked?: number;
  };
  errors?: { class: string; label: string; count: number }[];
  agreement?: {
    compared: number;
    equal: number;
    worst_relative: number;
    differing: { metric: string; figure: string; summary: number; records: number }[];
    unchecked: string[];
  };
  service_levels?: Record<string, number>;
  server?: {
    engine?: string;
    prefix_cache_hit_rate?: number;
    totals?: Record<string, number>;
    gauges?: Record<string, { mean?: number; max?: number }>;
    times_ms?: Record<string, { count: number; mean?: number }>;
  };
  gpus?: {
    model?: string;
    device: string;
    utilization_mean?: number;
    utilization_max?: number;
    power_mean_w?: number;
    power_limit_w?: number;
    memory_max_by?: number;
    memory_total_by?: number;
  }[];
  command?: string;
  files_read?: string[];
  left_out?: { what: string; count: number; first: string }[];
}
