import { useQuery } from "@tanstack/react-query";
import { createRoute, getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useCallback } from "react";
import { problemOf } from "../api/client";
import type { TraceFigures } from "../api/figures";
import { captureQuery } from "../api/queries";
import { CaptureHead } from "../lenses/captureHead";
import type { TimelineState } from "../lenses/traceTimeline";
import { integer, one } from "../lib/search";
import { count } from "../lib/units";
import { Loading } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { useTitle } from "../ui/title";
import { useWorkspace, workspaceRoute } from "./workspace";

const Spans = lazy(() => import("../lenses/spans"));

export const route = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "captures/$capture/trace",
  validateSearch: (search: Record<string, unknown>): TimelineState => ({
    from: integer(search.from),
    to: integer(search.to),
    find: one(search.find),
    span: integer(search.span),
  }),
  component: TracePage,
});

const api = getRouteApi("/w/$ws/captures/$capture/trace");

function TracePage() {
  const ws = useWorkspace();
  const { capture: id } = api.useParams();
  const state = api.useSearch();
  const navigate = api.useNavigate();
  const capture = useQuery(captureQuery(ws, id));
  useTitle("Captures", capture.data?.provenance.file_name ?? "…", "Trace");
  const onState = useCallback(
    (change: TimelineState) =>
      void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  if (capture.error) return <Problem problem={problemOf(capture.error)} onRetry={() => void capture.refetch()} />;
  if (!capture.data) return <Loading what="the trace" />;
  const figures = capture.data.figures as TraceFigures | undefined;
  return (
    <div className="stack">
      <CaptureHead ws={ws} capture={capture.data}>
        {figures &&
          `${count(figures.events_total)} events · ${count(figures.kernel_count)} kernels · ${figures.steps.length} steps · `}
      </CaptureHead>
      <Suspense fallback={<Loading what="the trace" />}>
        <Spans ws={ws} capture={capture.data} state={state} onState={onState} />
      </Suspense>
    </div>
  );
}
