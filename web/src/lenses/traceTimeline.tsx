import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { problemOf } from "../api/client";
import type { TimelineView } from "../api/figures";
import { spanQuery, timelineQuery } from "../api/queries";
import { Timeline } from "../charts/Timeline";
import type { TimelineTrack, View } from "../charts/timelineLayout";
import { count, duration } from "../lib/units";
import { Loading, Panel, TruncationBar } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { useSettled } from "../ui/settled";
import { categoryColour, categoryWords } from "./traceColours";
import { layerOf } from "./traceLayer";
import { FindSpans, SpanPanel } from "./traceSpans";

/** What of a timeline is in the address. */
export interface TimelineState {
  from?: number;
  to?: number;
  find?: string;
  /** The row of the span chosen. */
  span?: number;
}

const trackKey = (row: { track: string; layer: string }) => `${row.track} ${row.layer}`;

/** A track in words: "GPU 0, stream 7", "thread pt_main_thread", with its process below. */
function labelOf(row: { track: string; layer: string }): { label: string; sub?: string } {
  const [process = row.track, thread = ""] = row.track.split(" · ");
  const stream = (row.layer === "device" ? /(\S+)$/ : /stream (\S+)/).exec(thread)?.[1];
  const layer = row.layer === "device" || row.layer === "calls" ? "" : ` · ${row.layer}`;
  if (stream && row.layer === "device")
    return { label: `GPU ${process.split(" ").at(-1)}, stream ${stream}`, sub: process };
  if (stream) return { label: `stream ${stream}${layer}`, sub: process };
  const named = /\(([^)]+)\)/.exec(thread)?.[1];
  const number = /thread (-?\S+)/.exec(thread)?.[1];
  const label = `${named && named !== number ? `${named} ${number}` : thread || process}${layer}`;
  return { label, sub: label === process ? undefined : process };
}

function tracksOf(view: TimelineView): TimelineTrack[] {
  // What spans the whole capture says little: it stands last.
  const rows = [...view.rows].sort((a, b) => Number(a.layer === "other") - Number(b.layer === "other"));
  return rows.map((row) => ({
    key: trackKey(row),
    ...labelOf(row),
    levels: Math.min(row.depth, 8),
    spans: row.spans
      .filter((span) => span.depth < 8)
      .map((span) => {
        const name = view.names[span.name] ?? "";
        return {
          start: span.start_ns,
          duration: span.duration_ns,
          name,
          colour: categoryColour(span.category, name),
          level: span.depth,
          count: span.count ?? 1,
          id: span.row,
        };
      }),
  }));
}

/** The timeline of a trace with search and the span chosen beside it. */
export function TraceTimeline({
  ws,
  capture,
  state,
  onState,
}: {
  ws: string;
  capture: string;
  state: TimelineState;
  onState: (change: TimelineState) => void;
}) {
  const first = useQuery(timelineQuery(ws, capture, undefined, 1200));
  const whole = useMemo(() => first.data && { from: first.data.begin_ns, to: first.data.end_ns }, [first.data]);
  const [view, setView] = useState<View | undefined>(
    state.from !== undefined && state.to !== undefined ? { from: state.from, to: state.to } : undefined,
  );
  const shown = view ?? whole;
  const asked = useSettled(shown, 140);
  const zoomed = asked && whole && (asked.from > whole.from || asked.to < whole.to);
  const detail = useQuery({
    ...timelineQuery(ws, capture, zoomed ? { from: Math.floor(asked.from), to: Math.ceil(asked.to) } : undefined, 1200),
    enabled: Boolean(zoomed),
  });
  const data = zoomed && detail.data ? detail.data : first.data;
  const tracks = useMemo(() => (data ? tracksOf(data) : []), [data]);
  const chosen = useQuery({ ...spanQuery(ws, capture, state.span ?? -1), enabled: state.span !== undefined });
  const save = useRef(onState);
  save.current = onState;
  useEffect(() => {
    if (!asked || !whole) return;
    const all = asked.from <= whole.from && asked.to >= whole.to;
    save.current(all ? { from: undefined, to: undefined } : { from: Math.round(asked.from), to: Math.round(asked.to) });
  }, [asked, whole]);
  const show = useCallback(
    (span: { start_ns: number; duration_ns: number; row: number }) => {
      if (!whole) return;
      const room = Math.max(span.duration_ns * 6, (whole.to - whole.from) / 500);
      const middle = span.start_ns + span.duration_ns / 2;
      setView({ from: Math.max(whole.from, middle - room), to: Math.min(whole.to, middle + room) });
      onState({ span: span.row });
    },
    [whole, onState],
  );

  if (first.error) return <Problem problem={problemOf(first.error)} onRetry={() => void first.refetch()} />;
  if (!data || !shown || !whole) return <Loading what="the timeline" />;
  if (data.rows.length === 0) {
    return (
      <Panel title="Timeline">
        <p className="foot">No span with a duration is left in this trace; what was left out is listed below.</p>
      </Panel>
    );
  }
  const span = chosen.data;
  const launch = span?.linked?.find((other) => layerOf(other.category) !== layerOf(span.category));
  return (
    <Panel
      title="Timeline"
      note={`${count(data.of)} spans in ${duration(shown.to - shown.from).number} ${duration(shown.to - shown.from).unit}, ${count(data.shown)} wide enough to stand alone`}
      tools={
        <button type="button" className="btn quiet" onClick={() => setView(whole)}>
          Fit all <kbd>f</kbd>
        </button>
      }
    >
      <div className="legend" aria-hidden="true">
        {categoryWords.map(([colour, word]) => (
          <span key={word}>
            <span className="swatch" style={{ background: `var(--${colour})` }} />
            {word}
          </span>
        ))}
      </div>
      {data.truncated && (
        <TruncationBar {...data.truncated} bound="the longest are drawn" advice="Zoom in to see the others." />
      )}
      <Timeline
        tracks={tracks}
        view={shown}
        whole={whole}
        onView={setView}
        selected={span && { track: `${span.track} ${layerOf(span.category)}`, start: span.start_ns, name: span.name }}
        onSelect={(_, chosenSpan) => onState({ span: chosenSpan.id })}
        find={state.find ?? ""}
        label={summary(data)}
        link={
          span && launch
            ? {
                from: launch.start_ns + launch.duration_ns / 2,
                fromTrack: `${launch.track} ${layerOf(launch.category)}`,
                to: span.start_ns,
                toTrack: `${span.track} ${layerOf(span.category)}`,
              }
            : undefined
        }
      />
      <p className="foot">
        Drag to pan, <kbd>w</kbd> <kbd>s</kbd> zoom, <kbd>f</kbd> fits, arrow keys walk. Click a kernel for its launch,
        delay and shapes. The spans are below as a table.
      </p>
      {span && <SpanPanel span={span} onShow={show} />}
      <FindSpans
        ws={ws}
        capture={capture}
        find={state.find ?? ""}
        onFind={(find) => onState({ find: find || undefined })}
        onShow={show}
      />
    </Panel>
  );
}

function summary(data: TimelineView): string {
  const parts = data.rows.map((row) => `${row.track} ${row.layer}: ${row.spans.length} drawn`);
  return `Timeline of ${count(data.of)} spans on ${data.rows.length} tracks. ${parts.join("; ")}. The table below lists spans by name.`;
}
