import type { SideSummary } from "../api/comparison";

/** A side by the names of its runs: one name, their common beginning, or a count. */
export function sideName(side: SideSummary): string {
  const names = side.runs.map((run) => run.name);
  if (names.length === 0) return "nothing";
  if (names.length === 1) return names[0]!;
  const common = commonStart(names).replace(/[\s._#-]+$/, "");
  return common.length >= 3 ? `${common} × ${names.length}` : `${names[0]} and ${names.length - 1} more`;
}

function commonStart(names: string[]): string {
  let start = names[0] ?? "";
  for (const name of names) while (!name.startsWith(start)) start = start.slice(0, -1);
  return start;
}
