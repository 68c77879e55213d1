import { useMemo } from "react";
import type { ComparedOutcome, Result, SampleSets } from "../api/comparison";
import { Distribution, type SampleSet } from "../charts/Distribution";
import { Picture } from "../charts/Picture";
import { isMissing } from "../ui/Absent";
import { Toggle } from "../ui/Toggle";
import { outcomeLabel } from "./comparisonEffects";
import type { Drawing } from "./comparisonSearch";

const mostLanes = 12;

function launchSets(outcome: ComparedOutcome): SampleSet[] {
  const side = (index: 0 | 1, name: "a" | "b", value: ComparedOutcome["baseline"]): SampleSet => ({
    label: name === "a" ? "baseline" : "candidate",
    side: name,
    values: outcome.launches[index].filter((launch) => !launch.absent).map((launch) => launch.value),
    mark: isMissing(value) ? undefined : value,
  });
  return [side(0, "a", outcome.baseline), side(1, "b", outcome.candidate)];
}

function sampleSets(outcome: ComparedOutcome, samples: SampleSets[string], together: boolean): SampleSet[] {
  const side = (
    runs: { run: string; values: number[] }[],
    name: "a" | "b",
    value: ComparedOutcome["baseline"],
  ): SampleSet[] => {
    const mark = isMissing(value) ? undefined : value;
    const word = name === "a" ? "baseline" : "candidate";
    if (together || runs.length === 1)
      return [{ label: word, side: name, values: runs.flatMap((run) => run.values), mark }];
    return runs.map((run) => ({ label: run.run, side: name, values: run.values }));
  };
  return [...side(samples.baseline, "a", outcome.baseline), ...side(samples.candidate, "b", outcome.candidate)];
}

/** For each outcome, both sides as dots or curves: launches where there are several, every sample otherwise. */
export function Distributions({
  result,
  samples,
  draw,
  onDraw,
}: {
  result: Result;
  samples: SampleSets | undefined;
  draw: Drawing | undefined;
  onDraw: (draw: Drawing) => void;
}) {
  const replicated = result.outcomes.some((outcome) => outcome.runs[0] > 1 || outcome.runs[1] > 1);
  const drawing = draw ?? (replicated ? "launches" : "samples");
  // One picture an outcome: its first statistic stands for the others.
  const outcomes = useMemo(() => {
    const first = new Map<string, ComparedOutcome>();
    for (const outcome of result.outcomes) {
      const key = `${outcome.name} ${outcome.phase ?? ""} ${outcome.cell ?? ""}`;
      if (!first.has(key)) first.set(key, outcome);
    }
    return [...first.values()];
  }, [result]);
  const pictures = outcomes.flatMap((outcome) => {
    const found = samples?.[outcome.metric] ?? samples?.[outcome.name];
    const runs = found ? found.baseline.length + found.candidate.length : 0;
    const asLaunches = drawing === "launches" || !found;
    const sets = asLaunches ? launchSets(outcome) : sampleSets(outcome, found, drawing === "ecdf" && runs > mostLanes);
    return sets.some((set) => set.values.length > 1) ? [{ outcome, sets, asLaunches }] : [];
  });
  if (pictures.length === 0) return null;
  return (
    <>
      {pictures.slice(0, 8).map(({ outcome, sets, asLaunches }, index) => (
        <Picture
          key={`${outcome.metric} ${outcome.cell ?? ""}`}
          title={asLaunches ? outcomeLabel(outcome) : outcome.label}
          note={
            asLaunches
              ? "each dot one launch"
              : drawing === "ecdf"
                ? "share of samples at or below"
                : "each dot one sample"
          }
          name={`${outcome.metric} ${drawing}`}
          tools={
            index === 0 ? (
              <Toggle
                label="Drawing"
                value={drawing}
                onChange={onDraw}
                options={[
                  ...(replicated ? [{ value: "launches" as const, label: "Launches" }] : []),
                  { value: "samples", label: "Samples" },
                  { value: "ecdf", label: "ECDF" },
                ]}
              />
            ) : undefined
          }
          table={<LaunchTable outcome={outcome} />}
        >
          <Distribution
            label={outcomeLabel(outcome)}
            unit={outcome.unit}
            sets={sets}
            mode={drawing === "ecdf" && !asLaunches ? "ecdf" : "dots"}
          />
        </Picture>
      ))}
    </>
  );
}

function LaunchTable({ outcome }: { outcome: ComparedOutcome }) {
  const rows = [
    ...outcome.launches[0].map((launch) => ({ side: "baseline", ...launch })),
    ...outcome.launches[1].map((launch) => ({ side: "candidate", ...launch })),
  ];
  return (
    <table className="data" aria-label={`launches of ${outcomeLabel(outcome)}`}>
      <thead>
        <tr>
          <th scope="col">Side</th>
          <th scope="col">Launch</th>
          <th scope="col" className="n">
            Value, {outcome.unit}
          </th>
          <th scope="col" className="n">
            n
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            <td className={row.side === "baseline" ? "side-a" : "side-b"}>{row.side}</td>
            <td>{row.run}</td>
            <td className="n">{row.absent ? `— ${row.absent.replaceAll("_", " ")}` : row.value}</td>
            <td className="n">{row.n}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
