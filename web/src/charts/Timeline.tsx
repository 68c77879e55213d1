import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { duration } from "../lib/units";
import { type Surface, usePicture } from "./picture";
import {
  axisHeight,
  labelWidth,
  levelHeight,
  neighbour,
  type Placed,
  panned,
  place,
  spanAt,
  type TimelineSpan,
  type TimelineTrack,
  ticks,
  toTime,
  toX,
  type View,
  zoomed,
} from "./timelineLayout";
import "./charts.css";

interface Props {
  tracks: TimelineTrack[];
  view: View;
  whole: View;
  onView: (view: View) => void;
  selected?: { track: string; start: number; name: string };
  onSelect: (track: TimelineTrack, span: TimelineSpan) => void;
  /** Spans whose name holds this text stand out, the others fade. */
  find: string;
  /** What the timeline shows, in words. */
  label: string;
  /** Times of marks that tie the selected span to another (its launch). */
  link?: { from: number; fromTrack: string; to: number; toTrack: string };
}

const wide = (view: View) => view.to - view.from;

/**
 * Tracks of spans over time. Drag pans, the wheel with Ctrl zooms, W and S
 * zoom, A and D pan, F fits, the arrow keys walk from span to span.
 */
export function Timeline({ tracks, view, whole, onView, selected, onSelect, find, label, link }: Props) {
  const { placed, height } = useMemo(() => place(tracks), [tracks]);
  const [hover, setHover] = useState<{ x: number; y: number; track: TimelineTrack; span: TimelineSpan }>();
  const drag = useRef<{ x: number; view: View; moved: boolean }>(undefined);
  const draw = useCallback(
    (surface: Surface) => paint(surface, placed, view, find.toLowerCase(), selected, link),
    [placed, view, find, selected, link],
  );
  const canvas = usePicture(draw);

  // The wheel listener must be able to prevent the page from zooming.
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const around = toTime(event.offsetX, view, element.clientWidth);
        onView(zoomed(view, Math.exp(event.deltaY * 0.004), around, whole));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        onView(panned(view, (event.deltaX || event.deltaY) / 800, whole));
      }
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [canvas, view, whole, onView]);

  const hit = (event: PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return spanAt(placed, event.clientX - box.left, event.clientY - box.top, view, event.currentTarget.clientWidth);
  };
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const held = drag.current;
    if (held) {
      const share = (held.x - event.clientX) / (event.currentTarget.clientWidth - labelWidth);
      if (Math.abs(held.x - event.clientX) > 3) held.moved = true;
      if (held.moved) onView(panned(held.view, share, whole));
      return;
    }
    const found = hit(event);
    const box = event.currentTarget.getBoundingClientRect();
    setHover(found && { x: event.clientX - box.left, y: event.clientY - box.top, ...found });
  };
  const onPointerUp = (event: PointerEvent<HTMLCanvasElement>) => {
    const moved = drag.current?.moved;
    drag.current = undefined;
    if (moved) return;
    const found = hit(event);
    if (!found) return;
    if (found.span.count > 1) {
      onView(zoomed(view, 0.2, found.span.start + found.span.duration / 2, whole));
    } else {
      onSelect(found.track, found.span);
    }
  };

  const walk = (towards: 1 | -1) => {
    const track = tracks.find((one) => one.key === selected?.track) ?? tracks[0];
    if (!track) return;
    const at = track.spans.find((span) => span.start === selected?.start && span.name === selected.name);
    const next = at ? neighbour(track, at, towards) : track.spans.find((span) => span.start >= view.from);
    if (!next) return;
    onSelect(track, next);
    if (next.start < view.from || next.start > view.to) onView(panned(view, towards * 0.5, whole));
  };
  const changeTrack = (by: 1 | -1) => {
    const index = tracks.findIndex((one) => one.key === selected?.track);
    const track = tracks[Math.max(0, Math.min(tracks.length - 1, index + by))];
    const middle = selected?.start ?? view.from;
    const span = track?.spans.find((one) => one.start + one.duration >= middle) ?? track?.spans[0];
    if (track && span) onSelect(track, span);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const middle = selected ? Math.max(view.from, Math.min(view.to, selected.start)) : (view.from + view.to) / 2;
    const moves: Record<string, () => void> = {
      w: () => onView(zoomed(view, 0.6, middle, whole)),
      s: () => onView(zoomed(view, 1 / 0.6, middle, whole)),
      a: () => onView(panned(view, -0.2, whole)),
      d: () => onView(panned(view, 0.2, whole)),
      f: () => onView(whole),
      ArrowRight: () => walk(1),
      ArrowLeft: () => walk(-1),
      ArrowDown: () => changeTrack(1),
      ArrowUp: () => changeTrack(-1),
    };
    const move = moves[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };

  return (
    <div
      className="timeline"
      role="group"
      aria-label="Timeline: W and S zoom, A and D pan, F fits, arrow keys walk the spans"
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        style={{ height }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX, view, moved: false };
        }}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerLeave={() => setHover(undefined)}
      />
      {hover && <SpanTip {...hover} />}
      <Overview tracks={tracks} view={view} whole={whole} onView={onView} />
    </div>
  );
}

function SpanTip({ x, y, span, track }: { x: number; y: number; span: TimelineSpan; track: TimelineTrack }) {
  const shown = duration(span.duration);
  return (
    <div className="tip" style={{ position: "absolute", left: x > 600 ? x - 300 : x + 14, top: y + 14 }}>
      <div className="mono">{span.count > 1 ? `${span.count} spans, the longest ${span.name}` : span.name}</div>
      {shown.number} {shown.unit} · {track.label}
      {span.count > 1 && " · click to zoom in"}
    </div>
  );
}

