import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type RunFilters, runsQuery } from "../api/queries";
import { DataTable } from "../ui/DataTable";
import { Dialog } from "../ui/Dialog";
import { Loading } from "../ui/Panel";
import { useRunColumns } from "./runTable";

/** Chooses runs for a side. */
export function RunPicker({
  ws,
  title,
  filters,
  taken,
  open,
  onClose,
  onPick,
}: {
  ws: string;
  title: string;
  filters: RunFilters;
  /** Runs that already stand on a side. */
  taken: string[];
  open: boolean;
  onClose: () => void;
  onPick: (runs: string[]) => void;
}) {
  return (
    <Dialog open={open} onClose={onClose} title={title} wide>
      <PickerTable {...{ ws, filters, taken, onPick }} />
    </Dialog>
  );
}

function PickerTable({
  ws,
  filters,
  taken,
  onPick,
}: {
  ws: string;
  filters: RunFilters;
  taken: string[];
  onPick: (runs: string[]) => void;
}) {
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  const [picked, setPicked] = useState<string[]>([]);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), 200);
    return () => clearTimeout(timer);
  }, [text]);
  const runs = useInfiniteQuery(runsQuery(ws, { ...filters, q: asked || undefined }, 100));
  const rows = (runs.data?.pages.flatMap((page) => page.rows) ?? []).filter((row) => !taken.includes(row.id));
  const columns = useRunColumns(ws, rows, { workload: true }).filter((column) =>
    ["run", "workload", "headline", "group", "when"].includes(column.key),
  );
  const named = columns.map((column) =>
    column.key === "run"
      ? {
          ...column,
          cell: (row: (typeof rows)[number]) => (
            <button type="button" className="btn quiet" data-primary onClick={() => onPick([row.id])}>
              {row.name}
            </button>
          ),
        }
      : column,
  );
  return (
    <>
      <input
        type="search"
        aria-label="Filter by name"
        placeholder="Filter by name"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {runs.isPending && <Loading what="runs" />}
      <DataTable
        label="runs to choose from"
        columns={named}
        rows={rows}
        rowKey={(row) => row.id}
        height="46vh"
        onNearEnd={() => runs.hasNextPage && !runs.isFetching && void runs.fetchNextPage()}
        selection={{
          has: (key) => picked.includes(key),
          toggle: (key) => setPicked(picked.includes(key) ? picked.filter((one) => one !== key) : [...picked, key]),
          label: "Choose",
        }}
        empty={runs.isPending ? undefined : <p className="foot">No other run matches.</p>}
      />
      <div className="row" style={{ marginTop: 12 }}>
        <button type="button" className="btn primary" disabled={picked.length === 0} onClick={() => onPick(picked)}>
          {picked.length > 1 ? `Take ${picked.length} runs` : "Take the run"}
        </button>
      </div>
    </>
  );
}
