import { percent } from "../lib/units";
import { useWidth } from "./useWidth";
import "./charts.css";

/** One level of a waterfall; absent levels say why and stay without a bar. */
export interface Level {
  label: string;
  value?: number;
  absent?: string;
}

/** Each level is what is left of the one above: inventory, eligible, allocated, productive. */
export function Waterfall({ levels, unit, label }: { levels: Level[]; unit: string; label: string }) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const whole = Math.max(...levels.map((level) => level.value ?? 0), 1e-9);
  const row = 34;
  const left = 92;
  const room = Math.max(40, width - left - 150);
  const text = (level: Level) =>
    level.value === undefined
      ? `— ${level.absent ?? ""}`
      : `${Math.round(level.value).toLocaleString("en")} ${unit} · ${percent(level.value / whole, 0)}`;
  const summary = `${label}: ${levels.map((level) => `${level.label} ${text(level)}`).join(", ")}`;
  const height = levels.length * row + 6;
  return (
    <div ref={frame}>
      {width > 0 && (
        <svg
          className="chart"
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="img"
          aria-label={summary}
        >
          {levels.map((level, index) => {
            const length = level.value === undefined ? 0 : (level.value / whole) * room;
            return (
              <g key={level.label}>
                <rect
                  x={left}
                  y={index * row + 4}
                  width={level.value === undefined ? room : length}
                  height={22}
                  rx={3}
                  fill={
                    level.value === undefined
                      ? "none"
                      : `color-mix(in oklab, var(--a) ${40 + index * 20}%, var(--sunk))`
                  }
                  stroke={level.value === undefined ? "var(--line-strong)" : "none"}
                  strokeDasharray={level.value === undefined ? "4 4" : undefined}
                />
                <text x={left - 8} y={index * row + 19} textAnchor="end">
                  {level.label}
                </text>
                <text x={left + (level.value === undefined ? 8 : length + 8)} y={index * row + 19}>
                  {text(level)}
                </text>
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}
