import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createRoute, Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { createSetup } from "../api/actions";
import { problemOf } from "../api/client";
import type { SetupRow } from "../api/nouns";
import { setupsQuery } from "../api/queries";
import { readValues } from "../lenses/setupDialog";
import { valueText } from "../lenses/values";
import { instant } from "../lib/time";
import { type Column, DataTable, SaveTable } from "../ui/DataTable";
import { Dialog } from "../ui/Dialog";
import { TextArea, TextField } from "../ui/Field";
import { Empty, Loading, PageHead } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { useTitle } from "../ui/title";
import { useWorkspace, workspaceRoute } from "./workspace";

export const route = createRoute({ getParentRoute: () => workspaceRoute, path: "setups", component: Setups });

function columnsFor(ws: string): Column<SetupRow>[] {
  return [
    {
      key: "setup",
      header: "Setup",
      cell: (row) => (
        <Link to="/w/$ws/setups/$setup" params={{ ws, setup: row.id }} className="primary-link" data-primary>
          {row.name}
        </Link>
      ),
      csv: (row) => row.name,
    },
    { key: "version", header: "Version", number: true, cell: (row) => row.version, csv: (row) => row.version },
    {
      key: "values",
      header: "Values",
      cell: (row) => (
        <span className="dim clamp two-lines">
          {Object.entries(row.values)
            .map(([key, value]) => `${key} ${valueText(value)}`)
            .join(" · ")}
        </span>
      ),
      csv: (row) => JSON.stringify(row.values),
    },
    {
      key: "created_by",
      header: "By",
      cell: (row) => <span className="dim">{row.created_by}</span>,
      csv: (row) => row.created_by,
    },
    {
      key: "created_at",
      header: "Since",
      cell: (row) => <span className="dim nowrap">{instant(row.created_at)}</span>,
      csv: (row) => row.created_at,
    },
  ];
}

function Setups() {
  useTitle("Setups");
  const ws = useWorkspace();
  const setups = useQuery(setupsQuery(ws));
  const [creating, setCreating] = useState(false);
  const rows = setups.data?.rows ?? [];
  const columns = columnsFor(ws);
  return (
    <div className="stack">
      <PageHead
        title="Setups"
        actions={
          <>
            <SaveTable label="setups" columns={columns} rows={rows} />
            <button type="button" className="btn" onClick={() => setCreating(true)}>
              New setup…
            </button>
          </>
        }
      >
        Named, versioned values that captures don't record (driver, power cap, engine flags), attached to many runs at
        once.
      </PageHead>
      {setups.isPending && <Loading what="setups" />}
      {setups.error && <Problem problem={problemOf(setups.error)} onRetry={() => void setups.refetch()} />}
      {setups.data && (
        <section className="panel flush">
          <DataTable
            label="setups"
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            empty={
              <Empty
                title="No setups yet"
                action={
                  <button type="button" className="btn primary" onClick={() => setCreating(true)}>
                    New setup…
                  </button>
                }
              >
                Run <code>graphsignal-server env -o setup.json</code> on the machine that was measured and paste what it
                wrote, or type the values.
              </Empty>
            }
          />
        </section>
      )}
      <CreateSetup ws={ws} open={creating} onClose={() => setCreating(false)} />
    </div>
  );
}

function CreateSetup({ ws, open, onClose }: { ws: string; open: boolean; onClose: () => void }) {
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const read = readValues(text);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () => createSetup(ws, { name: name.trim(), values: read.values }),
    onSuccess: async (made) => {
      await queries.invalidateQueries({ queryKey: ["setups", ws] });
      onClose();
      await navigate({ to: "/w/$ws/setups/$setup", params: { ws, setup: made.id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Dialog open={open} onClose={onClose} title="New setup" wide>
      <form onSubmit={submit}>
        <TextField label="Name" value={name} onChange={setName} required autoFocus placeholder="h200-node" />
        <TextArea
          label="Values, one key = value a line, or a JSON object"
          value={text}
          onChange={setText}
          wrong={text ? read.wrong : undefined}
          rows={9}
          mono
          placeholder={"gpu_model = NVIDIA H200\ngpu_count = 1\ndriver = 570.86.15"}
        />
        {create.error && <Problem problem={problemOf(create.error)} />}
        <button
          type="submit"
          className="btn primary"
          disabled={create.isPending || name.trim() === "" || Object.keys(read.values).length === 0}
        >
          Create
        </button>
      </form>
    </Dialog>
  );
}
