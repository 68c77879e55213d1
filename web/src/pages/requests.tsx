import { useQuery } from "@tanstack/react-query";
import { createRoute, getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { problemOf } from "../api/client";
import { captureQuery } from "../api/queries";
import { CaptureHead } from "../lenses/captureHead";
import type { LoadFigures } from "../lenses/loadFigures";
import { one } from "../lib/search";
import { count } from "../lib/units";
import { Loading } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { useTitle } from "../ui/title";
import { useWorkspace, workspaceRoute } from "./workspace";

const Requests = lazy(() => import("../lenses/requests"));

type Latency = "ttft" | "tpot" | "e2el";

export const route = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "captures/$capture/requests",
  validateSearch: (search: Record<string, unknown>): { metric?: Latency } => {
    const metric = one(search.metric);
    return { metric: metric === "ttft" || metric === "tpot" || metric === "e2el" ? metric : undefined };
  },
  component: RequestsPage,
});

const api = getRouteApi("/w/$ws/captures/$capture/requests");

function RequestsPage() {
  const ws = useWorkspace();
  const { capture: id } = api.useParams();
  const { metric = "e2el" } = api.useSearch();
  const navigate = api.useNavigate();
  const capture = useQuery(captureQuery(ws, id));
  useTitle("Captures", capture.data?.provenance.file_name ?? "…", "Requests");
  if (capture.error) return <Problem problem={problemOf(capture.error)} onRetry={() => void capture.refetch()} />;
  if (!capture.data) return <Loading what="the requests" />;
  const figures = (capture.data.figures ?? {}) as LoadFigures;
  return (
    <div className="stack">
      <CaptureHead ws={ws} capture={capture.data}>
        {figures.requests && `${count(figures.requests.records)} records · `}
      </CaptureHead>
      <Suspense fallback={<Loading what="the requests" />}>
        <Requests
          ws={ws}
          capture={capture.data}
          metric={metric}
          onMetric={(next) => void navigate({ search: { metric: next }, replace: true, resetScroll: false })}
        />
      </Suspense>
    </div>
  );
}
