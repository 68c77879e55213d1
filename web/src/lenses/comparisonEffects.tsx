import { useState } from "react";
import type { ComparedOutcome, Effect, Result } from "../api/comparison";
import type { Lens } from "../api/nouns";
import { type EffectScale, effectText, type IntervalRow, Intervals } from "../charts/Interval";
import { Picture } from "../charts/Picture";
import { count, digits, percent, quantityText, shortUnit } from "../lib/units";
import { Absent, isMissing } from "../ui/Absent";
import { type Column, DataTable, SaveTable } from "../ui/DataTable";
import { Panel } from "../ui/Panel";
import { Quantity } from "../ui/Quantity";
import { isMark, Mark } from "../ui/Verdict";
import { directionWords, outcomeOf } from "./registry";
import { reasonWords } from "./words";

/** The name of an outcome with its cell. */
export function outcomeLabel(outcome: ComparedOutcome): string {
  return outcome.cell ? `${outcome.label} · ${outcome.cell}` : outcome.label;
}

/** How large a change must be to matter, in words and on the effect's own scale. */
function thresholdOf(
  outcome: ComparedOutcome,
  kind: EffectScale,
  lens: Lens | undefined,
): { words: string; short: string; size: number } {
  const { threshold } = outcome;
  if (!threshold) return { words: "no threshold", short: "", size: 0 };
  const part = `±${digits(threshold * 100, 3)} %`;
  const points = `±${digits(threshold * 100, 3)} pp`;
  if (kind === "points") return { words: points, short: points, size: threshold };
  if (kind === "ratio") return { words: part, short: part, size: threshold };
  if (outcomeOf(lens, outcome.name)?.absolute_threshold)
    return {
      words: `±${quantityText(threshold, outcome.unit)}`,
      short: `±${quantityText(threshold, outcome.unit)}`,
      size: threshold,
    };
  const baseline = isMissing(outcome.baseline) ? 0 : Math.abs(outcome.baseline);
  return { words: `${part} of the baseline`, short: part, size: threshold * baseline };
}

const tones = { improved: "better", regressed: "worse", equivalent: "ink-2", unresolved: "unsure" } as const;

function rowOf(outcome: ComparedOutcome, effect: Effect, lens: Lens | undefined): IntervalRow {
  const threshold = thresholdOf(outcome, effect.kind, lens);
  const finding = isMissing(outcome.finding) ? "unresolved" : outcome.finding;
  return {
    key: `${outcome.metric} ${outcome.phase ?? ""} ${outcome.cell ?? ""}`,
    label: outcomeLabel(outcome),
    note: `${directionWords(outcome.direction)}, ${threshold.words}`,
    short: `${outcome.direction === "none" ? "" : outcome.direction} ${threshold.short}`,
    value: effect.value,
    interval: effect.interval,
    within: effect.within_launches,
    threshold: threshold.size,
    tone: tones[finding],
    hollow: outcome.verdict === "inconclusive" && (finding === "improved" || finding === "regressed"),
  };
}

const titles: Record<EffectScale, string> = {
  ratio: "Effects, candidate ÷ baseline",
  points: "Effects in percentage points, candidate − baseline",
  difference: "Effects, candidate − baseline",
};

const mainStatistics = ["value", "p50", "p90", "p95"];

