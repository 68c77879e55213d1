import { scaleLinear, scaleLog } from "d3-scale";
import { plainRatio, ratio, signed } from "../lib/units";
import { useWidth } from "./useWidth";
import "./charts.css";

/** The scale an effect lives on. */
export type EffectScale = "ratio" | "points" | "difference";

/** One effect with its intervals, ready to draw. */
export interface IntervalRow {
  key: string;
  label: string;
  /** Which way is better, and how wide the band of no practical matter is. */
  note: string;
  /** The same where there is little room. */
  short: string;
  value: number;
  /** The interval of the verdict. */
  interval?: [number, number];
  /** The interval that speaks of these launches alone. */
  within?: [number, number];
  threshold: number;
  tone: "better" | "worse" | "unsure" | "ink-2";
  /** Hollow marks are findings that a cap keeps from being a verdict. */
  hollow: boolean;
}

/** An effect in words, on its own scale: ×0.718 [0.593, 0.869]. */
export function effectText(scale: EffectScale, value: number, interval?: [number, number], unit = ""): string {
  const range = interval ? ` [${part(scale, interval[0])}, ${part(scale, interval[1])}]` : "";
  switch (scale) {
    case "ratio":
      return `${ratio(value)}${range}`;
    case "points":
      return `${signed(value * 100)}${range} pp`;
    case "difference":
      return `${signed(value)}${range}${unit ? ` ${unit}` : ""}`;
  }
}

function part(scale: EffectScale, value: number): string {
  if (scale === "ratio") return plainRatio(value);
  return signed(scale === "points" ? value * 100 : value);
}

const rowHeight = 38;
const axisHeight = 24;

/** A forest plot: each effect, its interval and the band in which a change does not matter. */
export function Intervals({
  scale,
  rows,
  unit = "",
  label,
}: {
  scale: EffectScale;
  rows: IntervalRow[];
  unit?: string;
  label: string;
}) {
  const [frame, width] = useWidth<HTMLDivElement>();
  return (
    <div ref={frame}>{width > 0 && <Forest scale={scale} rows={rows} unit={unit} label={label} width={width} />}</div>
  );
}

function Forest({
  scale,
  rows,
  unit,
  label,
  width,
}: {
  scale: EffectScale;
  rows: IntervalRow[];
  unit: string;
  label: string;
  width: number;
}) {
  const narrow = width < 560;
  const left = narrow ? 4 : 168;
  const right = narrow ? 4 : 186;
  const tall = narrow ? rowHeight + 20 : rowHeight;
  const height = rows.length * tall + axisHeight;
  const neutral = scale === "ratio" ? 1 : 0;
  const [low, high] = extent(scale, rows);
  const x =
    scale === "ratio"
      ? scaleLog()
          .domain([low, high])
          .range([left, width - right])
      : scaleLinear()
          .domain([low, high])
          .range([left, width - right]);
  const clamp = (value: number) => Math.max(left, Math.min(width - right, x(Math.max(low, Math.min(high, value)))));
  const ticks = tickValues(scale, low, high, width - left - right);
  const summary = `${label}. ${rows.map((row) => `${row.label} ${effectText(scale, row.value, row.interval ?? row.within, unit)}`).join("; ")}`;
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={summary}
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <GridLine x={x(tick)} rows={rows.length} tall={tall} narrow={narrow} />
          <text x={Math.max(16, Math.min(width - 16, x(tick)))} y={height - 7} textAnchor="middle">
            {scale === "ratio" ? String(tick) : part(scale, tick)}
          </text>
        </g>
      ))}
      {rows.map((row, index) => (
        <ForestRow key={row.key} row={row} top={index * tall} {...{ scale, narrow, tall, width, clamp, unit }} />
      ))}
      <GridLine x={clamp(neutral)} rows={rows.length} tall={tall} narrow={narrow} strong />
    </svg>
  );
}

