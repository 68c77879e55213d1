import { useInfiniteQuery } from "@tanstack/react-query";
import { createRoute, getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { problemOf } from "../api/client";
import type { Capture } from "../api/nouns";
import { capturesQuery } from "../api/queries";
import { formatName, RunMark } from "../lenses/marks";
import { one } from "../lib/search";
import { instant } from "../lib/time";
import { bytes, count } from "../lib/units";
import { Digest } from "../ui/Copy";
import { type Column, DataTable, SaveTable } from "../ui/DataTable";
import { FilterSelect } from "../ui/Field";
import { Empty, Loading, PageHead, TruncationBar } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { useTitle } from "../ui/title";
import { useWorkspace, workspaceRoute } from "./workspace";

export const route = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "captures",
  validateSearch: (search: Record<string, unknown>): { format?: string } => ({ format: one(search.format) }),
  component: Captures,
});

const api = getRouteApi("/w/$ws/captures");

function columnsFor(ws: string): Column<Capture>[] {
  return [
    {
      key: "file",
      header: "File",
      width: "30%",
      cell: (row) => (
        <Link
          to="/w/$ws/captures/$capture"
          params={{ ws, capture: row.id }}
          className="primary-link"
          data-primary
          title={row.provenance.file_name}
        >
          {row.provenance.file_name}
          {row.cell && <span className="dim"> · {row.cell}</span>}
        </Link>
      ),
      csv: (row) => row.provenance.file_name,
    },
    {
      key: "format",
      header: "Format",
      width: 170,
      cell: (row) => <span className="dim">{formatName(row.format)}</span>,
      csv: (row) => row.format,
    },
    {
      key: "lens",
      header: "Lens",
      width: 80,
      cell: (row) => <span className="dim">{row.lens}</span>,
      csv: (row) => row.lens,
    },
    {
      key: "bytes",
      header: "Size",
      width: 90,
      number: true,
      cell: (row) => (
        <span className="nowrap">
          {bytes(row.provenance.bytes).number} <span className="unit">{bytes(row.provenance.bytes).unit}</span>
        </span>
      ),
      csv: (row) => row.provenance.bytes,
    },
    {
      key: "sha256",
      header: "SHA-256",
      width: 140,
      cell: (row) => <Digest value={row.provenance.sha256} />,
      csv: (row) => row.provenance.sha256,
    },
    {
      key: "measured_on",
      header: "Measured on",
      width: 160,
      cell: (row) => <RunMark device={row.measured_on} origin={row.origin} />,
      csv: (row) => row.measured_on,
    },
    {
      key: "findings",
      header: "Findings",
      width: 76,
      number: true,
      cell: (row) => row.findings.length || "",
      csv: (row) => row.findings.length,
    },
    {
      key: "imported",
      header: "Imported",
      width: 150,
      cell: (row) => <span className="dim">{instant(row.provenance.imported_at)}</span>,
      csv: (row) => row.provenance.imported_at,
    },
  ];
}

function Captures() {
  useTitle("Captures");
  const ws = useWorkspace();
  const search = api.useSearch();
  const navigate = api.useNavigate();
  const captures = useInfiniteQuery(capturesQuery(ws, { format: search.format }));
  const rows = useMemo(() => captures.data?.pages.flatMap((page) => page.rows) ?? [], [captures.data]);
  const first = captures.data?.pages[0];
  const columns = columnsFor(ws);
  return (
    <div className="stack">
      <PageHead title="Captures" actions={<SaveTable label="captures" columns={columns} rows={rows} />}>
        {first && `${count(first.total)} imported. Each keeps the exact bytes beside what was read from them.`}
      </PageHead>
      <div className="filters">
        <FilterSelect
          label="format"
          value={search.format}
          onChange={(format) => void navigate({ search: { format }, replace: true })}
          options={["aiperf", "chrome-trace", "kernelwake-json"].map((value) => ({ value, label: formatName(value) }))}
        />
      </div>
      {captures.error && <Problem problem={problemOf(captures.error)} onRetry={() => void captures.refetch()} />}
      {captures.isPending && <Loading what="captures" />}
      {first?.truncated && <TruncationBar {...first.truncated} />}
      {first && (
        <section className="panel flush">
          <DataTable
            label="captures"
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            total={first.total}
            onNearEnd={() => captures.hasNextPage && !captures.isFetching && void captures.fetchNextPage()}
            empty={
              <Empty
                title="No captures yet"
                action={
                  <Link to="/w/$ws/import" params={{ ws }} className="btn primary">
                    Import a capture
                  </Link>
                }
              >
                An AIPerf archive, a PyTorch or Chrome trace, or Kernelwake JSON.
              </Empty>
            }
          />
        </section>
      )}
    </div>
  );
}
