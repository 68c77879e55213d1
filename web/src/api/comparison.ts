// A comparison as the server computes it. Nothing here is computed again.
import type { components } from "./schema.gen";

type Schemas = components["schemas"];
type Pair<T> = [T, T];

export type Answer = Schemas["CompareResult"]["answer"];
export type Declaration = Schemas["CompareDeclaration"];
export type FieldValue = Schemas["CompareFieldValue"];
export type FieldPair = Schemas["CompareField"];
export type DimensionRow = Omit<Schemas["CompareRow"], "sources"> & { sources: Pair<string> };
export type Refusal = Schemas["CompareRefusal"];
export type Cap = Schemas["CompareCap"];
export type LaunchValue = Schemas["CompareLaunches"];
export type RunSummary = Schemas["CompareRunSummary"];
export type SideSummary = Schemas["CompareSideSummary"];
export type Note = Schemas["CompareNote"];
export type SampleSides = Schemas["SampleSides"];
export type SampleSets = Record<string, SampleSides>;
export type ComparisonRequest = Schemas["ComparisonRequest"];
export type ComparisonListed = Schemas["ComparisonRow"];
export type Recomputed = Schemas["Recomputed"];

export type Effect = Omit<Schemas["CompareEffect"], "interval" | "within_launches"> & {
  interval?: Pair<number>;
  within_launches?: Pair<number>;
};

export type ComparedOutcome = Omit<
  Schemas["CompareOutcome"],
  "effect" | "runs" | "samples" | "launches" | "definitions" | "reported"
> & {
  effect: Effect | Schemas["Absence"];
  runs: Pair<number>;
  samples: Pair<number>;
  launches: Pair<LaunchValue[]>;
  definitions: Pair<Schemas["Definition"]>;
  reported?: Pair<Record<string, number>>;
};

export type Result = Omit<Schemas["CompareResult"], "outcomes" | "dimensions"> & {
  outcomes: ComparedOutcome[];
  dimensions: DimensionRow[];
};

/** A result with the values behind each outcome, for pictures; bounded. */
export type Preview = Result & { samples: SampleSets };

export type SavedComparison = Omit<Schemas["ComparisonPage"], "result"> & { result: Result };