/** Forest plots of the effects, one for each scale. */
export function Effects({ result, lens }: { result: Result; lens: Lens | undefined }) {
  const [all, setAll] = useState(false);
  const drawable = result.outcomes.flatMap((outcome) =>
    isMissing(outcome.effect) ? [] : [{ outcome, effect: outcome.effect }],
  );
  const main = drawable.filter(
    ({ outcome }) => outcomeOf(lens, outcome.name)?.headline && mainStatistics.includes(outcome.statistic),
  );
  const shown = all || drawable.length <= 8 || main.length === 0 ? drawable : main;
  const scales: EffectScale[] = ["ratio", "points", "difference"];
  const within = shown.some(({ effect }) => effect.within_launches && effect.interval);
  return (
    <>
      {scales.map((scale) => {
        const ofScale = shown.filter(({ effect }) => effect.kind === scale);
        if (ofScale.length === 0) return null;
        const groups = scale === "difference" ? [...new Set(ofScale.map(({ outcome }) => outcome.unit))] : [""];
        return groups.map((unit) => {
          const rows = ofScale.filter(({ outcome }) => unit === "" || outcome.unit === unit);
          return (
            <Picture
              key={`${scale} ${unit}`}
              title={titles[scale]}
              note={
                within
                  ? "thick: within these launches; thin: for the verdict; grey: too small to matter"
                  : `${percent(rows[0]!.effect.level, 0)} intervals; grey: too small to matter`
              }
              name={`effects ${scale}`}
              tools={
                main.length > 0 &&
                drawable.length > 8 &&
                scale === scales.find((one) => shown.some(({ effect }) => effect.kind === one)) ? (
                  <button type="button" className="btn quiet" aria-pressed={all} onClick={() => setAll(!all)}>
                    {all ? "Main outcomes" : `All ${drawable.length}`}
                  </button>
                ) : undefined
              }
            >
              <Intervals
                scale={scale}
                rows={rows.map(({ outcome, effect }) => rowOf(outcome, effect, lens))}
                unit={shortUnit(unit)}
                label={titles[scale]}
              />
            </Picture>
          );
        });
      })}
    </>
  );
}

const markWords: Record<string, string> = {
  too_few_samples: "too few samples for a two-sided 95 % interval of this quantile",
  launch_noise_assumed:
    "nothing is known of how launches vary here: 15 % is assumed, and only a large effect can stand out",
  aggregated: "each sample is itself a mean of several values",
  censored: "some had not ended; they count as at least so long",
};

const markText = (mark: string) => markWords[mark] ?? mark.replaceAll("_", " ");

function Marks({ marks }: { marks: string[] }) {
  if (marks.length === 0) return null;
  const words = marks.map(markText).join("; ");
  return (
    <span className="mark" role="note" data-tip={words} aria-label={words}>
      {" "}
      ◐
    </span>
  );
}

const tiers: Record<string, string> = {
  replicated: "replicated",
  few_runs: "few runs",
  single_run: "one launch a side",
};

