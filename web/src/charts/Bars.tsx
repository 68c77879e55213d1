import { percent } from "../lib/units";
import "./charts.css";

/** One part of a whole. */
export interface Part {
  key: string;
  label: string;
  /** A colour token. */
  colour: string;
  value: number;
  shown: string;
}

/** A whole cut into its parts, with a table of them below. */
export function StackedBar({ label, parts, whole }: { label: string; parts: Part[]; whole: number }) {
  let at = 0;
  const summary = `${label}: ${parts.map((part) => `${part.label} ${percent(part.value / whole)}`).join(", ")}`;
  return (
    <>
      <svg
        className="chart"
        viewBox="0 0 1000 28"
        height="28"
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
      >
        {parts.map((part) => {
          const x = at;
          at += (part.value / whole) * 1000;
          return (
            <rect
              key={part.key}
              x={x}
              y={0}
              width={Math.max(0, at - x - 1.5)}
              height={28}
              fill={`var(--${part.colour})`}
            />
          );
        })}
      </svg>
      <table className="data">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Time</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={part.key}>
              <td>
                <span className="swatch" style={{ background: `var(--${part.colour})` }} aria-hidden="true" />
                {part.label}
              </td>
              <td className="n">{part.shown}</td>
              <td className="n">{percent(part.value / whole)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** A bar as long as its share of the largest. */
export function ShareBar({ share, colour = "work-compute" }: { share: number; colour?: string }) {
  return (
    <svg
      width="100%"
      height="10"
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      aria-hidden="true"
      className="share-bar"
    >
      <rect width={Math.max(0.5, Math.min(1, share) * 100)} height="10" fill={`var(--${colour})`} />
    </svg>
  );
}
