/** A small line of values in time order; the last one marked. */
export function Sparkline({ values, label, current }: { values: number[]; label: string; current?: number }) {
  if (values.length < 2) return null;
  const width = 88;
  const height = 20;
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const x = (i: number) => 2 + (i / (values.length - 1)) * (width - 4);
  const y = (value: number) => height - 3 - ((value - low) / span) * (height - 6);
  const marked = current ?? values.length - 1;
  return (
    <svg width={width} height={height} role="img" aria-label={label} className="spark">
      <polyline
        points={values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(" ")}
        fill="none"
        stroke="var(--ink-3)"
        strokeWidth="1.25"
      />
      <circle cx={x(marked)} cy={y(values[marked]!)} r="2.6" fill="var(--accent)" />
    </svg>
  );
}
