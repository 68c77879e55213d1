import { useQuery } from "@tanstack/react-query";
import { createRoute, Link } from "@tanstack/react-router";
import { problemOf } from "../api/client";
import type { ComparisonListed } from "../api/comparison";
import { comparisonsQuery } from "../api/queries";
import { AnswerMark } from "../lenses/answerMark";
import { instant } from "../lib/time";
import { count } from "../lib/units";
import { type Column, DataTable, SaveTable } from "../ui/DataTable";
import { Empty, Loading, PageHead } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { useTitle } from "../ui/title";
import { useWorkspace, workspaceRoute } from "./workspace";

export const route = createRoute({ getParentRoute: () => workspaceRoute, path: "comparisons", component: Comparisons });

function columnsFor(ws: string): Column<ComparisonListed>[] {
  return [
    {
      key: "name",
      header: "Comparison",
      cell: (row) => (
        <Link
          to="/w/$ws/comparisons/$comparison"
          params={{ ws, comparison: row.id }}
          className="primary-link"
          data-primary
        >
          {row.name}
        </Link>
      ),
      csv: (row) => row.name,
    },
    {
      key: "answer",
      header: "Answer",
      cell: (row) => <AnswerMark row={row} />,
      csv: (row) => row.answer,
    },
    { key: "lens", header: "Lens", cell: (row) => <span className="dim">{row.lens}</span>, csv: (row) => row.lens },
    {
      key: "sentence",
      header: "In one sentence",
      cell: (row) => <span className="clamp two-lines">{row.sentence}</span>,
      csv: (row) => row.sentence,
    },
    {
      key: "created_by",
      header: "By",
      cell: (row) => <span className="dim">{row.created_by}</span>,
      csv: (row) => row.created_by,
    },
    {
      key: "created_at",
      header: "Saved",
      cell: (row) => <span className="dim nowrap">{instant(row.created_at)}</span>,
      csv: (row) => row.created_at,
    },
  ];
}

function Comparisons() {
  useTitle("Comparisons");
  const ws = useWorkspace();
  const comparisons = useQuery(comparisonsQuery(ws));
  const rows = comparisons.data?.rows ?? [];
  const columns = columnsFor(ws);
  return (
    <div className="stack">
      <PageHead
        title="Comparisons"
        actions={
          <>
            <SaveTable label="comparisons" columns={columns} rows={rows} />
            <Link to="/w/$ws/compare" params={{ ws }} className="btn">
              New comparison…
            </Link>
          </>
        }
      >
        {comparisons.data &&
          `${count(comparisons.data.total)} saved. A saved comparison never changes and can be computed again.`}
      </PageHead>
      {comparisons.isPending && <Loading what="comparisons" />}
      {comparisons.error && (
        <Problem problem={problemOf(comparisons.error)} onRetry={() => void comparisons.refetch()} />
      )}
      {comparisons.data && (
        <section className="panel flush">
          <DataTable
            label="comparisons"
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            empty={
              <Empty
                title="No comparison is saved yet"
                action={
                  <Link to="/w/$ws/runs" params={{ ws }} className="btn primary">
                    Select runs to compare
                  </Link>
                }
              >
                Select runs, compare them, and save what you want to keep or show.
              </Empty>
            }
          />
        </section>
      )}
    </div>
  );
}
