// The nouns of the API as the screens use them.
import type { Missing } from "../ui/Absent";

export type Maybe<T> = T | Missing;
export type LensID = "inference" | "training" | "fleet";
export type Origin = "recorded" | "synthetic" | "unattested";
export type Device = "gpu" | "cpu" | "simulator" | "none" | "unknown";
export type Source = "observed" | "derived" | "declared" | "setup" | "workload" | "default";
export type State = "same" | "intentionally_changed" | "different" | "unknown";

export interface Truncated {
  kept: number;
  of: number;
  bound: string;
}

export interface List<Row> {
  rows: Row[];
  total: number;
  next: string | null;
  truncated: Truncated | null;
  as_of: string;
}

export interface Session {
  member: { id: string; name: string };
  role: string;
  workspaces: { id: string; name: string; role: string }[];
  product: { version: string; demo?: boolean };
}

export interface LensOutcome {
  name: string;
  label: string;
  meaning: string;
  unit: string;
  direction: "lower" | "higher" | "none";
  effect: "ratio" | "difference" | "points";
  statistics: string[];
  thresholds: Record<string, number>;
  headline?: boolean;
}

export interface LensRow {
  key: string;
  label: string;
  class: string;
  declarable: boolean;
  fields: string[];
  not_declarable?: string[];
  rule: string;
  means: string;
  remedy: string;
}

export interface LensField {
  key: string;
  label: string;
  row: string;
  required: boolean;
  unit?: string;
  example?: string;
}

export interface Lens {
  id: LensID;
  label: string;
  question: string;
  outcomes: LensOutcome[];
  rows: LensRow[];
  fields: LensField[];
}

export interface Finding {
  code: string;
  message: string;
  count: number;
  pointer?: string;
  remedy?: string;
}

export interface Dimension {
  value?: unknown;
  absent?: string;
  note?: string;
  source?: Source;
  from?: string;
}

export interface Provenance {
  imported_by: string;
  imported_at: string;
  file_name: string;
  via: string;
  importer: string;
  product: string;
  sha256: string;
  parsed_sha256: string;
  bytes: number;
  parsed_bytes: number;
  selector?: string;
  declared_sha256?: string;
  derived_from?: { name: string; format: string; bytes: number; sha256: string }[];
}

export interface Measurement {
  metric: string;
  name: string;
  statistic: string;
  label: string;
  phase?: string;
  unit: string;
  direction: "lower" | "higher" | "none";
  value?: number;
  absent?: string;
  note?: string;
  n?: Maybe<number>;
  basis?: string;
  reported?: number;
  marks?: string[];
}

export interface Declared {
  value: unknown;
  by: string;
  at: string;
}

export interface Workload {
  id: string;
  name: string;
  lens: LensID;
  declared: Record<string, Declared>;
  labels: Record<string, string>;
  created_at: string;
  created_by: string;
  revision: number;
  runs: number;
}

export interface Headline {
  metric: string;
  value: number;
  unit: string;
  direction: string;
  n?: number;
}

export interface RunRow {
  id: string;
  name: string;
  workload_id: string;
  workload: string;
  lens: LensID;
  started_at?: string;
  created_at: string;
  origin: Origin;
  measured_on: Device;
  formats: string[];
  captures: number;
  headline: Maybe<Headline>;
  known: { known: number; of: number };
  hardware?: string;
  replicate_group?: string;
  labels: Record<string, string>;
  findings: number;
}

export interface Problem {
  type: string;
  title: string;
  detail?: string;
  status: number;
  hint?: string;
  errors?: { pointer?: string; code?: string; message: string; limit?: string; got?: string }[];
  request_id?: string;
}

export interface Capture {
  id: string;
  run_id: string;
  format: string;
  format_version: string;
  tool?: string;
  lens: LensID;
  cell?: string;
  origin: Origin;
  measured_on: Device;
  started_at?: string;
  ended_at?: string;
  provenance: Provenance;
  findings: Finding[];
}

/** A capture as its page shows it: what was read from the bytes. */
export interface CaptureShow extends Capture {
  run?: string;
  workload?: string;
  dimensions: Record<string, Dimension>;
  outcomes: Measurement[];
  figures?: Record<string, unknown>;
}

export interface RunSource extends Dimension {
  capture_id?: string;
}

/** A dimension of a run: what counts, and everything that was said about it. */
export interface ResolvedDimension extends Dimension {
  sources?: RunSource[];
  conflict?: boolean;
}

export interface Attachment {
  setup_id: string;
  name: string;
  version: number;
  attached_at: string;
  attached_by: string;
}

export interface RunShow {
  run: {
    id: string;
    workload_id: string;
    workload: string;
    name: string;
    lens: LensID;
    replicate_group?: string;
    started_at?: string;
    launch: { kind: "launch" | "invocation" | "unknown"; group?: string; index?: number };
    origin: Origin;
    measured_on: Device;
    declared: Record<string, Declared>;
    labels: Record<string, string>;
    created_at: string;
    created_by: string;
    revision: number;
  };
  dimensions: Record<string, ResolvedDimension>;
  captures: { capture: Capture; outcomes: Measurement[]; figures?: Record<string, unknown>; findings: Finding[] }[];
  setups: Attachment[];
  relied_on_by: { kind: string; id: string; name: string }[];
  workload: Workload;
}

export interface Setup {
  id: string;
  name: string;
  version: number;
  values: Record<string, unknown>;
  created_at: string;
  created_by: string;
  runs?: number;
}

export interface ImportAnswer {
  runs: {
    id: string;
    name: string;
    lens: LensID;
    captures: {
      id: string;
      format: string;
      format_version: string;
      sha256: string;
      parsed_sha256: string;
      bytes: number;
      origin: Origin;
      measured_on: Device;
    }[];
  }[];
  findings: Finding[];
  already_stored: { sha256: string; capture_id: string; run_id?: string; file_name?: string }[];
}

export interface CheckAnswer {
  format?: string;
  lens?: LensID;
  lens_guessed?: boolean;
  captures: CheckedCapture[];
  missing: { key: string; label: string; row: string; example?: string; required?: boolean }[];
  errors: { pointer?: string; code?: string; message: string; limit?: string; got?: string }[];
  findings?: Finding[];
}

export interface CheckedCapture {
  format: string;
  format_version?: string;
  name?: string;
  cell?: string;
  lens: LensID;
  origin: Origin;
  measured_on: Device;
  workload?: string;
  dimensions: Record<string, Dimension>;
  outcomes: Measurement[];
  findings: Finding[];
}

export interface Samples {
  values: number[];
  at?: number[];
  unit: string;
  n: number;
  kept: number;
  of: number;
}

export interface SearchAnswer {
  runs: { id: string; name: string; workload?: string }[];
  captures: { id: string; sha256: string; run_id: string; format: string; file_name?: string }[];
  workloads: { id: string; name: string; lens: LensID }[];
  setups: { id: string; name: string }[];
}
