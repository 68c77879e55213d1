// The nouns of the API as the screens use them: the generated schema, made
// narrower only where OpenAPI can't say it (pairs, a value or its absence).
import type { components } from "./schema.gen";

type Schemas = components["schemas"];

export type { Problem } from "./client";

export type Missing = Schemas["Absence"];
export type Maybe<T> = T | Missing;

export type Session = Schemas["Session"];
export type Lens = Schemas["Lens"];
export type LensID = Lens["id"];
export type LensOutcome = Schemas["LensOutcome"];
export type LensRow = Schemas["LensRow"];
export type LensField = Schemas["LensField"];
export type Truncated = Schemas["Truncated"];
export type Finding = Schemas["Finding"];
export type Dimension = Schemas["Dimension"];
export type RunDimension = Schemas["RunDimension"];
export type Provenance = Schemas["Provenance"];
export type Measurement = Schemas["Measurement"];
export type Declared = Schemas["DeclaredValue"];
export type Workload = Schemas["Workload"];
export type Run = Schemas["Run"];
export type RunShow = Schemas["RunPage"];
export type Setup = Schemas["Setup"];
export type SetupShow = Schemas["SetupPage"];
export type SetupRow = Schemas["StoredSetupRow"];
export type ImportAnswer = Schemas["ImportAnswer"];
export type Checked = Schemas["ImportChecked"];
export type MissingField = Schemas["ImportMissingField"];
export type Samples = Schemas["Samples"];
export type Found = Schemas["Found"];
export type Completeness = Schemas["Completeness"];

export type Origin = Run["origin"];
export type Device = Run["measured_on"];
export type State = Schemas["CompareRow"]["state"];

/** The outcome that leads a run's row. */
export interface Headline {
  metric: string;
  value: number;
  unit: string;
  direction: "lower" | "higher" | "none";
  n?: number;
}

export type RunRow = Omit<Schemas["RunRow"], "headline"> & { headline: Maybe<Headline> };

/** A capture as lists and runs show it. */
export type Capture = Schemas["Capture"];

/** A capture that is kept: it has an id, a run and a provenance. */
export type CaptureShow = Schemas["CapturePage"] & { id: string; run_id: string; provenance: Provenance };

/** A load run's requests, column by column. */
export type RequestColumns = Omit<Schemas["ColumnTable"], "columns"> & {
  columns: Record<string, (number | string | null)[]>;
};
