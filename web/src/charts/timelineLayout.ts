// Where things stand on a timeline, apart from drawing them: times to pixels,
// tracks to heights, a point back to the span under it.

/** One activity, or several too narrow to tell apart drawn as one. */
export interface TimelineSpan {
  /** Nanoseconds from the start of the trace. */
  start: number;
  duration: number;
  name: string;
  /** A colour token. */
  colour: string;
  /** Nesting level on its track, 0 outermost. */
  level: number;
  /** How many spans this one stands for; 1 is a span of its own. */
  count: number;
  /** The span's id on the server, where it is one span. */
  id?: number;
}

/** A row of the timeline: a thread, a stream, or the steps. */
export interface TimelineTrack {
  key: string;
  label: string;
  /** A second, quieter line of the label. */
  sub?: string;
  levels: number;
  spans: TimelineSpan[];
}

export interface View {
  from: number;
  to: number;
}

export const labelWidth = 148;
export const levelHeight = 16;
export const axisHeight = 20;
const trackGap = 8;

export interface Placed {
  track: TimelineTrack;
  top: number;
  height: number;
}

/** Tracks from top to bottom, and the height of all. */
export function place(tracks: TimelineTrack[]): { placed: Placed[]; height: number } {
  let top = axisHeight;
  const placed = tracks.map((track) => {
    const height = Math.max(1, track.levels) * levelHeight;
    const at = { track, top, height };
    top += height + trackGap;
    return at;
  });
  return { placed, height: top };
}

/** Pixels of a time. */
export function toX(time: number, view: View, width: number): number {
  return labelWidth + ((time - view.from) / (view.to - view.from)) * (width - labelWidth);
}

/** The time at a pixel. */
export function toTime(x: number, view: View, width: number): number {
  return view.from + ((x - labelWidth) / (width - labelWidth)) * (view.to - view.from);
}

/** The span under a point; a span drawn thinner than three pixels is still hit. */
export function spanAt(
  placed: Placed[],
  x: number,
  y: number,
  view: View,
  width: number,
): { track: TimelineTrack; span: TimelineSpan } | undefined {
  const row = placed.find(({ top, height }) => y >= top && y < top + height);
  if (!row || x < labelWidth) return undefined;
  const level = Math.floor((y - row.top) / levelHeight);
  let best: TimelineSpan | undefined;
  let bestGap = 3;
  for (const span of row.track.spans) {
    if (span.level !== level) continue;
    const left = toX(span.start, view, width);
    const right = Math.max(left + 1, toX(span.start + span.duration, view, width));
    const gap = x < left ? left - x : x > right ? x - right : 0;
    if (gap < bestGap) {
      best = span;
      bestGap = gap;
      if (gap === 0) break;
    }
  }
  return best && { track: row.track, span: best };
}

/** A view moved by a share of itself, kept inside the whole. */
export function panned(view: View, share: number, whole: View): View {
  const span = view.to - view.from;
  const from = Math.max(whole.from, Math.min(whole.to - span, view.from + share * span));
  return { from, to: from + span };
}

/** A view scaled around a time, kept inside the whole and above 100 ns. */
export function zoomed(view: View, factor: number, around: number, whole: View): View {
  const span = Math.max(100, Math.min(whole.to - whole.from, (view.to - view.from) * factor));
  const share = (around - view.from) / (view.to - view.from);
  const from = Math.max(whole.from, Math.min(whole.to - span, around - share * span));
  return { from, to: from + span };
}

/** Round times to label, about 110 pixels apart. */
export function ticks(view: View, width: number): { step: number; times: number[] } {
  const room = Math.max(1, (width - labelWidth) / 110);
  const rough = (view.to - view.from) / room;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((candidate) => candidate >= rough) ?? power * 10;
  const times: number[] = [];
  for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) times.push(time);
  return { step, times };
}

/** The next span on a track to the right (1) or left (−1) of another. */
export function neighbour(track: TimelineTrack, span: TimelineSpan, towards: 1 | -1): TimelineSpan | undefined {
  const level = track.spans.filter((other) => other.level === span.level).sort((a, b) => a.start - b.start);
  const at = level.findIndex((other) => other === span || (other.start === span.start && other.name === span.name));
  return level[at + towards];
}
