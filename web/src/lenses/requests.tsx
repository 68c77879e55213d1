import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { problemOf } from "../api/client";
import type { CaptureShow, RequestColumns } from "../api/nouns";
import { requestsQuery } from "../api/queries";
import { Distribution, type SampleSet } from "../charts/Distribution";
import { Picture } from "../charts/Picture";
import { type Series, TimeSeries } from "../charts/TimeSeries";
import { count } from "../lib/units";
import { type Column, DataTable, SaveTable } from "../ui/DataTable";
import { Loading, Panel, TruncationBar } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { Toggle } from "../ui/Toggle";
import { Findings } from "./findings";
import type { LoadFigures } from "./loadFigures";
import { Agreement, Completeness, ErrorClasses, ServerPanel, Throughput } from "./loadPanels";
import { OutcomeDistributions, OutcomeTable } from "./outcomes";
import { useLens } from "./registry";

type Latency = "ttft" | "tpot" | "e2el";

const latencies: Record<Latency, string> = {
  ttft: "time to first token",
  tpot: "time per output token",
  e2el: "end-to-end latency",
};

/** A load run: latencies, requests over time, errors, the mix, and throughput with its denominator. */
export default function Requests({
  ws,
  capture,
  metric,
  onMetric,
}: {
  ws: string;
  capture: CaptureShow;
  metric: Latency;
  onMetric: (metric: Latency) => void;
}) {
  const lens = useLens(capture.lens);
  const figures = (capture.figures ?? {}) as LoadFigures;
  const outcomes = capture.outcomes.map((outcome) => ({
    ...outcome,
    captureId: capture.id,
    captureName: capture.cell ?? "",
  }));
  const requests = useQuery(requestsQuery(ws, capture.id));
  return (
    <>
      <OutcomeTable lens={lens} outcomes={outcomes} several={false} />
      <div className="two">
        <Completeness figures={figures} />
        <Throughput outcomes={capture.outcomes} lens={lens} figures={figures} />
      </div>
      {requests.error && <Problem problem={problemOf(requests.error)} onRetry={() => void requests.refetch()} />}
      {requests.isPending && <Loading what="the requests" />}
      {requests.data && requests.data.total > 0 && (
        <OverTime data={requests.data} metric={metric} onMetric={onMetric} />
      )}
      <div className="pictures">
        <OutcomeDistributions ws={ws} outcomes={outcomes} />
        {requests.data && <RequestMix data={requests.data} />}
      </div>
      <div className="two">
        <ErrorClasses figures={figures} />
        <Agreement figures={figures} />
      </div>
      <ServerPanel figures={figures} />
      {requests.data && <RequestTable data={requests.data} name={capture.provenance.file_name} />}
      <Findings findings={capture.findings} />
    </>
  );
}

function numbers(data: RequestColumns, name: string): (number | null)[] | undefined {
  return data.columns[name] as (number | null)[] | undefined;
}

// Missing values are NaN, which no comparison lets through.
function largest(values: Float64Array): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}

/** Each request as a point at its start; failed ones stand apart. */
function OverTime({
  data,
  metric,
  onMetric,
}: {
  data: RequestColumns;
  metric: Latency;
  onMetric: (metric: Latency) => void;
}) {
  const [logarithmic, setLogarithmic] = useState(false);
  const offered = (Object.keys(latencies) as Latency[]).filter((name) => data.columns[name]);
  const shown = offered.includes(metric) ? metric : (offered[0] ?? "e2el");
  const plot = useMemo(() => {
    const at = numbers(data, "at") ?? [];
    const values = numbers(data, shown) ?? [];
    const status = (data.columns.status as (string | null)[] | undefined) ?? [];
    const order = at.map((_, index) => index).filter((index) => at[index] !== null);
    order.sort((a, b) => at[a]! - at[b]!);
    const good = Float64Array.from(order, (index) =>
      status[index] === "ok" || status.length === 0 ? (values[index] ?? Number.NaN) : Number.NaN,
    );
    const highest = largest(good);
    // A failed request has no latency: it stands on the upper edge, at its time.
    const failed = Float64Array.from(order, (index) =>
      status.length > 0 && status[index] !== "ok" ? highest * 1.03 : Number.NaN,
    );
    const series: Series[] = [{ label: "good", colour: "a", values: good, points: true }];
    if (failed.some(Number.isFinite))
      series.push({ label: "failed or cancelled (no latency)", colour: "worse", values: failed, points: true });
    return { at: Float64Array.from(order, (index) => at[index]!), series };
  }, [data, shown]);
  return (
    <Picture
      title="Requests over time"
      note={`${latencies[shown]}, each point one request at its start`}
      name={`requests ${shown}`}
      tools={
        <>
          <Toggle
            label="Latency"
            value={shown}
            onChange={onMetric}
            options={offered.map((name) => ({ value: name, label: name }))}
          />
          <button
            type="button"
            className="btn quiet"
            aria-pressed={logarithmic}
            onClick={() => setLogarithmic(!logarithmic)}
          >
            {logarithmic ? "Linear" : "Logarithmic"}
          </button>
        </>
      }
    >
      {data.truncated && <TruncationBar {...data.truncated} advice="Every figure counts all of them." />}
      <TimeSeries
        label={`${latencies[shown]} of ${count(plot.at.length)} requests over time; the requests are below as a table`}
        at={plot.at}
        series={plot.series}
        unit="ms"
        logarithmic={logarithmic}
      />
      <p className="foot">Drag across to zoom in, double-click to see all again.</p>
    </Picture>
  );
}

/** How long prompts and answers were. */
function RequestMix({ data }: { data: RequestColumns }) {
  const sets = useMemo(() => mixOf(data), [data]);
  if (sets.length === 0) return null;
  return (
    <Picture title="Request mix" note="each dot one request" name="request mix">
      <Distribution label="Tokens a request" unit="{token}" sets={sets} mode="dots" />
    </Picture>
  );
}

function mixOf(data: RequestColumns): SampleSet[] {
  return [
    { label: "input tokens", side: "plain" as const, values: clean(numbers(data, "isl")) },
    { label: "output tokens", side: "plain" as const, values: clean(numbers(data, "osl")) },
  ].filter((set) => set.values.length > 0);
}

const clean = (values: (number | null)[] | undefined) =>
  (values ?? []).filter((value): value is number => value !== null);

type Row = Record<string, number | string | null>;

function RequestTable({ data, name }: { data: RequestColumns; name: string }) {
  const names = data.order;
  const rows = useMemo(() => {
    const length = Math.max(0, ...names.map((column) => data.columns[column]!.length));
    return Array.from(
      { length },
      (_, index): Row => Object.fromEntries(names.map((column) => [column, data.columns[column]![index] ?? null])),
    );
  }, [data, names]);
  const columns: Column<Row>[] = names.map((column) => ({
    key: column,
    header: column,
    number: typeof data.columns[column]!.find((value) => value !== null) === "number",
    cell: (row) => {
      const value = row[column];
      if (value === null || value === undefined) return <span className="dim">—</span>;
      return typeof value === "number" && !Number.isInteger(value) ? value.toFixed(3) : String(value);
    },
    csv: (row) => row[column],
  }));
  return (
    <Panel
      title="Requests"
      note={`${count(data.total)}; at in s from the window's start, latencies in ms`}
      tools={<SaveTable label={`${name} requests`} columns={columns} rows={rows} />}
    >
      {data.truncated && <TruncationBar {...data.truncated} advice="Download the exact bytes for all." />}
      <DataTable label="requests" columns={columns} rows={rows} rowKey={(_, index) => String(index)} height="420px" />
    </Panel>
  );
}
