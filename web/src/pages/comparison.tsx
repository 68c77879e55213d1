import { useMutation, useQuery } from "@tanstack/react-query";
import { createRoute, getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { recomputeComparison } from "../api/actions";
import { problemOf } from "../api/client";
import type { ComparisonRequest, SavedComparison } from "../api/comparison";
import { comparisonQuery } from "../api/queries";
import { ResultMarks } from "../lenses/comparisonMarks";
import { type CompareSearch, readCompareSearch, requestOfResult, searchOf } from "../lenses/comparisonSearch";
import { useLens } from "../lenses/registry";
import { instant } from "../lib/time";
import { copyText } from "../ui/Copy";
import { saveBlob } from "../ui/download";
import { Loading, PageHead } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { useTitle } from "../ui/title";
import { useWorkspace, workspaceRoute } from "./workspace";

const ComparisonView = lazy(() => import("../lenses/comparisonView"));

export const route = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "comparisons/$comparison",
  validateSearch: (search: Record<string, unknown>): Pick<CompareSearch, "draw"> => ({
    draw: readCompareSearch(search).draw,
  }),
  component: ComparisonPage,
});

const api = getRouteApi("/w/$ws/comparisons/$comparison");

function ComparisonPage() {
  const ws = useWorkspace();
  const { comparison: id } = api.useParams();
  const saved = useQuery(comparisonQuery(ws, id));
  useTitle("Comparisons", saved.data?.name ?? "…");
  if (saved.error) return <Problem problem={problemOf(saved.error)} onRetry={() => void saved.refetch()} />;
  if (!saved.data) return <Loading what="the comparison" />;
  return <Shown ws={ws} saved={saved.data} />;
}

function Shown({ ws, saved }: { ws: string; saved: SavedComparison }) {
  const { result } = saved;
  const lens = useLens(result.lens);
  const { draw } = api.useSearch();
  const navigate = api.useNavigate();
  const request = requestOfResult(result);
  const open = (next: ComparisonRequest) =>
    void navigate({ to: "/w/$ws/compare", params: { ws }, search: searchOf(next) });
  const act = {
    declare: (row: string, reason: string) => open({ ...request, changes: { ...request.changes, [row]: reason } }),
    attest: (row: string, reason: string) => open({ ...request, same: { ...request.same, [row]: reason } }),
    withdraw: (row: string) =>
      open({
        ...request,
        changes: Object.fromEntries(Object.entries(request.changes ?? {}).filter(([key]) => key !== row)),
      }),
    addLaunches: () => open(request),
    changed: () => open(request),
  };
  return (
    <div className="stack">
      <PageHead
        title={saved.name}
        marks={<ResultMarks result={result} />}
        actions={
          <>
            <button type="button" className="btn" onClick={() => void copyText(window.location.href, "link")}>
              Copy link
            </button>
            <button
              type="button"
              className="btn"
              onClick={() =>
                saveBlob(new Blob([JSON.stringify(saved, null, 2)], { type: "application/json" }), `${saved.id}.json`)
              }
            >
              JSON
            </button>
            <Link to="/w/$ws/compare" params={{ ws }} search={searchOf(request)} className="btn">
              Change and compare again
            </Link>
          </>
        }
      >
        Saved {instant(saved.created_at)} by {saved.created_by}. It never changes.
      </PageHead>
      <Recompute ws={ws} id={saved.id} />
      <Suspense fallback={<Loading what="the comparison" />}>
        <ComparisonView
          ws={ws}
          result={result}
          samples={saved.samples}
          lens={lens}
          act={act}
          draw={draw}
          onDraw={(next) => void navigate({ search: { draw: next }, replace: true, resetScroll: false })}
        />
      </Suspense>
    </div>
  );
}

/** Computes a saved comparison again from its evidence and says whether every digit agrees. */
function Recompute({ ws, id }: { ws: string; id: string }) {
  const again = useMutation({
    mutationFn: () => recomputeComparison(ws, id),
  });
  return (
    <div className="row">
      <button type="button" className="btn" onClick={() => again.mutate()} disabled={again.isPending}>
        Recompute from the evidence
      </button>
      <span role="status">
        {again.isPending && "Computing…"}
        {again.data?.equal && (
          <span className="tag better">
            <span aria-hidden="true">✓</span> equal to the last digit
          </span>
        )}
        {again.data && !again.data.equal && (
          <span className="tag worse">differs: another statistics version, or the evidence changed</span>
        )}
      </span>
      {again.error && <Problem problem={problemOf(again.error)} />}
    </div>
  );
}
