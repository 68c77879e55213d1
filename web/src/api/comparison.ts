// A comparison as the server computes it. Nothing here is computed again.
import type { Maybe, State } from "./nouns";

export type Answer = "refused" | "capped" | "clear";
export type FindingWord = "improved" | "regressed" | "equivalent" | "unresolved";
export type VerdictWord = "improved" | "regressed" | "inconclusive" | "invalid";

export interface Declaration {
  changes?: Record<string, string>;
  attested?: Record<string, string>;
  by?: string;
  thresholds?: Record<string, number>;
  lens?: string;
}

export interface FieldValue {
  raw?: unknown;
  normalised?: string;
  absent?: string;
  note?: string;
  source?: string;
  from?: string;
}

export interface FieldPair {
  key: string;
  label: string;
  state: State;
  baseline: FieldValue;
  candidate: FieldValue;
}

export interface DimensionRow {
  key: string;
  label: string;
  class: string;
  state: State;
  basis?: string;
  reason?: string;
  baseline: string;
  candidate: string;
  sources: [string, string];
  fields: FieldPair[];
  rule: string;
  rule_version: number;
  means: string;
  declarable: boolean;
}

export interface Refusal {
  code: string;
  dimension?: string;
  baseline?: string;
  candidate?: string;
  message: string;
  remedy: string;
}

export interface Cap {
  code: string;
  dimension?: string;
  message: string;
  remedy: string;
  actions: string[];
  outcomes?: string[];
}

export interface Effect {
  kind: "ratio" | "difference" | "points";
  value: number;
  interval?: [number, number];
  level: number;
  within_launches?: [number, number];
  method: string;
}

export interface LaunchValue {
  run: string;
  value: number;
  n?: number;
  absent?: string;
}

export interface Definition {
  metric: string;
  [part: string]: string | number | undefined;
}

export interface ComparedOutcome {
  metric: string;
  name: string;
  statistic: string;
  label: string;
  phase?: string;
  unit: string;
  direction: "lower" | "higher" | "none";
  threshold: number;
  baseline: Maybe<number>;
  candidate: Maybe<number>;
  effect: Maybe<Effect>;
  tier: string;
  runs: [number, number];
  samples: [number, number];
  launches: [LaunchValue[], LaunchValue[]];
  p_value?: number;
  finding: Maybe<FindingWord>;
  verdict: VerdictWord;
  reasons: string[];
  marks?: string[];
  smallest_detectable: Maybe<number>;
  needed_runs: Maybe<number>;
  cell?: string;
  definitions: [Definition, Definition];
  reported?: [Record<string, number>, Record<string, number>];
}

export interface RunSummary {
  id?: string;
  name: string;
  captures: {
    id?: string;
    format: string;
    sha256: string;
    parsed_sha256: string;
    selector?: string;
    origin: string;
    measured_on: string;
  }[];
  setups?: string[];
}

export interface SideSummary {
  runs: RunSummary[];
  launches: number;
}

export interface Note {
  code: string;
  dimension?: string;
  metrics?: string[];
  message: string;
  remedy?: string;
}

export interface Result {
  answer: Answer;
  lens: string;
  capture_format?: string;
  refusals: Refusal[];
  caps: Cap[];
  dimensions: DimensionRow[];
  outcomes: ComparedOutcome[];
  not_compared: { metric: string; reason: string; message: string }[];
  findings: Note[];
  synthetic: boolean;
  confounded: boolean;
  attested: boolean;
  declaration: Declaration;
  baseline: SideSummary;
  candidate: SideSummary;
  method: string;
  stats_version: string;
  sentence: string;
  inputs_sha256: string;
}

/** Values behind each outcome, for pictures; bounded. */
export type SampleSets = Record<
  string,
  { baseline: { run: string; values: number[] }[]; candidate: { run: string; values: number[] }[] }
>;

export interface Preview extends Result {
  samples?: SampleSets;
}

export interface ComparisonRequest {
  baseline: string[];
  candidate: string[];
  changes?: Record<string, string>;
  same?: Record<string, string>;
  thresholds?: Record<string, number>;
  lens?: string;
}

export interface SavedComparison {
  id: string;
  name: string;
  created_at: string;
  created_by: string;
  answer?: Answer;
  result: Result;
}

export interface ComparisonListed {
  id: string;
  name: string;
  created_at: string;
  created_by: string;
  answer: Answer;
  lens?: string;
  sentence?: string;
  verdict?: VerdictWord;
  baseline?: string[];
  candidate?: string[];
}

export interface Glance {
  sentence: string;
  same?: string[];
  differs?: string[];
  unknown?: string[];
}
