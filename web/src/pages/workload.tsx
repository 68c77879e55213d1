import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createRoute, getRouteApi, Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { editWorkload } from "../api/actions";
import { problemOf } from "../api/client";
import type { Declared, RunRow, Workload } from "../api/nouns";
import { runsQuery, workloadQuery } from "../api/queries";
import { Picture } from "../charts/Picture";
import { Trend, type TrendPoint } from "../charts/Trend";
import { DeclareDialog } from "../lenses/declare";
import { EditDialog } from "../lenses/editDialog";
import { LabelEditor } from "../lenses/labels";
import { directionWords, fieldOf, metricLabel, useLens } from "../lenses/registry";
import { drawn, useRunColumns } from "../lenses/runTable";
import { valueText } from "../lenses/values";
import { instant } from "../lib/time";
import { count } from "../lib/units";
import { isMissing } from "../ui/Absent";
import { type Column, DataTable, SaveTable } from "../ui/DataTable";
import { Empty, Loading, PageHead, Panel } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { Tag } from "../ui/Tag";
import { useTitle } from "../ui/title";
import { useWorkspace, workspaceRoute } from "./workspace";

export const route = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "workloads/$workload",
  component: WorkloadPage,
});

const api = getRouteApi("/w/$ws/workloads/$workload");

function WorkloadPage() {
  const ws = useWorkspace();
  const { workload: id } = api.useParams();
  const workload = useQuery(workloadQuery(ws, id));
  useTitle("Workloads", workload.data?.name ?? "…");
  if (workload.error) return <Problem problem={problemOf(workload.error)} onRetry={() => void workload.refetch()} />;
  if (!workload.data) return <Loading what="the workload" />;
  return <Shown ws={ws} workload={workload.data} />;
}

function Shown({ ws, workload }: { ws: string; workload: Workload }) {
  const runs = useInfiniteQuery(runsQuery(ws, { workload: workload.id }));
  const rows = useMemo(() => runs.data?.pages.flatMap((page) => page.rows) ?? [], [runs.data]);
  const columns = useRunColumns(ws, rows, { workload: false });
  const queries = useQueryClient();
  const [editing, setEditing] = useState(false);
  const change = useMutation({
    mutationFn: (body: Partial<Workload> | { declared: Record<string, unknown> }) =>
      editWorkload(ws, workload.id, workload.revision, body),
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === ws }),
  });
  return (
    <div className="stack">
      <PageHead
        title={workload.name}
        marks={<Tag>{workload.lens}</Tag>}
        actions={
          <>
            <button type="button" className="btn" onClick={() => setEditing(true)}>
              Rename…
            </button>
            <Link to="/w/$ws/runs" params={{ ws }} search={{ workload: workload.id }} className="btn">
              Select runs to compare
            </Link>
          </>
        }
      >
        {count(workload.runs)} {workload.runs === 1 ? "run" : "runs"} · created {instant(workload.created_at)} by{" "}
        {workload.created_by}
      </PageHead>
      {runs.error && <Problem problem={problemOf(runs.error)} onRetry={() => void runs.refetch()} />}
      <OverTime rows={rows} lensID={workload.lens} />
      <section className="panel flush">
        <div className="row" style={{ padding: "4px 8px" }}>
          <h2>Runs</h2>
          <span className="push">
            <SaveTable label={`${workload.name} runs`} columns={columns} rows={rows} />
          </span>
        </div>
        <DataTable
          label={`runs of ${workload.name}`}
          columns={drawn(columns)}
          rows={rows}
          rowKey={(row) => row.id}
          onNearEnd={() => runs.hasNextPage && !runs.isFetching && void runs.fetchNextPage()}
          empty={<Empty title="No runs in this workload yet">Import captures and name this workload.</Empty>}
        />
      </section>
      <DeclaredPanel workload={workload} change={change} />
      <LabelEditor
        labels={workload.labels}
        onChange={(labels) => change.mutate({ labels })}
        problem={change.error ? problemOf(change.error) : undefined}
      />
      <EditDialog
        title="Rename the workload"
        texts={[{ key: "name", label: "Name", value: workload.name, required: true }]}
        open={editing}
        onClose={() => setEditing(false)}
        pending={change.isPending}
        problem={change.error ? problemOf(change.error) : undefined}
        onChange={(changed) => change.mutate(changed, { onSuccess: () => setEditing(false) })}
      />
    </div>
  );
}

