import { scaleLinear } from "d3-scale";
import { useCallback, useMemo } from "react";
import { axisRange, ecdf, sorted, spread } from "../lib/distribution";
import { count, digits, quantityText, shortUnit } from "../lib/units";
import { type Surface, usePicture } from "./picture";
import "./charts.css";

/** One set of samples: a lane of dots, or a curve. */
export interface SampleSet {
  label: string;
  /** "a" baseline, "b" candidate, "plain" neither. */
  side: "a" | "b" | "plain";
  values: ArrayLike<number>;
  /** The statistic to mark, as the server computed it. */
  mark?: number;
}

interface Props {
  /** What is measured, for the summary. */
  label: string;
  unit: string;
  sets: SampleSet[];
  mode: "dots" | "ecdf";
}

const sideColour = { a: "a", b: "b", plain: "ink-2" } as const;
const gutter = { left: 12, right: 16, axis: 22 };

/** Every sample as a dot, or the share of samples at or below each value. */
export function Distribution({ label, unit, sets, mode }: Props) {
  const ordered = useMemo(() => sets.map((set) => sorted(set.values)), [sets]);
  const range = useMemo(() => axisRange(ordered), [ordered]);
  const laneHeight = sets.length > 6 ? 22 : sets.length > 2 ? 30 : 44;
  const height = mode === "ecdf" ? 190 : sets.length * (laneHeight + 14) + gutter.axis + 6;
  const draw = useCallback(
    (surface: Surface) => {
      const x = scaleLinear()
        .domain([range.low, range.high])
        .range([gutter.left, surface.width - gutter.right]);
      if (range.beyond === 0) x.nice(6);
      drawAxis(surface, x, unit);
      if (mode === "ecdf") drawCurves(surface, x, sets, ordered);
      else drawDots(surface, x, sets, ordered, laneHeight);
    },
    [sets, ordered, range, mode, unit, laneHeight],
  );
  const canvas = usePicture(draw);
  const summary = `${label}: ${sets
    .map((set, i) => {
      const mark = set.mark === undefined ? "" : `, ${quantityText(set.mark, unit)}`;
      return `${set.label}${mark}, ${count(ordered[i]!.length)} samples`;
    })
    .join("; ")}`;
  return (
    <>
      <canvas ref={canvas} className="chart" role="img" aria-label={summary} style={{ height }} />
      {range.beyond > 0 && (
        <p className="foot">
          {count(range.beyond)} {range.beyond === 1 ? "value lies" : "values lie"} beyond{" "}
          {quantityText(range.high, unit)} and {range.beyond === 1 ? "is" : "are"} not drawn; every figure counts{" "}
          {range.beyond === 1 ? "it" : "them"}.
        </p>
      )}
    </>
  );
}

type Scale = ReturnType<typeof scaleLinear<number, number>>;

function drawAxis({ context, width, height, colour, font }: Surface, x: Scale, unit: string) {
  const base = height - gutter.axis;
  context.strokeStyle = colour("line");
  context.fillStyle = colour("ink-2");
  context.font = font(11);
  context.textAlign = "center";
  const ticks = x.ticks(Math.max(3, Math.floor(width / 90)));
  for (const tick of ticks) {
    context.beginPath();
    context.moveTo(x(tick), 4);
    context.lineTo(x(tick), base);
    context.stroke();
    const text = unit === "1" ? digits(tick * 100, 3) : digits(tick, 3);
    const last = tick === ticks.at(-1);
    context.fillText(
      last ? `${text} ${unit === "1" ? "%" : shortUnit(unit)}` : text,
      Math.min(x(tick), width - 22),
      height - 7,
    );
  }
  context.strokeStyle = colour("line-strong");
  context.beginPath();
  context.moveTo(gutter.left, base);
  context.lineTo(width - gutter.right, base);
  context.stroke();
}

function drawDots(surface: Surface, x: Scale, sets: SampleSet[], ordered: Float64Array[], laneHeight: number) {
  const { context, width, colour, font } = surface;
  const [low = 0, high = 1] = x.domain();
  sets.forEach((set, lane) => {
    const top = 4 + lane * (laneHeight + 14);
    const middle = top + 14 + laneHeight / 2;
    const tone = colour(sideColour[set.side]);
    const values = ordered[lane]!;
    const many = values.length > 400;
    const radius = many ? 1.6 : 3.4;
    const offsets = spread(values.length);
    context.fillStyle = tone;
    context.globalAlpha = values.length > 5000 ? 0.15 : many ? 0.35 : 0.7;
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (value < low || value > high) continue;
      const y = middle + offsets[i]! * (laneHeight / 2 - radius);
      if (many) {
        context.fillRect(x(value) - radius, y - radius, 2 * radius, 2 * radius);
      } else {
        context.beginPath();
        context.arc(x(value), y, radius, 0, 2 * Math.PI);
        context.fill();
      }
    }
    context.globalAlpha = 1;
    context.font = font(11);
    context.textAlign = "left";
    context.fillStyle = tone;
    context.fillText(set.label, gutter.left, top + 9);
    if (set.mark === undefined || set.mark > high || set.mark < low) return;
    context.strokeStyle = tone;
    context.lineWidth = 2.5;
    context.beginPath();
    context.moveTo(x(set.mark), top + 14);
    context.lineTo(x(set.mark), top + 14 + laneHeight);
    context.stroke();
    context.lineWidth = 1;
    labelAt(
      surface,
      markText(set.mark),
      x(set.mark),
      top + 9,
      gutter.left + context.measureText(set.label).width,
      width,
    );
  });
}

const markText = (value: number) => digits(value);

// The mark's number stands above its line, pushed aside by the lane's name.
function labelAt({ context, font }: Surface, text: string, at: number, y: number, taken: number, width: number) {
  context.font = font(11, 600);
  const half = context.measureText(text).width / 2;
  context.textAlign = "center";
  context.fillText(text, Math.min(width - gutter.right - half, Math.max(at, taken + half + 8)), y);
}

function drawCurves(surface: Surface, x: Scale, sets: SampleSet[], ordered: Float64Array[]) {
  const { context, width, height, colour, font } = surface;
  const base = height - gutter.axis;
  const y = (share: number) => base - share * (base - 10);
  context.font = font(11);
  context.textAlign = "left";
  for (const share of [0.5, 0.9, 0.99]) {
    context.strokeStyle = colour("line");
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(gutter.left, y(share));
    context.lineTo(width - gutter.right, y(share));
    context.stroke();
    context.setLineDash([]);
    if (share !== 0.99) {
      context.fillStyle = colour("ink-3");
      context.fillText(`p${share * 100}`, gutter.left + 2, y(share) - 3);
    }
  }
  const [, high = 1] = x.domain();
  sets.forEach((set, index) => {
    context.strokeStyle = colour(sideColour[set.side]);
    context.lineWidth = sets.length > 6 ? 1 : 1.75;
    context.globalAlpha = sets.length > 6 ? 0.7 : 1;
    context.beginPath();
    let before = y(0);
    ecdf(ordered[index]!, 2000).forEach((point, i) => {
      if (point.x > high) return;
      if (i === 0) context.moveTo(x(point.x), y(0));
      context.lineTo(x(point.x), before);
      before = y(point.share);
      context.lineTo(x(point.x), before);
    });
    context.stroke();
    context.globalAlpha = 1;
    context.lineWidth = 1;
  });
}
