// Which of several selected runs stand on which side, as a first proposal.

interface Selected {
  id: string;
  name?: string;
  replicate_group?: string;
  workload_id?: string;
  started_at?: string;
  created_at?: string;
}

export interface Sides {
  baseline: string[];
  candidate: string[];
  /** Why they were split so, in words that follow "3 against 3". */
  why: string;
}

/**
 * Splits a selection: by replicate group where there are exactly two, by
 * workload where there are two of those, else the first against the others.
 * The side whose first run is older is the baseline.
 */
export function proposeSides(runs: Selected[]): Sides {
  if (runs.length < 2) return { baseline: runs.map((run) => run.id), candidate: [], why: "" };
  const byGroup = split(runs, (run) => run.replicate_group);
  if (byGroup) return { ...byGroup, why: ", by replicate group" };
  const byWorkload = split(runs, (run) => run.workload_id);
  if (byWorkload && runs.length > 2) return { ...byWorkload, why: ", by workload" };
  const [first, ...others] = runs.length === 2 ? older(runs) : runs;
  return { baseline: [first!.id], candidate: others.map((run) => run.id), why: ", the first against the others" };
}

function split(runs: Selected[], key: (run: Selected) => string | undefined): Omit<Sides, "why"> | undefined {
  const groups = new Map<string, Selected[]>();
  for (const run of runs) {
    const name = key(run);
    if (!name) return undefined;
    groups.set(name, [...(groups.get(name) ?? []), run]);
  }
  if (groups.size !== 2) return undefined;
  const [a, b] = [...groups.values()];
  const [baseline, candidate] = oldest(a!) <= oldest(b!) ? [a!, b!] : [b!, a!];
  return { baseline: baseline.map((run) => run.id), candidate: candidate.map((run) => run.id) };
}

const time = (run: Selected) => run.started_at ?? run.created_at ?? "";

function oldest(runs: Selected[]): string {
  return runs.map(time).sort()[0] ?? "";
}

function older(runs: Selected[]): Selected[] {
  return [...runs].sort((a, b) => time(a).localeCompare(time(b)));
}