/** The headline outcome of each run over time, one colour a replicate group. */
function OverTime({ rows, lensID }: { rows: RunRow[]; lensID: string }) {
  const lens = useLens(lensID);
  const metrics = new Map<string, TrendPoint[]>();
  for (const row of rows) {
    if (isMissing(row.headline)) continue;
    const at = Date.parse(row.started_at ?? row.created_at);
    const point = { at, value: row.headline.value, label: row.name, group: row.replicate_group ?? "" };
    metrics.set(row.headline.metric, [...(metrics.get(row.headline.metric) ?? []), point]);
  }
  if (rows.length < 2) return null;
  return (
    <>
      {[...metrics].map(([metric, points]) => {
        const first = rows.find((row) => !isMissing(row.headline) && row.headline.metric === metric)!.headline;
        if (isMissing(first) || points.length < 2) return null;
        return (
          <Picture
            key={metric}
            title={metricLabel(lens, metric)}
            note={`each dot one run, ${directionWords(first.direction)}`}
            name={metric}
          >
            <Trend points={points} unit={first.unit} label={metricLabel(lens, metric)} />
          </Picture>
        );
      })}
    </>
  );
}

interface Row extends Declared {
  key: string;
}

function DeclaredPanel({
  workload,
  change,
}: {
  workload: Workload;
  change: {
    mutate: (body: { declared: Record<string, unknown> }, options?: { onSuccess: () => void }) => void;
    isPending: boolean;
    error: unknown;
  };
}) {
  const lens = useLens(workload.lens);
  const [declaring, setDeclaring] = useState(false);
  const rows: Row[] = Object.entries(workload.declared).map(([key, declared]) => ({ key, ...declared }));
  const columns: Column<Row>[] = [
    {
      key: "dimension",
      header: "Dimension",
      cell: (row) => fieldOf(lens, row.key)?.label ?? row.key,
      csv: (row) => row.key,
    },
    {
      key: "value",
      header: "Value",
      cell: (row) => <span className="mono wrap">{valueText(row.value, fieldOf(lens, row.key)?.unit)}</span>,
      csv: (row) => valueText(row.value),
    },
    { key: "by", header: "By", cell: (row) => <span className="dim">{row.by}</span>, csv: (row) => row.by },
    { key: "at", header: "At", cell: (row) => <span className="dim">{instant(row.at)}</span>, csv: (row) => row.at },
  ];
  return (
    <Panel
      title="Declared for every run in this workload"
      tools={
        <>
          <SaveTable label={`${workload.name} declared`} columns={columns} rows={rows} />
          <button type="button" className="btn" onClick={() => setDeclaring(true)}>
            Declare…
          </button>
        </>
      }
    >
      <DataTable
        label="declared values"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.key}
        empty={
          <p className="foot">
            Nothing. What all runs here share and no capture records (the model, the data set, the objective) can be
            declared once, and counts for each of them.
          </p>
        }
      />
      <DeclareDialog
        lens={lens}
        field=""
        open={declaring}
        onClose={() => setDeclaring(false)}
        what="every run in this workload"
        pending={change.isPending}
        problem={change.error ? problemOf(change.error) : undefined}
        onDeclare={(key, value) =>
          change.mutate({ declared: { [key]: value } }, { onSuccess: () => setDeclaring(false) })
        }
      />
    </Panel>
  );
}