function columnsFor(result: Result): Column<ComparedOutcome>[] {
  const effect = (row: ComparedOutcome) => (isMissing(row.effect) ? undefined : row.effect);
  return [
    {
      key: "metric",
      header: "Outcome",
      cell: (row) => (
        <span className="nowrap" data-tip={`${row.metric}\n${directionWords(row.direction)}`}>
          {outcomeLabel(row)}
          <Marks marks={row.marks ?? []} />
        </span>
      ),
      csv: (row) => [row.metric, row.phase, row.cell].filter(Boolean).join(" "),
    },
    {
      key: "baseline",
      header: <span className="side-a">Baseline</span>,
      number: true,
      cell: (row) => <Quantity value={row.baseline} unit={row.unit} copy />,
      csv: (row) => (isMissing(row.baseline) ? undefined : row.baseline),
    },
    {
      key: "candidate",
      header: <span className="side-b">Candidate</span>,
      number: true,
      cell: (row) => <Quantity value={row.candidate} unit={row.unit} copy />,
      csv: (row) => (isMissing(row.candidate) ? undefined : row.candidate),
    },
    { key: "unit", header: "", cell: () => null, csv: (row) => row.unit },
    {
      key: "effect",
      header: "Effect [interval]",
      number: true,
      cell: (row) =>
        isMissing(row.effect) ? (
          <Absent {...row.effect} />
        ) : (
          <span className="mono nowrap" data-tip={`${row.effect.method}\n${percent(row.effect.level, 0)} interval`}>
            {effectText(
              row.effect.kind,
              row.effect.value,
              row.effect.interval ?? row.effect.within_launches,
              shortUnit(row.unit),
            )}
          </span>
        ),
      csv: (row) => effect(row)?.value,
    },
    { key: "interval_low", header: "", cell: () => null, csv: (row) => effect(row)?.interval?.[0] },
    { key: "interval_high", header: "", cell: () => null, csv: (row) => effect(row)?.interval?.[1] },
    { key: "within_low", header: "", cell: () => null, csv: (row) => effect(row)?.within_launches?.[0] },
    { key: "within_high", header: "", cell: () => null, csv: (row) => effect(row)?.within_launches?.[1] },
    {
      key: "launches",
      header: <span data-tip="Launches of the baseline and of the candidate; samples on hover">n</span>,
      number: true,
      cell: (row) => (
        <span
          className="nowrap"
          data-tip={`${row.runs[0]} and ${row.runs[1]} launches (${tiers[row.tier] ?? row.tier})\n${count(row.samples[0])} and ${count(row.samples[1])} samples`}
        >
          {row.runs[0]}:{row.runs[1]}
        </span>
      ),
      csv: (row) => `${row.runs[0]}:${row.runs[1]}`,
    },
    {
      key: "finding",
      header: "Finding",
      cell: (row) => (isMissing(row.finding) ? <Absent {...row.finding} /> : <Mark kind={row.finding} />),
      csv: (row) => (isMissing(row.finding) ? undefined : row.finding),
    },
    {
      key: "verdict",
      header: "Verdict",
      cell: (row) => (
        <span className="nowrap">
          {isMark(row.verdict) && <Mark kind={row.verdict} tip={row.reasons.map(reasonWords).join("\n")} />}
        </span>
      ),
      csv: (row) => row.verdict,
    },
    {
      key: "reasons",
      header: "Why",
      cell: (row) => {
        const why = row.reasons.map(reasonWords).join("; ");
        return (
          <span className="dim clamp two-lines why" title={why}>
            {why}
          </span>
        );
      },
      csv: (row) => row.reasons.join(" "),
    },
    {
      key: "smallest_detectable",
      header: <span data-tip="The smallest effect this many launches and samples could have shown">Could show</span>,
      number: true,
      cell: (row) =>
        isMissing(row.smallest_detectable) ? (
          <Absent {...row.smallest_detectable} />
        ) : (
          detectable(row, row.smallest_detectable)
        ),
      csv: (row) => (isMissing(row.smallest_detectable) ? undefined : row.smallest_detectable),
    },
    {
      key: "needed_runs",
      header: <span data-tip="The fewest launches a side that would decide">Would settle</span>,
      number: true,
      cell: (row) => (isMissing(row.needed_runs) ? <Absent {...row.needed_runs} /> : `${row.needed_runs} a side`),
      csv: (row) => (isMissing(row.needed_runs) ? undefined : row.needed_runs),
    },
    { key: "threshold", header: "", cell: () => null, csv: (row) => row.threshold },
    { key: "p_value", header: "", cell: () => null, csv: (row) => row.p_value },
    { key: "synthetic", header: "", cell: () => null, csv: () => (result.synthetic ? "synthetic" : "") },
  ];
}

function detectable(row: ComparedOutcome, value: number): string {
  const kind = isMissing(row.effect) ? "ratio" : row.effect.kind;
  if (kind === "ratio") return `${digits(value * 100, 2)} %`;
  return kind === "points" ? `${digits(value * 100, 2)} pp` : quantityText(value, row.unit);
}

/** Every outcome: values, effect, interval, counts, finding, verdict and what would settle it. */
export function OutcomesCompared({ result }: { result: Result }) {
  const columns = columnsFor(result);
  const marks = [...new Set(result.outcomes.flatMap((outcome) => outcome.marks ?? []))];
  return (
    <Panel title="Outcomes" tools={<SaveTable label="outcomes compared" columns={columns} rows={result.outcomes} />}>
      <DataTable
        label="outcomes compared"
        columns={columns.filter((column) => column.header !== "")}
        rows={result.outcomes}
        rowKey={(row, index) => `${row.metric}-${index}`}
      />
      {marks.length > 0 && <p className="foot">◐ {marks.map(markText).join("; ")}.</p>}
    </Panel>
  );
}
