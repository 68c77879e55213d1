import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { get } from "../api/client";
import type { List } from "../api/nouns";
import { inWorkspace } from "../api/queries";
import { count } from "../lib/units";

function useCount(ws: string, noun: string): number | undefined {
  return useQuery({
    queryKey: [noun, ws, "count"],
    queryFn: () => get<List<unknown>>(inWorkspace(ws, noun), { limit: 1 }),
    staleTime: 15_000,
  }).data?.total;
}

/** What exists, and how much of it. Nothing that does not exist yet is shown. */
export function Rail({ ws, version }: { ws: string; version: string }) {
  const counts = {
    workloads: useCount(ws, "workloads"),
    runs: useCount(ws, "runs"),
    captures: useCount(ws, "captures"),
    comparisons: useCount(ws, "comparisons"),
    setups: useCount(ws, "setups"),
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