// On a narrow picture the text stands above each row's own strip of the plot.
function GridLine({
  x,
  rows,
  tall,
  narrow,
  strong,
}: {
  x: number;
  rows: number;
  tall: number;
  narrow: boolean;
  strong?: boolean;
}) {
  const strips = narrow
    ? Array.from({ length: rows }, (_, row) => [row * tall + 20, (row + 1) * tall])
    : [[0, rows * tall]];
  return (
    <>
      {strips.map(([top, bottom]) => (
        <line key={top} className={strong ? "axis" : "grid"} x1={x} x2={x} y1={top} y2={bottom} />
      ))}
    </>
  );
}

function ForestRow({
  row,
  top,
  scale,
  narrow,
  tall,
  width,
  clamp,
  unit,
}: {
  row: IntervalRow;
  top: number;
  scale: EffectScale;
  narrow: boolean;
  tall: number;
  width: number;
  clamp: (value: number) => number;
  unit: string;
}) {
  const middle = narrow ? top + tall - 16 : top + tall / 2;
  const colour = `var(--${row.tone})`;
  const [bandLow, bandHigh] =
    scale === "ratio" ? [1 / (1 + row.threshold), 1 + row.threshold] : [-row.threshold, row.threshold];
  const at = clamp(row.value);
  const outer = row.interval ?? row.within;
  return (
    <g>
      <rect
        x={clamp(bandLow)}
        width={Math.max(1, clamp(bandHigh) - clamp(bandLow))}
        y={top + (narrow ? 20 : 3)}
        height={tall - (narrow ? 20 : 6)}
        fill="var(--sunk)"
      />
      <text className="ink" x={0} y={narrow ? top + 14 : middle - 2}>
        {row.label}
        {narrow && (
          <tspan className="note" dx={6}>
            {row.short}
          </tspan>
        )}
      </text>
      {!narrow && (
        <text className="note" x={0} y={middle + 12}>
          {row.note}
        </text>
      )}
      {outer && (
        <line
          x1={clamp(outer[0])}
          x2={clamp(outer[1])}
          y1={middle}
          y2={middle}
          stroke={colour}
          strokeWidth={row.within && row.interval ? 1 : 2.5}
          strokeLinecap="round"
        />
      )}
      {row.within && row.interval && (
        <line
          x1={clamp(row.within[0])}
          x2={clamp(row.within[1])}
          y1={middle}
          y2={middle}
          stroke={colour}
          strokeWidth={4}
          strokeLinecap="round"
          opacity={0.55}
        />
      )}
      <polygon
        points={`${at},${middle - 6.5} ${at + 6.5},${middle} ${at},${middle + 6.5} ${at - 6.5},${middle}`}
        fill={row.hollow ? "var(--panel)" : colour}
        stroke={colour}
        strokeWidth={2}
      />
      <text className="mono" x={width} y={narrow ? top + 14 : middle + 4} textAnchor="end">
        {effectText(scale, row.value, outer, unit)}
      </text>
    </g>
  );
}

function extent(scale: EffectScale, rows: IntervalRow[]): [number, number] {
  const values = rows
    .flatMap((row) => [row.value, ...(row.interval ?? []), ...(row.within ?? [])])
    .filter(Number.isFinite);
  if (scale === "ratio") {
    const bands = rows.flatMap((row) => [1 / (1 + row.threshold * 1.6), 1 + row.threshold * 1.6]);
    const all = [...values.filter((value) => value > 0), ...bands];
    return [Math.max(0.05, Math.min(...all) / 1.04), Math.min(20, Math.max(...all) * 1.04)];
  }
  const reach = Math.max(...rows.map((row) => row.threshold * 1.6), ...values.map(Math.abs), 1e-9) * 1.05;
  return [-reach, reach];
}

const ratioTicks = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.25, 1.5, 2, 3, 5, 10, 20];

function tickValues(scale: EffectScale, low: number, high: number, room: number): number[] {
  if (scale !== "ratio")
    return scaleLinear()
      .domain([low, high])
      .ticks(Math.max(3, Math.min(7, room / 70)));
  const span = Math.log(high / low);
  const kept: number[] = [1];
  for (const tick of ratioTicks) {
    const clear = kept.every((other) => (Math.abs(Math.log(tick / other)) / span) * room > 36);
    if (tick > low && tick < high && clear) kept.push(tick);
  }
  return kept.sort((a, b) => a - b);
}
