import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createRoute, Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { createWorkload } from "../api/actions";
import { problemOf } from "../api/client";
import type { LensID, Workload } from "../api/nouns";
import { workloadsQuery } from "../api/queries";
import { useLenses } from "../lenses/registry";
import { valueText } from "../lenses/values";
import { instant } from "../lib/time";
import { count } from "../lib/units";
import { type Column, DataTable, SaveTable } from "../ui/DataTable";
import { Dialog } from "../ui/Dialog";
import { SelectField, TextField } from "../ui/Field";
import { Empty, Loading, PageHead } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { useTitle } from "../ui/title";
import { useWorkspace, workspaceRoute } from "./workspace";

export const route = createRoute({ getParentRoute: () => workspaceRoute, path: "workloads", component: Workloads });

function columnsFor(ws: string): Column<Workload>[] {
  return [
    {
      key: "workload",
      header: "Workload",
      cell: (row) => (
        <Link to="/w/$ws/workloads/$workload" params={{ ws, workload: row.id }} className="primary-link" data-primary>
          {row.name}
        </Link>
      ),
      csv: (row) => row.name,
    },
    { key: "lens", header: "Lens", cell: (row) => <span className="dim">{row.lens}</span>, csv: (row) => row.lens },
    {
      key: "declared",
      header: "Declared for all its runs",
      cell: (row) => (
        <span className="dim">
          {Object.entries(row.declared)
            .map(([key, declared]) => `${key} ${valueText(declared.value)}`)
            .join(" · ") || "nothing"}
        </span>
      ),
      csv: (row) => Object.keys(row.declared).join(" "),
    },
    { key: "runs", header: "Runs", number: true, cell: (row) => count(row.runs), csv: (row) => row.runs },
    {
      key: "created_at",
      header: "Created",
      cell: (row) => <span className="dim">{instant(row.created_at)}</span>,
      csv: (row) => row.created_at,
    },
  ];
}

function Workloads() {
  useTitle("Workloads");
  const ws = useWorkspace();
  const workloads = useQuery(workloadsQuery(ws));
  const [creating, setCreating] = useState(false);
  const columns = columnsFor(ws);
  const rows = workloads.data?.rows ?? [];
  return (
    <div className="stack">
      <PageHead
        title="Workloads"
        actions={
          <>
            <SaveTable label="workloads" columns={columns} rows={rows} />
            <button type="button" className="btn" onClick={() => setCreating(true)}>
              New workload…
            </button>
          </>
        }
      >
        The thing whose performance is being decided on: a model behind a server, a training job, a pool. Putting runs
        into one declares that they share what it names.
      </PageHead>
      {workloads.isPending && <Loading what="workloads" />}
      {workloads.error && <Problem problem={problemOf(workloads.error)} onRetry={() => void workloads.refetch()} />}
      {workloads.data && (
        <section className="panel flush">
          <DataTable
            label="workloads"
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            empty={
              <Empty
                title="No workloads yet"
                action={
                  <Link to="/w/$ws/import" params={{ ws }} className="btn primary">
                    Import a capture
                  </Link>
                }
              >
                The first import makes one, under the name you give it.
              </Empty>
            }
          />
        </section>
      )}
      <CreateWorkload open={creating} onClose={() => setCreating(false)} />
    </div>
  );
}

function CreateWorkload({ open, onClose }: { open: boolean; onClose: () => void }) {
  const ws = useWorkspace();
  const lenses = useLenses();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [lens, setLens] = useState<string>("inference");
  const [model, setModel] = useState("");
  const create = useMutation({
    mutationFn: () =>
      createWorkload(ws, {
        name: name.trim(),
        lens: lens as LensID,
        declared: model.trim() ? { model: model.trim() } : {},
      }),
    onSuccess: async (made) => {
      await queries.invalidateQueries({ queryKey: ["workloads", ws] });
      onClose();
      await navigate({ to: "/w/$ws/workloads/$workload", params: { ws, workload: made.id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Dialog open={open} onClose={onClose} title="New workload">
      <form onSubmit={submit}>
        <TextField label="Name" value={name} onChange={setName} required autoFocus placeholder="resnet50 training" />
        <SelectField
          label="Lens"
          value={lens}
          onChange={setLens}
          hint={lenses.find((each) => each.id === lens)?.question}
          options={lenses.map((each) => ({ value: each.id, label: each.label }))}
        />
        {lens !== "fleet" && (
          <TextField
            label="Model (may stay empty)"
            value={model}
            onChange={setModel}
            mono
            hint="Declared for every run in the workload. Without one the workload itself stands for the model."
          />
        )}
        {create.error && <Problem problem={problemOf(create.error)} />}
        <button type="submit" className="btn primary" disabled={create.isPending || name.trim() === ""}>
          Create
        </button>
      </form>
    </Dialog>
  );
}
