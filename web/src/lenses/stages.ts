// The six stages over what exists in the workspace: a guided path over the
// ordinary pages, not a second set of pages.

export interface Stage {
  name: string;
  state: "done" | "next" | "later";
  text: string;
  action?: string;
  to?: "/w/$ws/workloads" | "/w/$ws/import" | "/w/$ws/runs" | "/w/$ws/compare" | "/w/$ws/comparisons" | "/w/$ws/setups";
}

/** What the stages look at of the newest runs. */
export interface NewestRuns {
  rows: { workload_id: string; known: { known: number; of: number } }[];
  total: number;
}

/** What is done, what is next, and why a later stage has to wait. */
export function stagesOf(runs: NewestRuns | undefined, comparisons: number): Stage[] {
  const total = runs?.total ?? 0;
  const rows = runs?.rows ?? [];
  const workloads = new Set(rows.map((row) => row.workload_id)).size;
  const open = rows.filter((row) => row.known.known < row.known.of).length;
  const stages: Omit<Stage, "state">[] = [
    {
      name: "Ask",
      text:
        total > 0
          ? `${workloads === 1 ? "One workload holds" : `${workloads} workloads hold`} what is being decided on`
          : "Name the workload and the question: is it faster, and what was changed?",
      action: "Workloads",
      to: "/w/$ws/workloads",
    },
    {
      name: "Gather",
      text:
        total > 0
          ? `${total === 1 ? "One run" : `${total} runs`} imported, bytes kept`
          : "Import what your tool recorded: at least one run a side, four to be sure",
      action: "Import captures",
      to: "/w/$ws/import",
    },
    {
      name: "Match",
      text:
        total < 2
          ? "Needs two runs. Then select them: the bar below the list says what is same and what differs"
          : open > 0
            ? `${open} of the last ${rows.length} runs lack a dimension: declare it, or attach a setup`
            : "Every dimension of the last runs is known",
      action: total < 2 ? undefined : open > 0 ? "Setups" : "Select runs",
      to: total < 2 ? undefined : open > 0 ? "/w/$ws/setups" : "/w/$ws/runs",
    },
    {
      name: "Compare",
      text:
        total < 2
          ? "Not yet: a comparison needs a baseline and a candidate"
          : "Hold a baseline and a candidate against each other",
      action: total < 2 ? undefined : "Select runs to compare",
      to: total < 2 ? undefined : "/w/$ws/runs",
    },
    {
      name: "Conclude",
      text:
        comparisons > 0
          ? `${comparisons === 1 ? "One comparison" : `${comparisons} comparisons`} saved, unchangeable`
          : "Save the comparison you stand behind: it never changes afterwards",
      action: comparisons > 0 ? "Saved comparisons" : undefined,
      to: comparisons > 0 ? "/w/$ws/comparisons" : undefined,
    },
    {
      name: "Hand over",
      text:
        comparisons > 0
          ? "Send the link, the exact bytes and the command: anyone can compute the same digits again"
          : "A saved comparison can be computed again by anyone, to the same digits",
    },
  ];
  const done = [total > 0, total > 1, total > 1 && open === 0, comparisons > 0, comparisons > 0, false];
  const next = done.indexOf(false);
  return stages.map((stage, index) => ({ ...stage, state: done[index] ? "done" : index === next ? "next" : "later" }));
}
