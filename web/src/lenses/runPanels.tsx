import { Link } from "@tanstack/react-router";
import type { RunShow } from "../api/nouns";
import { instant } from "../lib/time";
import { bytes, count } from "../lib/units";
import { Digest } from "../ui/Copy";
import { Panel } from "../ui/Panel";
import { formatName } from "./marks";
import { DownloadBytes } from "./provenance";

/** What a run was as a launch, in words. */
export function launchWords(kind: string): string {
  if (kind === "launch") return "a launch of its own";
  return kind === "invocation" ? "an invocation of a launch" : "launch unknown: counted as one";
}

/** Whether the run was a launch of its own decides whether it counts as a replicate. */
export function LaunchKind({
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

export function CapturesPanel({ ws, shown }: { ws: string; shown: RunShow }) {
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

export function SetupsPanel({
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

export function ReliedOnBy({ ws, shown }: { ws: string; shown: RunShow }) {
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
