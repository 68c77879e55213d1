import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createRoute, getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { detachSetup, editRun } from "../api/actions";
import { problemOf } from "../api/client";
import type { Lens, RunShow } from "../api/nouns";
import { runQuery } from "../api/queries";
import { DeclareDialog } from "../lenses/declare";
import { DimensionTable } from "../lenses/dimensions";
import { EditDialog } from "../lenses/editDialog";
import { Findings } from "../lenses/findings";
import { FleetFigures } from "../lenses/fleet";
import { LabelEditor } from "../lenses/labels";
import { MeasuredOn, OriginMark } from "../lenses/marks";
import { OutcomeDistributions, OutcomeTable } from "../lenses/outcomes";
import { useLens } from "../lenses/registry";
import { CapturesPanel, LaunchKind, launchWords, ReliedOnBy, SetupsPanel } from "../lenses/runPanels";
import { AttachSetupDialog } from "../lenses/setupDialog";
import { instant } from "../lib/time";
import { Loading, PageHead } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { Tag } from "../ui/Tag";
import { useTitle } from "../ui/title";
import { useWorkspace, workspaceRoute } from "./workspace";

export const route = createRoute({ getParentRoute: () => workspaceRoute, path: "runs/$run", component: RunPage });

const api = getRouteApi("/w/$ws/runs/$run");

function RunPage() {
  const ws = useWorkspace();
  const { run: id } = api.useParams();
  const run = useQuery(runQuery(ws, id));
  useTitle("Runs", run.data?.run.name ?? "…");
  if (run.error) return <Problem problem={problemOf(run.error)} onRetry={() => void run.refetch()} />;
  if (!run.data) return <Loading what="the run" />;
  return <Shown ws={ws} shown={run.data} />;
}

/** Editing a run: each edit names the revision it edits. */
function useEdits(ws: string, shown: RunShow) {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === ws });
  const change = useMutation({
    mutationFn: (body: Parameters<typeof editRun>[3]) => editRun(ws, shown.run.id, shown.run.revision, body),
    onSuccess,
  });
  const detach = useMutation({
    mutationFn: (setup: string) => detachSetup(ws, shown.run.id, setup),
    onSuccess,
  });
  return { change, detach };
}

function Shown({ ws, shown }: { ws: string; shown: RunShow }) {
  const { run } = shown;
  const lens = useLens(run.lens);
  const { change, detach } = useEdits(ws, shown);
  const [declaring, setDeclaring] = useState<string>();
  const [attaching, setAttaching] = useState(false);
  const [editing, setEditing] = useState(false);
  const several = shown.captures.length > 1;
  const outcomes = shown.captures.flatMap(({ capture, outcomes: measured }) =>
    measured.map((outcome) => ({
      ...outcome,
      captureId: capture.id,
      captureName: capture.cell || capture.provenance.selector || capture.provenance.file_name,
    })),
  );
  const findings = shown.captures.flatMap((one) => one.findings);
  return (
    <div className="stack">
      <PageHead
        title={run.name}
        marks={
          <>
            <Tag>{run.lens}</Tag>
            <MeasuredOn device={run.measured_on} />
            <OriginMark origin={run.origin} />
            {run.replicate_group && (
              <Tag tip="Runs of one group are replicates of each other">group {run.replicate_group}</Tag>
            )}
          </>
        }
        actions={
          <>
            <button type="button" className="btn" onClick={() => setEditing(true)}>
              Edit…
            </button>
            <button type="button" className="btn" onClick={() => setAttaching(true)}>
              Attach a setup…
            </button>
            <Link to="/w/$ws/compare" params={{ ws }} search={{ baseline: run.id }} className="btn primary">
              Compare with…
            </Link>
          </>
        }
      >
        <Link to="/w/$ws/workloads/$workload" params={{ ws, workload: run.workload_id }}>
          {run.workload}
        </Link>{" "}
        · {run.started_at ? `started ${instant(run.started_at)}` : `imported ${instant(run.created_at)}`} by{" "}
        {run.created_by} · {launchWords(run.launch.kind)}
      </PageHead>
      {run.lens === "fleet" &&
        shown.captures.map(({ capture, figures }) => (
          <FleetFigures key={capture.id} figures={figures} name={run.name} />
        ))}
      <OutcomeTable lens={lens} outcomes={outcomes} several={several} />
      <div className="pictures">
        <OutcomeDistributions ws={ws} outcomes={outcomes} />
      </div>
      <div className="two">
        <CapturesPanel ws={ws} shown={shown} />
        <div className="stack">
          <SetupsPanel
            ws={ws}
            shown={shown}
            onAttach={() => setAttaching(true)}
            onDetach={(setup) => detach.mutate(setup)}
          />
          <ReliedOnBy ws={ws} shown={shown} />
        </div>
      </div>
      <DimensionTable
        lens={lens}
        dimensions={shown.dimensions}
        onDeclare={setDeclaring}
        declared={run.declared}
        onWithdraw={(key) => change.mutate({ declared: { [key]: { absent: "withdrawn" } } })}
      />
      <Findings findings={findings} />
      <div className="two">
        <LabelEditor
          labels={run.labels}
          onChange={(labels) => change.mutate({ labels })}
          problem={change.error && !declaring && !editing ? problemOf(change.error) : undefined}
        />
        <LaunchKind kind={run.launch.kind} onChange={(launch_kind) => change.mutate({ launch_kind })} />
      </div>
      <DeclareDialog
        lens={lens}
        field={declaring ?? ""}
        open={declaring !== undefined}
        onClose={() => setDeclaring(undefined)}
        what="this run"
        pending={change.isPending}
        problem={change.error ? problemOf(change.error) : undefined}
        onDeclare={(key, value) =>
          change.mutate({ declared: { [key]: value } }, { onSuccess: () => setDeclaring(undefined) })
        }
      />
      <EditDialog
        title="Edit the run"
        texts={[
          { key: "name", label: "Name", value: run.name, required: true },
          {
            key: "replicate_group",
            label: "Replicate group",
            value: run.replicate_group ?? "",
            hint: "Runs of one group are launches of one configuration; they stand on one side together.",
          },
        ]}
        open={editing}
        onClose={() => setEditing(false)}
        pending={change.isPending}
        problem={change.error ? problemOf(change.error) : undefined}
        onChange={(changed) => change.mutate(changed, { onSuccess: () => setEditing(false) })}
      />
      <AttachSetupDialog
        ws={ws}
        runs={[run.id]}
        runWords="this run"
        lens={lens}
        suggest={missingKeys(lens, shown)}
        open={attaching}
        onClose={() => setAttaching(false)}
      />
    </div>
  );
}

function missingKeys(lens: Lens | undefined, shown: RunShow): string[] {
  return (lens?.fields ?? [])
    .filter((field) => field.row.startsWith("hardware") || field.row === "serving_stack" || field.row === "software")
    .filter((field) => shown.dimensions[field.key]?.value === undefined)
    .map((field) => field.key);
}
