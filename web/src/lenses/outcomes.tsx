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
import { Tag } from "../ui/Tag";
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

function columnsFor(lens: Lens | undefined, several: boolean): Column<CapturedOutcome>[] {
  const columns: Column<CapturedOutcome>[] = [
    {
      key: "metric",
      header: "Outcome",
      cell: (row) => (
        <span data-tip={outcomeOf(lens, row.metric)?.meaning}>
          {row.label}
          {(row.marks ?? []).map((mark) => (
            <Tag key={mark} tone="unsure" tip={markTips[mark]}>
              {mark.replaceAll("_", " ")}
            </Tag>
          ))}
        </span>
      ),
      csv: (row) => row.metric,
    },
    {
      key: "value",
      header: "Value",
      number: true,
      cell: (row) =>
        row.value === undefined ? (
          <Absent absent={row.absent ?? "not_recorded"} note={row.note} />
        ) : (
          <Quantity value={row.value} unit={row.unit} strong copy />
        ),
      csv: (row) => row.value,
    },
    { key: "unit", header: "", cell: () => null, csv: (row) => row.unit },
    {
      key: "n",
      header: "n",
      number: true,
      cell: (row) => (row.n === undefined ? null : isMissing(row.n) ? <Absent {...row.n} /> : count(row.n)),
      csv: (row) => (typeof row.n === "number" ? row.n : undefined),
    },
    {
      key: "basis",
      header: "From",
      cell: (row) => (
        <span className="dim">
          {row.basis === "samples"
            ? "recomputed from samples"
            : row.basis === "summary"
              ? "the tool's summary"
              : row.basis}
        </span>
      ),
      csv: (row) => row.basis,
    },
    {
      key: "reported",
      header: "Tool reported",
      number: true,
      cell: (row) => (row.reported === undefined ? null : <Reported row={row} />),
      csv: (row) => row.reported,
    },
    {
      key: "direction",
      header: "Better",
      cell: (row) => <span className="dim">{directionWords(row.direction).replace(" is better", "")}</span>,
      csv: (row) => row.direction,
    },
    { key: "absent", header: "", cell: () => null, csv: (row) => row.absent },
  ];
  if (several) {
    columns.unshift({
      key: "capture",
      header: "Capture",
      cell: (row) => <span className="dim">{row.captureName}</span>,
      csv: (row) => row.captureName,
    });
  }
  return columns;
}

function Reported({ row }: { row: CapturedOutcome }) {
  const off =
    row.value !== undefined &&
    row.reported !== undefined &&
    Math.abs(row.value - row.reported) > 1e-6 * Math.max(Math.abs(row.value), 1e-12);
  return (
    <span
      className={off ? undefined : "dim"}
      data-tip={off ? "Differs from the value recomputed here" : "Agrees with the value recomputed here"}
    >
      {quantityText(row.reported!, row.unit)} {off ? "≠" : ""}
    </span>
  );
}

/** Every outcome of a run or capture. */
export function OutcomeTable({
  lens,
  outcomes,
  several,
}: {
  lens: Lens | undefined;
  outcomes: CapturedOutcome[];
  several: boolean;
}) {
  const columns = columnsFor(lens, several);
  return (
    <Panel title="Outcomes" tools={<SaveTable label="outcomes" columns={columns} rows={outcomes} />}>
      <DataTable
        label="outcomes"
        columns={columns.filter((column) => column.header !== "")}
        rows={outcomes}
        rowKey={(row, index) => `${row.captureId}-${row.metric}-${row.phase ?? ""}-${index}`}
        empty={<p className="foot">The capture holds no outcome of its lens.</p>}
      />
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
    queries: captures.map((row) => samplesQuery(ws, row.captureId, row.phase ? `${row.name}:${row.phase}` : row.name)),
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
