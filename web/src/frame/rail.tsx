import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { countQuery } from "../api/queries";
import { count } from "../lib/units";

/** What exists, and how much of it. Nothing that does not exist yet is shown. */
export function Rail({ ws, version }: { ws: string; version: string }) {
  const counts = {
    workloads: useQuery(countQuery(ws, "workloads")).data,
    runs: useQuery(countQuery(ws, "runs")).data,
    captures: useQuery(countQuery(ws, "captures")).data,
    comparisons: useQuery(countQuery(ws, "comparisons")).data,
    setups: useQuery(countQuery(ws, "setups")).data,
  };
  const to = {
    params: { ws },
    className: "item",
    activeProps: { className: "item on", "aria-current": "page" as const },
  };
  return (
    <nav className="rail" aria-label="Workspace">
      <Link to="/w/$ws" params={{ ws }} className="brand" aria-label="Kernelwake, start">
        <img src="/icon.svg" alt="" />
        <span>Kernelwake</span>
      </Link>
      <Link to="/w/$ws" {...to} activeOptions={{ exact: true }}>
        Start
      </Link>
      <Link to="/w/$ws/import" {...to}>
        Import
      </Link>
      <div className="cap">Evidence</div>
      <Link to="/w/$ws/workloads" {...to}>
        Workloads <Count value={counts.workloads} />
      </Link>
      <Link to="/w/$ws/runs" {...to} activeOptions={{ includeSearch: false }}>
        Runs <Count value={counts.runs} />
      </Link>
      <Link to="/w/$ws/captures" {...to} activeOptions={{ includeSearch: false }}>
        Captures <Count value={counts.captures} />
      </Link>
      <Link to="/w/$ws/setups" {...to}>
        Setups <Count value={counts.setups} />
      </Link>
      <div className="cap">Decide</div>
      <Link to="/w/$ws/compare" {...to} activeOptions={{ includeSearch: false }}>
        Compare
      </Link>
      <Link to="/w/$ws/comparisons" {...to}>
        Comparisons <Count value={counts.comparisons} />
      </Link>
      <div className="end">{version}</div>
    </nav>
  );
}

function Count({ value }: { value: number | undefined }): ReactNode {
  return value ? <span className="dim">{count(value)}</span> : null;
}