/** The whole capture in one line, with the window shown in it. */
function Overview({ view, whole, onView }: Pick<Props, "tracks" | "view" | "whole" | "onView">) {
  const share = (time: number) => ((time - whole.from) / (whole.to - whole.from)) * 100;
  const moveTo = (event: PointerEvent<HTMLDivElement>) => {
    if (event.buttons === 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    const middle = whole.from + ((event.clientX - box.left) / box.width) * wide(whole);
    onView(panned({ from: middle - wide(view) / 2, to: middle + wide(view) / 2 }, 0, whole));
  };
  if (wide(view) >= wide(whole) * 0.999) return null;
  return (
    <div className="overview" onPointerDown={moveTo} onPointerMove={moveTo} aria-hidden="true">
      <div style={{ left: `${share(view.from)}%`, width: `${Math.max(0.4, share(view.to) - share(view.from))}%` }} />
    </div>
  );
}

function paint(
  surface: Surface,
  placed: Placed[],
  view: View,
  find: string,
  selected: Props["selected"],
  link: Props["link"],
) {
  const { context, width, height, colour, font } = surface;
  drawAxis(surface, view, height);
  context.save();
  context.beginPath();
  context.rect(labelWidth, 0, width - labelWidth, height);
  context.clip();
  const tones = new Map<string, string>();
  const tone = (name: string) => {
    const found = tones.get(name) ?? colour(name);
    tones.set(name, found);
    return found;
  };
  const ink = { dark: "#1b1c1e", light: "#ffffff" };
  for (const { track, top } of placed) {
    for (const span of track.spans) {
      const left = toX(span.start, view, width);
      const right = toX(span.start + span.duration, view, width);
      if (right < labelWidth || left > width) continue;
      const y = top + span.level * levelHeight;
      const size = Math.max(1, right - left);
      const matches = find === "" || span.name.toLowerCase().includes(find);
      context.globalAlpha = matches ? 1 : 0.16;
      context.fillStyle = tone(span.colour);
      context.fillRect(left, y, size > 3 ? size - 0.5 : size, levelHeight - 2);
      const chosen = selected?.track === track.key && selected.start === span.start && selected.name === span.name;
      if (chosen) {
        context.strokeStyle = colour("ink");
        context.lineWidth = 2;
        context.strokeRect(Math.max(left, labelWidth + 1), y, Math.max(4, size), levelHeight - 2);
      }
      if (size > 44 && matches) {
        context.font = font(11);
        context.textAlign = "left";
        context.fillStyle = isDark(tone(span.colour)) ? ink.light : ink.dark;
        fitText(
          context,
          span.count > 1 ? `${span.count} ×` : span.name,
          Math.max(left, labelWidth) + 4,
          y + 11,
          Math.min(right, width) - Math.max(left, labelWidth) - 8,
        );
      }
    }
  }
  context.globalAlpha = 1;
  if (link) drawLink(surface, placed, view, link);
  context.restore();
  drawLabels(surface, placed);
}

function drawAxis({ context, width, colour, font }: Surface, view: View, height: number) {
  const { times } = ticks(view, width);
  context.font = font(10);
  context.textAlign = "left";
  for (const time of times) {
    const x = toX(time, view, width);
    context.strokeStyle = colour("line");
    context.beginPath();
    context.moveTo(x, axisHeight - 4);
    context.lineTo(x, height);
    context.stroke();
    context.fillStyle = colour("ink-3");
    const shown = duration(time);
    context.fillText(`${shown.number} ${shown.unit}`, x + 3, 11);
  }
}

function drawLabels({ context, colour, font }: Surface, placed: Placed[]) {
  context.textAlign = "left";
  for (const { track, top, height } of placed) {
    const two = track.sub !== undefined && height >= 2 * levelHeight;
    const middle = top + Math.min(height, 2 * levelHeight) / 2 + 3;
    context.font = font(11);
    context.fillStyle = colour("ink-2");
    fitText(context, track.label, 0, two ? middle - 6 : middle, labelWidth - 8);
    if (!two) continue;
    context.font = font(10);
    context.fillStyle = colour("ink-3");
    fitText(context, track.sub ?? "", 0, middle + 7, labelWidth - 8);
  }
}

function drawLink({ context, width, colour }: Surface, placed: Placed[], view: View, link: NonNullable<Props["link"]>) {
  const row = (key: string) => placed.find(({ track }) => track.key === key);
  const from = row(link.fromTrack);
  const to = row(link.toTrack);
  if (!from || !to) return;
  const down = from.top < to.top;
  const start = { x: toX(link.from, view, width), y: down ? from.top + from.height : from.top };
  const end = { x: toX(link.to, view, width), y: down ? to.top : to.top + to.height };
  context.strokeStyle = colour("accent");
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(start.x, start.y);
  context.bezierCurveTo(start.x, (start.y + end.y) / 2, end.x, (start.y + end.y) / 2, end.x, end.y);
  context.stroke();
}

function fitText(context: CanvasRenderingContext2D, text: string, x: number, y: number, room: number) {
  if (room < 12) return;
  let shown = text;
  if (context.measureText(shown).width > room) {
    const keep = Math.max(1, Math.floor((room / context.measureText(shown).width) * shown.length) - 1);
    shown = `${shown.slice(0, keep)}…`;
  }
  context.fillText(shown, x, y);
}

function isDark(hex: string): boolean {
  const value = Number.parseInt(hex.slice(1), 16);
  if (hex.length !== 7 || Number.isNaN(value)) return false;
  return 0.299 * (value >> 16) + 0.587 * ((value >> 8) & 255) + 0.114 * (value & 255) < 140;
}
