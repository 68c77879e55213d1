import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import type { Lens, Measurement } from "../api/nouns";
import { samplesQuery } from "../api/queries";
import { Distribution, type SampleSet } from "../charts/Distribution";
import { Picture } from "../charts/Picture";
import { count, quantityText } from "../lib/units";
import { Absent, isMissing } from "../ui/Absent";
import { type Column, DataTable, SaveTable } from "../ui/DataTable";
import { Panel, TruncationBar } from "../ui/Panel";
import { Quantity } from "../ui/Quantity";
import { Toggle } from "../ui/Toggle";
import { directionWords, outcomeOf } from "./registry";

/** An outcome with the capture it was measured in. */
export interface CapturedOutcome extends Measurement {
  captureId: string;
  /** Names the capture where a run has several. */
  captureName: string;
}

const markTips: Record<string, string> = {
  too_few_samples: "Fewer effective samples than a two-sided 95 % interval of this quantile needs",
  censored: "Some had not ended; they count as at least so long",
  aggregated: "Each sample is itself a mean of several values",
  collapsed: "Late entries leave the estimate too small",
};

// One line a statistic: the form a spreadsheet can sort and filter.
const written: Column<CapturedOutcome>[] = [
  { key: "capture", header: "", cell: () => null, csv: (row) => row.captureName },
  { key: "metric", header: "", cell: () => null, csv: (row) => row.metric },
  { key: "value", header: "", cell: () => null, csv: (row) => row.value },
  { key: "unit", header: "", cell: () => null, csv: (row) => row.unit },
  { key: "n", header: "", cell: () => null, csv: (row) => (typeof row.n === "number" ? row.n : undefined) },
  { key: "basis", header: "", cell: () => null, csv: (row) => row.basis },
  { key: "reported", header: "", cell: () => null, csv: (row) => row.reported },
  { key: "direction", header: "", cell: () => null, csv: (row) => row.direction },
  { key: "absent", header: "", cell: () => null, csv: (row) => row.absent },
  { key: "marks", header: "", cell: () => null, csv: (row) => row.marks?.join(" ") },
];

/** An outcome of a capture with its statistics side by side. */
interface Line {
  first: CapturedOutcome;
  statistics: Map<string, CapturedOutcome>;
}

function linesOf(outcomes: CapturedOutcome[]): Line[] {
  const lines = new Map<string, Line>();
  for (const outcome of outcomes) {
    const key = `${outcome.captureId} ${outcome.name} ${outcome.phase ?? ""}`;
    const line = lines.get(key) ?? { first: outcome, statistics: new Map() };
    line.statistics.set(outcome.statistic, outcome);
    lines.set(key, line);
  }
  return [...lines.values()];
}

const statisticOrder = ["value", "p50", "p90", "p95", "p99", "mean"];

const bases: Record<string, string> = { samples: "samples", summary: "the tool's summary" };

function linesColumns(lens: Lens | undefined, outcomes: CapturedOutcome[], several: boolean): Column<Line>[] {
  const present = [...new Set(outcomes.map((outcome) => outcome.statistic))];
  const statistics = [
    ...statisticOrder.filter((one) => present.includes(one)),
    ...present.filter((one) => !statisticOrder.includes(one)),
  ];
  return [
    ...(several
      ? [
          {
            key: "capture",
            header: "Capture",
            cell: (line: Line) => <span className="dim">{line.first.captureName}</span>,
          },
        ]
      : []),
    {
      key: "outcome",
      header: "Outcome",
      cell: ({ first }: Line) => (
        <span
          className="nowrap"
          data-tip={`${outcomeOf(lens, first.metric)?.meaning ?? first.name}\n${directionWords(first.direction)}`}
        >
          {nameOf(first)}
        </span>
      ),
    },
    ...statistics.map((statistic) => ({
      key: statistic,
      header: statistic === "value" ? "Value" : statistic,
      number: true,
      cell: (line: Line) => (
        <StatisticCell row={line.statistics.get(statistic)} strong={statistic === "p50" || statistic === "value"} />
      ),
    })),
    {
      key: "n",
      header: "n",
      number: true,
      cell: ({ first }: Line) => (isMissing(first.n) ? <Absent {...first.n} /> : count(first.n)),
    },
    {
      key: "basis",
      header: (
        <span data-tip="Samples: recomputed here from raw values. Otherwise as the capture states it.">From</span>
      ),
      cell: ({ first }: Line) => <span className="dim">{bases[first.basis] ?? first.basis}</span>,
    },
  ];
}

