import { type ReactElement, useMemo, useState } from "react";
import type { ComparedOutcome, Result, SampleSets, SampleSides } from "../api/comparison";
import type { Lens } from "../api/nouns";
import { Distribution, type SampleSet } from "../charts/Distribution";
import { Picture } from "../charts/Picture";
import { isMissing } from "../ui/Absent";
import { Toggle } from "../ui/Toggle";
import { outcomeLabel } from "./comparisonEffects";
import type { Drawing } from "./comparisonSearch";
import { outcomeOf } from "./registry";

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

function sampleSets(
  outcome: ComparedOutcome,
  samples: SampleSides,
  together: boolean,
  names: Map<string, string>,
): SampleSet[] {
  const side = (runs: SampleSides["baseline"], name: "a" | "b", value: ComparedOutcome["baseline"]): SampleSet[] => {
    const mark = isMissing(value) ? undefined : value;
    const word = name === "a" ? "baseline" : "candidate";
    if (together || runs.length === 1)
      return [{ label: word, side: name, values: runs.flatMap((run) => run.values), mark }];
    return runs.map((run) => ({ label: names.get(run.run) ?? run.run, side: name, values: run.values }));
  };
  return [...side(samples.baseline, "a", outcome.baseline), ...side(samples.candidate, "b", outcome.candidate)];
}

// The samples of an outcome: by its name and phase, of its own cell.
function samplesOf(samples: SampleSets | undefined, outcome: ComparedOutcome): SampleSides | undefined {
  const found = samples?.[outcome.phase ? `${outcome.name}/${outcome.phase}` : outcome.name];
  if (!found || !outcome.cell) return found;
  const ofCell = (runs: SampleSides["baseline"]) => runs.filter((run) => !run.cell || run.cell === outcome.cell);
  return { ...found, baseline: ofCell(found.baseline), candidate: ofCell(found.candidate) };
}

/** For each outcome, both sides as dots or curves: launches where there are several, every sample otherwise. */
export function useDistributions({
  result,
  lens,
  samples,
  draw,
  onDraw,
}: {
  result: Result;
  lens: Lens | undefined;
  samples: SampleSets | undefined;
  draw: Drawing | undefined;
  onDraw: (draw: Drawing) => void;
}): ReactElement[] {
  const [all, setAll] = useState(false);
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
  const names = new Map([...result.baseline.runs, ...result.candidate.runs].map((run) => [run.id ?? "", run.name]));
  const pictures = outcomes.flatMap((outcome) => {
    const found = samplesOf(samples, outcome);
    const runs = found ? found.baseline.length + found.candidate.length : 0;
    const asLaunches = drawing === "launches" || !found;
    const sets = asLaunches
      ? launchSets(outcome)
      : sampleSets(outcome, found, drawing === "ecdf" || runs > mostLanes, names);
    return sets.some((set) => set.values.length > 1) ? [{ outcome, sets, asLaunches }] : [];
  });
  const main = pictures.filter(({ outcome }) => outcomeOf(lens, outcome.name)?.headline);
  const shown = all || main.length === 0 ? pictures : main;
  const drawn = shown.map(({ outcome, sets, asLaunches }, index) => (
    <Picture
      key={`${outcome.metric} ${outcome.cell ?? ""}`}
      title={asLaunches ? outcomeLabel(outcome) : outcome.label}
      note={
        asLaunches ? "each dot one launch" : drawing === "ecdf" ? "share of samples at or below" : "each dot one sample"
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
  ));
  if (main.length > 0 && main.length < pictures.length) {
    drawn.push(
      <button key="others" type="button" className="btn" aria-expanded={all} onClick={() => setAll(!all)}>
        {all ? "Main outcomes only" : `Draw the other ${pictures.length - main.length} outcomes too`}
      </button>,
    );
  }
  return drawn;
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
