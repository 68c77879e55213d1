import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { createRoute, getRouteApi, Link } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useState } from "react";
import { problemOf } from "../api/client";
import type { RunRow } from "../api/nouns";
import { glanceQuery, type RunFilters, runsQuery, workloadsQuery } from "../api/queries";
import { formatName } from "../lenses/marks";
import { useLenses } from "../lenses/registry";
import { drawn, useRunColumns } from "../lenses/runTable";
import { proposeSides } from "../lenses/sides";
import { one } from "../lib/search";
import { count } from "../lib/units";
import { DataTable, SaveTable } from "../ui/DataTable";
import { FilterSelect } from "../ui/Field";
import { useKeys } from "../ui/keys";
import { Empty, Loading, PageHead, TruncationBar } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { useTitle } from "../ui/title";
import { useWorkspace, workspaceRoute } from "./workspace";

interface RunSearch extends RunFilters {
  selected?: string;
}

const filterKeys = ["workload", "lens", "q", "label", "measured_on", "origin", "format", "group"] as const;

export const route = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "runs",
  validateSearch: (search: Record<string, unknown>): RunSearch =>
    Object.fromEntries([...filterKeys, "selected"].map((key) => [key, one(search[key])])),
  component: Runs,
});

const api = getRouteApi("/w/$ws/runs");

const runKey = (row: RunRow) => row.id;

function Runs() {
  useTitle("Runs");
  const ws = useWorkspace();
  const search = api.useSearch();
  const navigate = api.useNavigate();
  const { selected: _, ...filters } = search;
  const runs = useInfiniteQuery(runsQuery(ws, filters));
  const rows = useMemo(() => runs.data?.pages.flatMap((page) => page.rows) ?? [], [runs.data]);
  const first = runs.data?.pages[0];
  const columns = useRunColumns(ws, rows, { workload: true });
  const selected = useMemo(() => (search.selected ? search.selected.split(",") : []), [search.selected]);
  const setSearch = useCallback(
    (change: Partial<RunSearch>) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true }),
    [navigate],
  );
  const toggle = (id: string) => {
    const next = selected.includes(id) ? selected.filter((each) => each !== id) : [...selected, id];
    setSearch({ selected: next.join(",") || undefined });
  };
  const { hasNextPage, isFetching, fetchNextPage } = runs;
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const filtered = filterKeys.some((key) => search[key]);
  return (
    <div className="stack">
      <PageHead
        title="Runs"
        actions={
          <>
            <SaveTable label="runs" columns={columns} rows={rows} />
            <Link to="/w/$ws/import" params={{ ws }} className="btn">
              Import…
            </Link>
          </>
        }
      >
        {first &&
          `${count(first.total)} ${first.total === 1 ? "run" : "runs"}${filtered ? " match the filters" : ""}. Select two or more to compare them.`}
      </PageHead>
      <Filters search={search} onChange={setSearch} />
      {runs.error && <Problem problem={problemOf(runs.error)} onRetry={() => void runs.refetch()} />}
      {first?.truncated && <TruncationBar {...first.truncated} />}
      {runs.isPending && <Loading what="runs" />}
      {first && (
        <section className="panel flush">
          <DataTable
            label="runs"
            columns={drawn(columns)}
            rows={rows}
            rowKey={runKey}
            total={first.total}
            onNearEnd={more}
            selection={{ has: (key) => selected.includes(key), toggle, label: "Select for comparison" }}
            empty={
              <NoRuns
                ws={ws}
                filtered={filtered}
                onClear={() => setSearch(Object.fromEntries(filterKeys.map((key) => [key, undefined])))}
              />
            }
          />
          {hasNextPage && (
            <p className="foot more">
              {count(rows.length)} of {count(first.total)} read; the rest follows as you scroll.
            </p>
          )}
        </section>
      )}
      {selected.length > 0 && (
        <SelectionBar ws={ws} selected={selected} rows={rows} onClear={() => setSearch({ selected: undefined })} />
      )}
    </div>
  );
}

