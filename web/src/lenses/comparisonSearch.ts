// A comparison as the part of an address: a link shows a colleague the same.
import type { ComparisonRequest, Result } from "../api/comparison";
import type { LensID } from "../api/nouns";
import { fromPairs, many, one, pairs } from "../lib/search";

/** The address of a comparison. */
export interface CompareSearch {
  baseline?: string;
  candidate?: string;
  change?: string[];
  same?: string[];
  threshold?: string[];
  lens?: LensID;
  /** How distributions are drawn. */
  draw?: Drawing;
}

export type Drawing = "launches" | "samples" | "ecdf";

const lensID = (text: string | undefined): LensID | undefined =>
  text === "inference" || text === "training" || text === "fleet" ? text : undefined;

const list = (values: string[]) => (values.length > 0 ? values : undefined);

export function readCompareSearch(search: Record<string, unknown>): CompareSearch {
  const draw = one(search.draw);
  return {
    baseline: one(search.baseline),
    candidate: one(search.candidate),
    change: list(many(search.change)),
    same: list(many(search.same)),
    threshold: list(many(search.threshold)),
    lens: lensID(one(search.lens)),
    draw: draw === "launches" || draw === "samples" || draw === "ecdf" ? draw : undefined,
  };
}

const ids = (text: string | undefined) => (text ? text.split(",").filter((id) => id !== "") : []);

/** What is asked of the server. */
export function requestOf(search: CompareSearch): ComparisonRequest {
  const thresholds: Record<string, number> = {};
  for (const [metric, text] of Object.entries(pairs(search.threshold ?? []))) {
    const value = Number(text);
    if (Number.isFinite(value) && value > 0) thresholds[metric] = value;
  }
  return {
    baseline: ids(search.baseline),
    candidate: ids(search.candidate),
    changes: pairs(search.change ?? []),
    same: pairs(search.same ?? []),
    thresholds,
    ...(search.lens ? { lens: search.lens } : {}),
  };
}

/** The address that asks for the same. */
export function searchOf(request: ComparisonRequest): CompareSearch {
  return {
    baseline: request.baseline.join(",") || undefined,
    candidate: request.candidate.join(",") || undefined,
    change: list(fromPairs(request.changes ?? {})),
    same: list(fromPairs(request.same ?? {})),
    threshold: list(fromPairs(request.thresholds ?? {})),
    lens: request.lens || undefined,
  };
}

/** What a result was asked with. */
export function requestOfResult(result: Result): ComparisonRequest {
  const runs = (side: Result["baseline"]) => side.runs.flatMap((run) => (run.id ? [run.id] : []));
  return {
    baseline: runs(result.baseline),
    candidate: runs(result.candidate),
    changes: result.declaration.changes ?? {},
    same: result.declaration.attested ?? {},
    thresholds: result.declaration.thresholds ?? {},
    ...(result.declaration.lens ? { lens: result.declaration.lens } : {}),
  };
}
