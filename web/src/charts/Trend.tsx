import { scaleLinear } from "d3-scale";
import { instant } from "../lib/time";
import { count, digits, quantityText, shortUnit } from "../lib/units";
import { useWidth } from "./useWidth";
import "./charts.css";

/** One value at one time. */
export interface TrendPoint {
  /** Milliseconds since 1970. */
  at: number;
  value: number;
  label: string;
  group: string;
}

const colours = ["var(--a)", "var(--b)", "var(--work-runtime)", "var(--work-python)", "var(--ink-3)"];

// More points than this are no picture; the newest are drawn, and it is said.
const mostPoints = 1000;

/** Single values over time, coloured by group, named in a legend. */
export function Trend({
  points: all,
  unit,
  label,
  height = 150,
}: {
  points: TrendPoint[];
  unit: string;
  label: string;
  height?: number;
}) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const points = all
    .slice()
    .sort((a, b) => a.at - b.at)
    .slice(-mostPoints);
  const groups = [...new Set(points.map((point) => point.group))].sort();
  const times = points.map((point) => point.at);
  const values = points.map((point) => point.value);
  const early = Math.min(...times);
  const late = Math.max(...times);
  const x = scaleLinear()
    .domain(early === late ? [early - 1, late + 1] : [early, late])
    .range([66, Math.max(80, width - 16)]);
  const y = scaleLinear()
    .domain([Math.min(...values), Math.max(...values)])
    .nice(4)
    .range([height - 26, 12]);
  const top = y.ticks(4).at(-1);
  const summary = `${label}: ${points.length} values from ${quantityText(Math.min(...values), unit)} to ${quantityText(Math.max(...values), unit)}`;
  return (
    <div ref={frame}>
      {points.length < all.length && (
        <p className="foot">
          The newest {count(points.length)} of {count(all.length)} are drawn.
        </p>
      )}
      {groups.length > 1 && (
        <div className="legend">
          {groups.map((group, index) => (
            <span key={group}>
              <span
                className="swatch"
                style={{ background: colours[index % colours.length], borderRadius: "50%" }}
                aria-hidden="true"
              />
              {group || "no group"}
            </span>
          ))}
        </div>
      )}
      {width > 0 && (
        <svg
          className="chart"
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="img"
          aria-label={summary}
        >
          {y.ticks(4).map((tick) => (
            <g key={tick}>
              <line className="grid" x1={62} x2={width} y1={y(tick)} y2={y(tick)} />
              <text x={56} y={y(tick) + 4} textAnchor="end">
                {`${unit === "1" ? digits(tick * 100, 3) : digits(tick, 3)}${tick === top ? ` ${unit === "1" ? "%" : shortUnit(unit)}` : ""}`}
              </text>
            </g>
          ))}
          <text x={66} y={height - 6}>
            {instant(new Date(early).toISOString())}
          </text>
          <text x={width} y={height - 6} textAnchor="end">
            {instant(new Date(late).toISOString())}
          </text>
          {points.map((point, index) => (
            <circle
              key={index}
              cx={x(point.at)}
              cy={y(point.value)}
              r={4}
              fill={colours[groups.indexOf(point.group) % colours.length]}
              fillOpacity={0.8}
              data-tip={`${point.label}\n${quantityText(point.value, unit)}\n${instant(new Date(point.at).toISOString())}`}
            />
          ))}
        </svg>
      )}
    </div>
  );
}
