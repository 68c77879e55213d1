import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { problemOf } from "../api/client";
import type { SpanDetail } from "../api/figures";
import { spansQuery } from "../api/queries";
import { count, quantityText } from "../lib/units";
import { isMissing } from "../ui/Absent";
import { CopyButton } from "../ui/Copy";
import { type Column, DataTable, SaveTable } from "../ui/DataTable";
import { Problem } from "../ui/Problem";
import { useSettled } from "../ui/settled";
import { layerOf } from "./traceLayer";

const ns = (value: number) => quantityText(value, "ns");

/** One span in words, with the launch call of a kernel or the kernels of a launch call. */
export function SpanPanel({ span, onShow }: { span: SpanDetail; onShow: (span: SpanDetail) => void }) {
  const device = layerOf(span.category) === "device";
  const launch = device ? span.linked?.find((other) => layerOf(other.category) === "calls") : undefined;
  const delay = launch && Math.max(0, span.start_ns - (launch.start_ns + launch.duration_ns));
  return (
    <section className="span-detail" aria-label="The span chosen">
      <h3>
        <span className="mono wrap">{span.name}</span> <CopyButton text={span.name} what="name" />
      </h3>
      <dl className="facts">
        <dt>{span.category.replaceAll("_", " ")} on</dt>
        <dd>{span.track}</dd>
        <dt>Starts</dt>
        <dd>{ns(span.start_ns)} from the first event</dd>
        <dt>Lasts</dt>
        <dd>
          {ns(span.duration_ns)} <span className="dim">({count(span.duration_ns)} ns)</span>
        </dd>
        {span.detail && (
          <>
            <dt>{device ? "Moved" : "Shapes"}</dt>
            <dd className="mono">{span.detail}</dd>
          </>
        )}
        {launch && (
          <>
            <dt>Launched by</dt>
            <dd>
              <button type="button" className="btn quiet mono" onClick={() => onShow(launch)}>
                {launch.name}
              </button>{" "}
              at {ns(launch.start_ns)}, started {ns(delay ?? 0)} after the call returned
            </dd>
          </>
        )}
        {device && !launch && (
          <>
            <dt>Launched by</dt>
            <dd className="dim">
              {isMissing(span.correlation) ? "no correlation recorded" : "the launch call is not in the trace"}
            </dd>
          </>
        )}
        {!device && (span.linked_of ?? 0) > 0 && (
          <>
            <dt>Launched</dt>
            <dd>
              {(span.linked ?? []).slice(0, 8).map((other) => (
                <button key={other.row} type="button" className="btn quiet mono" onClick={() => onShow(other)}>
                  {other.name.slice(0, 60)}
                </button>
              ))}
              {(span.linked_of ?? 0) > 8 && <span className="dim"> {count((span.linked_of ?? 0) - 8)} more</span>}
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

const found = 200;

/** Finds spans by name and lists them; the timeline lets them stand out. */
export function FindSpans({
  ws,
  capture,
  find,
  onFind,
  onShow,
}: {
  ws: string;
  capture: string;
  find: string;
  onFind: (find: string) => void;
  onShow: (span: SpanDetail) => void;
}) {
  const [text, setText] = useState(find);
  const settled = useSettled(text, 250);
  // A search begun elsewhere (a kernel of the table) is taken over; one typed here is told.
  const told = useRef(find);
  useEffect(() => {
    if (find === told.current) return;
    told.current = find;
    setText(find);
  }, [find]);
  useEffect(() => {
    if (settled === told.current) return;
    told.current = settled;
    onFind(settled);
  }, [settled, onFind]);
  const spans = useQuery(spansQuery(ws, capture, { name: settled, limit: found }));
  const columns: Column<SpanDetail>[] = [
    {
      key: "name",
      header: "Name",
      width: "42%",
      cell: (row) => (
        <button type="button" className="btn quiet mono" data-primary onClick={() => onShow(row)} title={row.name}>
          {row.name.slice(0, 90)}
        </button>
      ),
      csv: (row) => row.name,
    },
    {
      key: "category",
      header: "Category",
      width: 120,
      cell: (row) => <span className="dim">{row.category}</span>,
      csv: (row) => row.category,
    },
    {
      key: "track",
      header: "Track",
      width: "22%",
      cell: (row) => <span className="dim">{row.track}</span>,
      csv: (row) => row.track,
    },
    {
      key: "start_ns",
      header: "Start",
      number: true,
      width: 100,
      cell: (row) => ns(row.start_ns),
      csv: (row) => row.start_ns,
    },
    {
      key: "duration_ns",
      header: "Duration",
      number: true,
      width: 100,
      cell: (row) => ns(row.duration_ns),
      csv: (row) => row.duration_ns,
    },
  ];
  const rows = spans.data?.rows ?? [];
  return (
    <div className="find-spans">
      <div className="row">
        <input
          type="search"
          aria-label="Find a kernel or operator by name"
          placeholder="Find a kernel or operator"
          value={text}
          onChange={(event) => setText(event.target.value)}
          style={{ width: 280 }}
        />
        <span className="dim" role="status">
          {spans.data && (settled ? `${count(spans.data.total)} spans match` : `${count(spans.data.total)} spans`)}
          {spans.data && spans.data.total > rows.length && `, the first ${count(rows.length)} listed`}
        </span>
        <span className="push">
          <SaveTable label="spans" columns={columns} rows={rows} />
        </span>
      </div>
      <details className="as-table" open={settled !== ""}>
        <summary>Spans as a table</summary>
        {spans.error && <Problem problem={problemOf(spans.error)} />}
        <DataTable label="spans" columns={columns} rows={rows} rowKey={(row) => String(row.row)} height="320px" />
      </details>
    </div>
  );
}
