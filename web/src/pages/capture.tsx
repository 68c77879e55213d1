import { useQuery } from "@tanstack/react-query";
import { createRoute, getRouteApi } from "@tanstack/react-router";
import { problemOf } from "../api/client";
import type { CaptureShow } from "../api/nouns";
import { captureQuery } from "../api/queries";
import { CaptureHead } from "../lenses/captureHead";
import { DimensionTable } from "../lenses/dimensions";
import { Findings } from "../lenses/findings";
import { OutcomeDistributions, OutcomeTable } from "../lenses/outcomes";
import { ProvenancePanel } from "../lenses/provenance";
import { useLens } from "../lenses/registry";
import { Loading } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { useTitle } from "../ui/title";
import { useWorkspace, workspaceRoute } from "./workspace";

export const route = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "captures/$capture",
  component: CapturePage,
});

const api = getRouteApi("/w/$ws/captures/$capture");

function CapturePage() {
  const ws = useWorkspace();
  const { capture: id } = api.useParams();
  const capture = useQuery(captureQuery(ws, id));
  useTitle("Captures", capture.data?.provenance.file_name ?? "…");
  if (capture.error) return <Problem problem={problemOf(capture.error)} onRetry={() => void capture.refetch()} />;
  if (!capture.data) return <Loading what="the capture" />;
  return <Shown ws={ws} capture={capture.data} />;
}

function Shown({ ws, capture }: { ws: string; capture: CaptureShow }) {
  const lens = useLens(capture.lens);
  const outcomes = capture.outcomes.map((outcome) => ({
    ...outcome,
    captureId: capture.id,
    captureName: capture.cell ?? capture.provenance.file_name,
  }));
  return (
    <div className="stack">
      <CaptureHead ws={ws} capture={capture} />
      <OutcomeTable lens={lens} outcomes={outcomes} several={false} />
      <div className="pictures">
        <OutcomeDistributions ws={ws} outcomes={outcomes} />
      </div>
      <div className="two">
        <ProvenancePanel capture={capture} />
        <Findings findings={capture.findings} />
      </div>
      <DimensionTable lens={lens} dimensions={capture.dimensions} title="What the capture itself says" />
    </div>
  );
}
