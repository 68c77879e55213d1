import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { RunRow } from "../api/nouns";
import { Sparkline } from "../charts/Sparkline";
import { ago, instant } from "../lib/time";
import { quantityText } from "../lib/units";
import { Absent, isMissing } from "../ui/Absent";
import type { Column } from "../ui/DataTable";
import { KnownBar } from "../ui/Panel";
import { Quantity } from "../ui/Quantity";
import { RunMark } from "./marks";
import { metricLabel, useLenses } from "./registry";

const sparkRuns = 24;

interface Headlined {
  id: string;
  at: string;
  value: number;
}

/** For each run, the headline values of its workload up to it, oldest first. */
function useTrends(rows: RunRow[]): Map<string, number[]> {
  return useMemo(() => {
    const groups = new Map<string, Headlined[]>();
    for (const row of rows) {
      if (isMissing(row.headline)) continue;
      const key = `${row.workload_id} ${row.headline.metric}`;
      const group = groups.get(key);
      const one = { id: row.id, at: when(row), value: row.headline.value };
      if (group) group.push(one);
      else groups.set(key, [one]);
    }
    const trends = new Map<string, number[]>();
    for (const group of groups.values()) {
      group.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
      const values = group.map((one) => one.value);
      group.forEach((one, index) => {
        trends.set(one.id, values.slice(Math.max(0, index + 1 - sparkRuns), index + 1));
      });
    }
    return trends;
  }, [rows]);
}

function when(row: RunRow): string {
  return row.started_at ?? row.created_at;
}

/** The columns of a list of runs. */
export function useRunColumns(ws: string, rows: RunRow[], options: { workload: boolean }): Column<RunRow>[] {
  const trends = useTrends(rows);
  const lenses = useLenses();
  const now = Date.now();
  const label = (row: RunRow) =>
    isMissing(row.headline)
      ? ""
      : metricLabel(
          lenses.find((lens) => lens.id === row.lens),
          row.headline.metric,
        );
  const columns: Column<RunRow>[] = [
    {
      key: "run",
      header: "Run",
      width: "auto",
      cell: (row) => (
        <Link to="/w/$ws/runs/$run" params={{ ws, run: row.id }} className="primary-link" data-primary title={row.name}>
          {row.name}
        </Link>
      ),
      csv: (row) => row.name,
    },
    {
      key: "workload",
      header: "Workload",
      width: "auto",
      cell: (row) => <span className="dim">{row.workload}</span>,
      csv: (row) => row.workload,
    },
    {
      key: "lens",
      header: "Lens",
      width: 76,
      cell: (row) => <span className="dim">{row.lens}</span>,
      csv: (row) => row.lens,
    },
    {
      key: "hardware",
      header: "Hardware",
      width: "auto",
      cell: (row) =>
        row.hardware ? (
          <span className="mono" title={row.hardware}>
            {row.hardware}
          </span>
        ) : (
          <Absent absent="not_recorded" note="attach a setup that names it" />
        ),
      csv: (row) => row.hardware,
    },
    {
      key: "headline",
      header: "Headline outcome",
      number: true,
      width: 178,
      cell: (row) =>
        isMissing(row.headline) ? (
          <Absent {...row.headline} />
        ) : (
          <span
            data-tip={`${label(row)}: ${row.headline.value} ${row.headline.unit}${row.headline.n ? `, n ${row.headline.n}` : ""}`}
          >
            <span className="dim short-label">{row.headline.metric} </span>
            <Quantity value={row.headline.value} unit={row.headline.unit} strong />
          </span>
        ),
      csv: (row) => (isMissing(row.headline) ? undefined : row.headline.value),
      csvHeader: "headline_value",
    },
    {
      key: "trend",
      header: "In this workload",
      width: 108,
      cell: (row) => {
        const values = trends.get(row.id) ?? [];
        return (
          <Sparkline values={values} label={`${label(row)} of the last ${values.length} runs of ${row.workload}`} />
        );
      },
    },
    {
      key: "headline_metric",
      header: "",
      cell: () => null,
      csv: (row) => (isMissing(row.headline) ? undefined : row.headline.metric),
    },
    {
      key: "headline_unit",
      header: "",
      cell: () => null,
      csv: (row) => (isMissing(row.headline) ? undefined : row.headline.unit),
    },
    {
      key: "group",
      header: "Group",
      width: 78,
      cell: (row) => (
        <span className="dim" title={row.replicate_group}>
          {row.replicate_group}
        </span>
      ),
      csv: (row) => row.replicate_group,
    },
    { key: "captures", header: "", cell: () => null, csv: (row) => row.captures },
    {
      key: "known",
      header: "Known dimensions",
      width: 150,
      cell: (row) => <KnownBar {...row.known} />,
      csv: (row) => row.known.known,
      csvHeader: "known_dimensions",
    },
    {
      key: "measured_on",
      header: "Measured on",
      width: 158,
      cell: (row) => <RunMark device={row.measured_on} origin={row.origin} />,
      csv: (row) => row.measured_on,
    },
    { key: "origin", header: "", cell: () => null, csv: (row) => row.origin },
    {
      key: "when",
      header: "When",
      width: 104,
      cell: (row) => (
        <span className="dim nowrap" data-tip={`${row.started_at ? "started" : "imported"} ${instant(when(row))}`}>
          {ago(when(row), now)}
        </span>
      ),
      csv: (row) => when(row),
    },
  ];
  return columns.filter((column) => options.workload || column.key !== "workload");
}

/** The columns that are drawn; the others are only written to CSV. */
export function drawn<Row>(columns: Column<Row>[]): Column<Row>[] {
  return columns.filter((column) => column.header !== "");
}

/** A run's headline as one piece of text. */
export function headlineText(row: RunRow): string {
  return isMissing(row.headline) ? "—" : quantityText(row.headline.value, row.headline.unit);
}
