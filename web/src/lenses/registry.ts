import { useQuery } from "@tanstack/react-query";
import type { Lens, LensField, LensOutcome, LensRow } from "../api/nouns";
import { lensesQuery } from "../api/queries";

/** The registry entry of a lens, as the server serves it. */
export function useLens(id: string | undefined): Lens | undefined {
  return useQuery(lensesQuery).data?.find((lens) => lens.id === id);
}

export function useLenses(): Lens[] {
  return useQuery(lensesQuery).data ?? [];
}

/** The outcome of a metric id ("ttft.p99"). */
export function outcomeOf(lens: Lens | undefined, metric: string): LensOutcome | undefined {
  const name = metric.split(".")[0];
  return lens?.outcomes.find((outcome) => outcome.name === name);
}

/** A metric id in words: "time to first token p99". */
export function metricLabel(lens: Lens | undefined, metric: string): string {
  const [name = metric, statistic] = metric.split(".");
  const label = outcomeOf(lens, metric)?.label ?? name.replaceAll("_", " ");
  return statistic && statistic !== "value" ? `${label} ${statistic}` : label;
}

export function fieldOf(lens: Lens | undefined, key: string): LensField | undefined {
  return lens?.fields.find((field) => field.key === key);
}

export function rowOf(lens: Lens | undefined, key: string): LensRow | undefined {
  return lens?.rows.find((row) => row.key === key);
}

/** Which way is better, in words. */
export function directionWords(direction: string): string {
  if (direction === "lower") return "lower is better";
  return direction === "higher" ? "higher is better" : "no direction";
}