function NoRuns({ ws, filtered, onClear }: { ws: string; filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <Empty
        title="No run matches"
        action={
          <button type="button" className="btn" onClick={onClear}>
            Clear the filters
          </button>
        }
      >
        The filters above leave nothing.
      </Empty>
    );
  }
  return (
    <Empty
      title="No runs yet"
      action={
        <Link to="/w/$ws/import" params={{ ws }} className="btn primary">
          Import a capture
        </Link>
      }
    >
      A run is one launch: one server start, one training launch, one window of a pool. Import what your tool recorded,
      and its run appears here.
    </Empty>
  );
}

function Filters({ search, onChange }: { search: RunSearch; onChange: (change: Partial<RunSearch>) => void }) {
  const ws = useWorkspace();
  const lenses = useLenses();
  const workloads = useQuery(workloadsQuery(ws)).data?.rows ?? [];
  const [text, setText] = useState(search.q ?? "");
  useEffect(() => {
    const timer = setTimeout(() => text !== (search.q ?? "") && onChange({ q: text || undefined }), 250);
    return () => clearTimeout(timer);
  }, [text, search.q, onChange]);
  return (
    <div className="filters">
      <input
        type="search"
        aria-label="Filter by name"
        placeholder="Filter by name"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <FilterSelect
        label="lens"
        value={search.lens}
        onChange={(lens) => onChange({ lens })}
        options={lenses.map((lens) => ({ value: lens.id, label: lens.id }))}
      />
      <FilterSelect
        label="workload"
        value={search.workload}
        onChange={(workload) => onChange({ workload })}
        options={workloads.map((each) => ({ value: each.id, label: each.name }))}
      />
      <FilterSelect
        label="measured on"
        value={search.measured_on}
        onChange={(measured_on) => onChange({ measured_on })}
        options={["gpu", "cpu", "simulator", "none", "unknown"].map((value) => ({ value, label: value }))}
      />
      <FilterSelect
        label="origin"
        value={search.origin}
        onChange={(origin) => onChange({ origin })}
        options={["recorded", "synthetic", "unattested"].map((value) => ({ value, label: value }))}
      />
      <FilterSelect
        label="format"
        value={search.format}
        onChange={(format) => onChange({ format })}
        options={["aiperf", "chrome-trace", "kernelwake-json"].map((value) => ({ value, label: formatName(value) }))}
      />
      {(["label", "group"] as const).map(
        (key) =>
          search[key] && (
            <button
              key={key}
              type="button"
              className="tag a clear"
              onClick={() => onChange({ [key]: undefined })}
              aria-label={`${key}: ${search[key]}, remove the filter`}
            >
              {key}: {search[key]} ✕
            </button>
          ),
      )}
    </div>
  );
}

function SelectionBar({
  ws,
  selected,
  rows,
  onClear,
}: {
  ws: string;
  selected: string[];
  rows: RunRow[];
  onClear: () => void;
}) {
  const navigate = api.useNavigate();
  const sides = useMemo(
    () => proposeSides(selected.map((id) => rows.find((row) => row.id === id) ?? { id })),
    [selected, rows],
  );
  const ready = sides.baseline.length > 0 && sides.candidate.length > 0;
  const glance = useQuery({ ...glanceQuery(ws, sides.baseline[0] ?? "", sides.candidate[0] ?? ""), enabled: ready });
  const search = useMemo(() => ({ baseline: sides.baseline.join(","), candidate: sides.candidate.join(",") }), [sides]);
  useKeys(
    useMemo(
      () => ({ c: () => ready && void navigate({ to: "/w/$ws/compare", params: { ws }, search }) }),
      [ready, navigate, ws, search],
    ),
  );
  return (
    <section className="panel selection" aria-label="Selection">
      <b>{selected.length} selected</b>
      <span className="sub" role="status">
        {!ready && "Select one more to hold them against each other."}
        {ready && glance.data?.sentence}
        {ready && glance.error && problemOf(glance.error).detail}
        {ready && selected.length > 2 && (
          <span className="dim">
            {" "}
            {sides.baseline.length} against {sides.candidate.length}
            {sides.why}
          </span>
        )}
      </span>
      <span className="row push">
        <button type="button" className="btn quiet" onClick={onClear}>
          Clear
        </button>
        {ready && (
          <Link to="/w/$ws/compare" params={{ ws }} search={search} className="btn primary">
            Compare <kbd>c</kbd>
          </Link>
        )}
      </span>
    </section>
  );
}
