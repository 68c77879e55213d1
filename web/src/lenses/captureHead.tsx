import { Link } from "@tanstack/react-router";
import type { CaptureShow } from "../api/nouns";
import { Digest } from "../ui/Copy";
import { PageHead } from "../ui/Panel";
import { Tag } from "../ui/Tag";
import { formatName, MeasuredOn, OriginMark } from "./marks";
import { DownloadBytes } from "./provenance";

/** The head of a capture's pages: its file, marks, exact bytes, and the ways to look at it. */
export function CaptureHead({
  ws,
  capture,
  children,
}: {
  ws: string;
  capture: CaptureShow;
  children?: React.ReactNode;
}) {
  const params = { ws, capture: capture.id };
  const to = { params, activeProps: { className: "on" }, activeOptions: { exact: true, includeSearch: false } };
  return (
    <div className="stack" style={{ gap: 12 }}>
      <PageHead
        title={
          <>
            {capture.provenance.file_name}
            {capture.cell && <span className="dim"> {capture.cell}</span>}
          </>
        }
        marks={
          <>
            <Tag>{formatName(capture.format)}</Tag>
            <Tag>{capture.lens}</Tag>
            <MeasuredOn device={capture.measured_on} />
            <OriginMark origin={capture.origin} />
          </>
        }
        actions={<DownloadBytes ws={ws} capture={capture} />}
      >
        {children} sha256 <Digest value={capture.provenance.sha256} /> ·{" "}
        <Link to="/w/$ws/runs/$run" params={{ ws, run: capture.run_id }}>
          the run
        </Link>
      </PageHead>
      <nav className="tabs" aria-label="Views of the capture">
        <Link to="/w/$ws/captures/$capture" {...to}>
          Overview
        </Link>
        {capture.format === "chrome-trace" && (
          <Link to="/w/$ws/captures/$capture/trace" {...to}>
            Trace
          </Link>
        )}
        {capture.format === "aiperf" && (
          <Link to="/w/$ws/captures/$capture/requests" {...to}>
            Requests
          </Link>
        )}
      </nav>
    </div>
  );
}
