import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createRoute, getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { detachSetup, editRun } from "../api/actions";
import { problemOf } from "../api/client";
import type { Lens, RunShow } from "../api/nouns";
import { runQuery } from "../api/queries";
import { DeclareDialog } from "../lenses/declare";
import { DimensionTable } from "../lenses/dimensions";
import { Findings } from "../lenses/findings";
import { FleetFigures } from "../lenses/fleet";
import { LabelEditor } from "../lenses/labels";
import { formatName, MeasuredOn, OriginMark } from "../lenses/marks";
import { OutcomeDistributions, OutcomeTable } from "../lenses/outcomes";
import { DownloadBytes } from "../lenses/provenance";
import { useLens } from "../lenses/registry";
import { AttachSetupDialog } from "../lenses/setupDialog";
import { instant } from "../lib/time";
import { bytes, count } from "../lib/units";
import { Digest } from "../ui/Copy";
import { Loading, PageHead, Panel } from "../ui/Panel";
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
      <DimensionTable lens={lens} dimensions={shown.dimensions} onDeclare={setDeclaring} />
      <Findings findings={findings} />
      <div className="two">
        <LabelEditor
          labels={run.labels}
          onChange={(labels) => change.mutate({ labels })}
          problem={change.error && !declaring ? problemOf(change.error) : undefined}
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

function launchWords(kind: string): string {
  if (kind === "launch") return "a launch of its own";
  return kind === "invocation" ? "an invocation of a launch" : "launch unknown: counted as one";
}

/** Whether the run was a launch of its own decides whether it counts as a replicate. */
function LaunchKind({
  kind,
  onChange,
}: {
  kind: string;
  onChange: (kind: "launch" | "invocation" | "unknown") => void;
}) {
  return (
    <Panel title="Launch" note="the unit of replication: runs of one launch are not independent">
      <div className="row">
        <span>{launchWords(kind)}</span>
        {(["launch", "invocation", "unknown"] as const)
          .filter((other) => other !== kind)
          .map((other) => (
            <button key={other} type="button" className="btn" onClick={() => onChange(other)}>
              {other === "launch"
                ? "It was freshly started"
                : other === "invocation"
                  ? "It shared a launch"
                  : "Unknown"}
            </button>
          ))}
      </div>
    </Panel>
  );
}

function CapturesPanel({ ws, shown }: { ws: string; shown: RunShow }) {
  return (
    <Panel title="Captures" note="the exact bytes are kept beside what was read from them">
      <div className="stack" style={{ gap: 12 }}>
        {shown.captures.map(({ capture }) => (
          <div key={capture.id} className="capture-line">
            <div>
              <Link to="/w/$ws/captures/$capture" params={{ ws, capture: capture.id }} className="strong">
                {capture.provenance.file_name}
              </Link>
              {capture.cell && <span className="dim"> · {capture.cell}</span>}
              <div className="dim">
                {formatName(capture.format)} · {count(capture.provenance.bytes)} bytes (
                {bytes(capture.provenance.bytes).number} {bytes(capture.provenance.bytes).unit})
              </div>
              <div className="dim">
                bytes <Digest value={capture.provenance.sha256} what="digest of the bytes" /> parsed{" "}
                <Digest value={capture.provenance.parsed_sha256} what="digest of the parsed form" />
              </div>
            </div>
            <div className="row">
              {capture.format === "chrome-trace" && (
                <Link to="/w/$ws/captures/$capture/trace" params={{ ws, capture: capture.id }} className="btn">
                  Open the trace
                </Link>
              )}
              {capture.format === "aiperf" && (
                <Link to="/w/$ws/captures/$capture/requests" params={{ ws, capture: capture.id }} className="btn">
                  Look at the requests
                </Link>
              )}
              <DownloadBytes ws={ws} capture={capture} />
            </div>
          </div>
        ))}
      </div>
    </Panel>
  );
}

function SetupsPanel({
  ws,
  shown,
  onAttach,
  onDetach,
}: {
  ws: string;
  shown: RunShow;
  onAttach: () => void;
  onDetach: (setup: string) => void;
}) {
  return (
    <Panel
      title="Setups"
      note="named values attached to the run"
      tools={
        <button type="button" className="btn quiet" onClick={onAttach}>
          Attach…
        </button>
      }
    >
      {shown.setups.length === 0 && (
        <p className="foot">
          None. What no capture records (driver, power cap, engine flags) is given by a setup, once for many runs.
        </p>
      )}
      <table className="data" aria-label="setups attached">
        <tbody>
          {shown.setups.map((setup) => (
            <tr key={setup.setup_id}>
              <td>
                <Link to="/w/$ws/setups/$setup" params={{ ws, setup: setup.setup_id }}>
                  {setup.name}
                </Link>{" "}
                <span className="dim">version {setup.version}</span>
              </td>
              <td className="dim">
                {instant(setup.attached_at)} by {setup.attached_by}
              </td>
              <td className="n">
                <button
                  type="button"
                  className="btn quiet"
                  onClick={() => onDetach(setup.setup_id)}
                  aria-label={`Detach ${setup.name}`}
                >
                  Detach
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function ReliedOnBy({ ws, shown }: { ws: string; shown: RunShow }) {
  return (
    <Panel title="What relies on this run">
      {shown.relied_on_by.length === 0 && (
        <p className="foot">
          Nothing yet. A saved comparison would be listed here, and would keep the captures from being removed.
        </p>
      )}
      <ul className="plain">
        {shown.relied_on_by.map((one) => (
          <li key={one.id}>
            <span className="dim">{one.kind}</span>{" "}
            {one.kind === "comparison" ? (
              <Link to="/w/$ws/comparisons/$comparison" params={{ ws, comparison: one.id }}>
                {one.name}
              </Link>
            ) : (
              one.name
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