function StatisticCell({ row, strong }: { row: CapturedOutcome | undefined; strong: boolean }) {
  if (!row) return null;
  if (row.value === undefined) return <Absent absent={row.absent ?? "not_recorded"} note={row.note} />;
  const marks = row.marks ?? [];
  const differs =
    row.reported !== undefined && Math.abs(row.value - row.reported) > 1e-6 * Math.max(Math.abs(row.value), 1e-12);
  return (
    <>
      {marks.map((mark) => (
        <span
          key={mark}
          className="mark"
          role="note"
          data-tip={`${mark.replaceAll("_", " ")}: ${markTips[mark] ?? ""}`}
          aria-label={mark.replaceAll("_", " ")}
        >
          ◐
        </span>
      ))}
      {differs && (
        <span
          className="mark"
          role="note"
          data-tip={`The tool's own summary says ${quantityText(row.reported!, row.unit)}`}
          aria-label="differs from the tool's summary"
        >
          ≠
        </span>
      )}{" "}
      <Quantity value={row.value} unit={row.unit} strong={strong} copy />
    </>
  );
}

/** Every outcome of a run or capture, its statistics side by side. */
export function OutcomeTable({
  lens,
  outcomes,
  several,
}: {
  lens: Lens | undefined;
  outcomes: CapturedOutcome[];
  several: boolean;
}) {
  const agreeing = outcomes.filter((row) => row.reported !== undefined).length;
  const marked = [...new Set(outcomes.flatMap((row) => row.marks ?? []))];
  return (
    <Panel title="Outcomes" tools={<SaveTable label="outcomes" columns={written} rows={outcomes} />}>
      <DataTable
        label="outcomes"
        columns={linesColumns(lens, outcomes, several)}
        rows={linesOf(outcomes)}
        rowKey={({ first }) => `${first.captureId}-${first.name}-${first.phase ?? ""}`}
        empty={<p className="foot">The capture holds no outcome of its lens.</p>}
      />
      <p className="foot">
        {agreeing > 0 && "Recomputed from samples; ≠ stands where the tool's own summary says something else. "}
        {marked.map((mark) => `◐ ${mark.replaceAll("_", " ")}: ${markTips[mark] ?? mark}.`).join(" ")}
      </p>
    </Panel>
  );
}

/** One picture for each outcome that has samples: every sample, and where the statistic stands. */
export function OutcomeDistributions({ ws, outcomes }: { ws: string; outcomes: CapturedOutcome[] }) {
  const [mode, setMode] = useState<"dots" | "ecdf">("dots");
  const sampled = new Map<string, CapturedOutcome[]>();
  for (const row of outcomes) {
    const n = typeof row.n === "number" ? row.n : 0;
    if (row.basis !== "samples" || n < 2 || row.value === undefined) continue;
    const key = row.phase ? `${row.name} ${row.phase}` : row.name;
    sampled.set(key, [...(sampled.get(key) ?? []), row]);
  }
  if (sampled.size === 0) return null;
  return (
    <>
      {[...sampled].map(([key, rows]) => (
        <OneDistribution key={key} ws={ws} rows={rows} mode={mode} onMode={setMode} />
      ))}
    </>
  );
}

/** An outcome's name without its statistic. */
function nameOf(row: CapturedOutcome): string {
  return row.label.endsWith(` ${row.statistic}`) ? row.label.slice(0, -row.statistic.length - 1) : row.label;
}

function OneDistribution({
  ws,
  rows,
  mode,
  onMode,
}: {
  ws: string;
  rows: CapturedOutcome[];
  mode: "dots" | "ecdf";
  onMode: (mode: "dots" | "ecdf") => void;
}) {
  const captures = [...new Map(rows.map((row) => [row.captureId, row])).values()];
  const answers = useQueries({
    queries: captures.map((row) => samplesQuery(ws, row.captureId, row.phase ? `${row.name}/${row.phase}` : row.name)),
  });
  const first = rows[0]!;
  const title = nameOf(first);
  const sets = answers.flatMap((answer, index): SampleSet[] => {
    if (!answer.data) return [];
    const row = captures[index]!;
    const middle = rows.find(
      (each) => each.captureId === row.captureId && (each.statistic === "p50" || each.statistic === "mean"),
    );
    return [
      {
        label: captures.length > 1 ? row.captureName : `${middle?.statistic ?? ""}`,
        side: "plain",
        values: answer.data.values,
        mark: middle?.value,
      },
    ];
  });
  const cut = answers.find((answer) => answer.data && answer.data.kept < answer.data.of)?.data;
  if (sets.length === 0) return null;
  return (
    <Picture
      title={title}
      note={mode === "dots" ? "each dot one sample" : "share of samples at or below"}
      name={first.name}
      tools={
        <Toggle
          label="Drawing"
          value={mode}
          onChange={onMode}
          options={[
            { value: "dots", label: "Samples" },
            { value: "ecdf", label: "ECDF" },
          ]}
        />
      }
      table={
        <table className="data" aria-label={`statistics of ${title}`}>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                <td className="dim">{captures.length > 1 ? row.captureName : ""}</td>
                <td>{row.statistic}</td>
                <td className="n">
                  <Quantity value={row.value} unit={row.unit} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    >
      {cut && (
        <TruncationBar
          kept={cut.kept}
          of={cut.of}
          bound="evenly thinned for drawing"
          advice="Every figure counts all of them."
        />
      )}
      <Distribution label={title} unit={first.unit} sets={sets} mode={mode} />
    </Picture>
  );
}
