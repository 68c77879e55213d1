import { useEffect, useRef, useState } from "react";
import type uPlot from "uplot";
import { digits, shortUnit } from "../lib/units";
import { token } from "./picture";
import "./charts.css";

/** One series: values beside the shared times, NaN where there is none. */
export interface Series {
  label: string;
  colour: string;
  values: ArrayLike<number>;
  /** Single points instead of a line. */
  points?: boolean;
}

interface Props {
  label: string;
  /** Seconds from the start of the window, ascending. */
  at: ArrayLike<number>;
  series: Series[];
  unit: string;
  height?: number;
  logarithmic?: boolean;
}

/** Values over time; drag to zoom, double-click to see all again. Drawn by uPlot, which loads when first needed. */
export function TimeSeries({ label, at, series, unit, height = 220, logarithmic }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [theme, setTheme] = useState(0);
  useEffect(() => {
    const next = () => setTheme((count) => count + 1);
    const observer = new MutationObserver(next);
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const scheme = window.matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", next);
    return () => {
      observer.disconnect();
      scheme.removeEventListener("change", next);
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of theme draws anew
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let plot: uPlot | undefined;
    let gone = false;
    const resized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    void Promise.all([import("uplot"), import("uplot/dist/uPlot.min.css")]).then(([{ default: UPlot }]) => {
      if (gone) return;
      plot = new UPlot(
        options(UPlot, element.clientWidth, height, series, unit, logarithmic),
        data(at, series),
        element,
      );
      resized.observe(element);
    });
    return () => {
      gone = true;
      resized.disconnect();
      plot?.destroy();
    };
  }, [at, series, unit, height, logarithmic, theme]);

  return <div ref={frame} role="img" aria-label={label} style={{ minHeight: height }} />;
}

function data(at: ArrayLike<number>, series: Series[]): uPlot.AlignedData {
  const columns = series.map((one) => Array.from(one.values, (value) => (Number.isFinite(value) ? value : null)));
  return [Array.from(at), ...columns];
}

function options(
  UPlot: typeof uPlot,
  width: number,
  height: number,
  series: Series[],
  unit: string,
  logarithmic?: boolean,
): uPlot.Options {
  const font = `11px ${token("font")}`;
  const line = {
    stroke: token("ink-2"),
    font,
    grid: { stroke: token("line"), width: 1 },
    ticks: { stroke: token("line-strong"), width: 1, size: 4 },
  };
  return {
    width,
    height,
    legend: { live: true },
    cursor: { drag: { x: true, y: false } },
    scales: { x: { time: false }, y: logarithmic ? { distr: 3 } : {} },
    axes: [
      { ...line, values: (_, ticks) => ticks.map((tick) => `${digits(tick, 3)} s`) },
      {
        ...line,
        size: 64,
        values: (_, ticks) => ticks.map((tick) => (tick === null ? "" : `${digits(tick, 3)} ${shortUnit(unit)}`)),
      },
    ],
    series: [
      { label: "at", value: (_, value) => (value === null ? "—" : `${digits(value)} s`) },
      ...series.map(
        (one): uPlot.Series => ({
          label: one.label,
          stroke: token(one.colour),
          width: 1.5,
          paths: one.points ? () => null : UPlot.paths.linear?.(),
          points: one.points ? { show: true, size: 3.5, fill: token(one.colour), width: 0 } : { show: false },
          value: (_, value) => (value === null ? "—" : `${digits(value)} ${shortUnit(unit)}`),
        }),
      ),
    ],
  };
}
