import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createRoute, getRouteApi } from "@tanstack/react-router";
import { type FormEvent, lazy, Suspense, useMemo, useState } from "react";
import { saveComparison } from "../api/actions";
import { problemOf } from "../api/client";
import type { ComparisonRequest, Result } from "../api/comparison";
import { previewQuery } from "../api/queries";
import { ResultMarks } from "../lenses/comparisonMarks";
import { sideName } from "../lenses/comparisonNames";
import { type CompareSearch, readCompareSearch, requestOf, searchOf } from "../lenses/comparisonSearch";
import { DeclaredPanel } from "../lenses/declaredPanel";
import { useLens } from "../lenses/registry";
import { SidesPanel } from "../lenses/sidesPanel";
import { randomKey } from "../lib/key";
import { copyText } from "../ui/Copy";
import { Dialog } from "../ui/Dialog";
import { TextField } from "../ui/Field";
import { Loading, PageHead, Panel } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { useTitle } from "../ui/title";
import { useWorkspace, workspaceRoute } from "./workspace";

const ComparisonView = lazy(() => import("../lenses/comparisonView"));

export const route = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "compare",
  validateSearch: readCompareSearch,
  component: Compare,
});

const api = getRouteApi("/w/$ws/compare");

function Compare() {
  const ws = useWorkspace();
  const search = api.useSearch();
  const navigate = api.useNavigate();
  const queries = useQueryClient();
  const request = useMemo(() => requestOf(search), [search]);
  const ready = request.baseline.length > 0 && request.candidate.length > 0;
  const preview = useQuery({ ...previewQuery(ws, request), placeholderData: keepPreviousData });
  const result = ready ? preview.data : undefined;
  const lens = useLens(result?.lens);
  const [saving, setSaving] = useState(false);
  useTitle("Compare", result ? `${sideName(result.candidate)} against ${sideName(result.baseline)}` : "two sides");
  const ask = (next: ComparisonRequest, change: Partial<CompareSearch> = {}) =>
    void navigate({ search: { ...searchOf(next), draw: search.draw, ...change }, resetScroll: false });
  const act = {
    declare: (row: string, reason: string) => ask({ ...request, changes: { ...request.changes, [row]: reason } }),
    attest: (row: string, reason: string) => ask({ ...request, same: { ...request.same, [row]: reason } }),
    withdraw: (row: string) =>
      ask({
        ...request,
        changes: Object.fromEntries(Object.entries(request.changes ?? {}).filter(([key]) => key !== row)),
      }),
    addLaunches: () => document.getElementById("sides")?.querySelector("button")?.focus(),
    changed: () => void queries.invalidateQueries({ queryKey: ["preview", ws] }),
  };
  const panels = (
    <div className="two" id="sides">
      <SidesPanel
        ws={ws}
        baseline={request.baseline}
        candidate={request.candidate}
        onChange={(baseline, candidate) => ask({ ...request, baseline, candidate })}
      />
      <DeclaredPanel request={request} result={result} lens={lens} onChange={ask} />
    </div>
  );
  return (
    <div className={preview.isPlaceholderData ? "stack stale" : "stack"} aria-busy={preview.isFetching}>
      <PageHead
        title={result ? <Against result={result} /> : "Compare two sides"}
        marks={result && <ResultMarks result={result} />}
        actions={
          result && (
            <>
              <button type="button" className="btn" onClick={() => void copyText(window.location.href, "link")}>
                Copy link
              </button>
              <button type="button" className="btn primary" onClick={() => setSaving(true)}>
                Save comparison…
              </button>
            </>
          )
        }
      />
      {preview.isPlaceholderData && (
        <div className="bar-note" role="status">
          Computing again; what is shown is the answer before.
        </div>
      )}
      {preview.error && <Problem problem={problemOf(preview.error)} onRetry={() => void preview.refetch()} />}
      {!ready && <Teach />}
      {!ready && panels}
      {ready && preview.isPending && <Loading what="both sides and compute" />}
      {result && (
        <Suspense fallback={<Loading what="the comparison" />}>
          <ComparisonView
            ws={ws}
            result={result}
            samples={preview.data?.samples}
            lens={lens}
            act={act}
            draw={search.draw}
            onDraw={(draw) =>
              void navigate({ search: (before) => ({ ...before, draw }), replace: true, resetScroll: false })
            }
          >
            {panels}
          </ComparisonView>
        </Suspense>
      )}
      {preview.error && panels}
      {result && (
        <SaveDialog ws={ws} request={request} result={result} open={saving} onClose={() => setSaving(false)} />
      )}
    </div>
  );
}

function Against({ result }: { result: Result }) {
  return (
    <>
      <span className="side-b">{sideName(result.candidate)}</span> <span className="dim">against</span>{" "}
      <span className="side-a">{sideName(result.baseline)}</span>
    </>
  );
}

function Teach() {
  return (
    <Panel title="How two sides are held against each other">
      <p className="sub">
        Choose runs for a baseline and a candidate. Several launches of one configuration on a side make it a side of
        replicates. Then every dimension that must match is shown as same, intended, different or unknown, with both
        values and where they came from. What is known to differ and was not declared refuses the comparison; what is
        unknown caps the verdict, with the action that lifts the cap.
      </p>
    </Panel>
  );
}

function SaveDialog({
  ws,
  request,
  result,
  open,
  onClose,
}: {
  ws: string;
  request: ComparisonRequest;
  result: Result;
  open: boolean;
  onClose: () => void;
}) {
  const navigate = api.useNavigate();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [key] = useState(randomKey);
  const proposed = `${sideName(result.candidate)} against ${sideName(result.baseline)}`;
  const save = useMutation({
    mutationFn: () => saveComparison(ws, name.trim() || proposed, request, key),
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: ["comparisons", ws] });
      await navigate({ to: "/w/$ws/comparisons/$comparison", params: { ws, comparison: saved.id }, search: {} });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog open={open} onClose={onClose} title="Save this comparison">
      <form onSubmit={submit}>
        <p className="sub">
          A saved comparison never changes. It names its method, keeps what it relied on, and can be computed again to
          the same digits.
        </p>
        <TextField label="Name" value={name} onChange={setName} placeholder={proposed} autoFocus />
        {save.error && <Problem problem={problemOf(save.error)} />}
        <button type="submit" className="btn primary" disabled={save.isPending}>
          Save
        </button>
      </form>
    </Dialog>
  );
}
