import type { Capture } from "../api/nouns";
import { instant } from "../lib/time";
import { bytes, count } from "../lib/units";
import { Digest } from "../ui/Copy";
import { Panel } from "../ui/Panel";
import { formatName } from "./marks";

/** Where the exact bytes of a capture are. */
export function bytesAddress(ws: string, capture: string): string {
  return `/api/v1/workspaces/${encodeURIComponent(ws)}/captures/${capture}/bytes`;
}

/** A link that downloads what was imported, byte for byte. */
export function DownloadBytes({ ws, capture }: { ws: string; capture: Capture }) {
  return (
    <a className="btn" href={bytesAddress(ws, capture.id)} download={capture.provenance.file_name}>
      Download the exact bytes
    </a>
  );
}

/** Who imported what, when, from where, by which importer, with both digests. */
export function ProvenancePanel({ capture }: { capture: Capture }) {
  const from = capture.provenance;
  return (
    <Panel title="Provenance">
      <dl className="facts">
        <dt>File</dt>
        <dd className="mono">{from.file_name}</dd>
        {from.selector && (
          <>
            <dt>Part of it</dt>
            <dd className="mono">{from.selector}</dd>
          </>
        )}
        <dt>Format</dt>
        <dd>
          {formatName(capture.format)} <span className="dim">{capture.format_version}</span>
          {capture.tool && <span className="dim"> · made by {capture.tool}</span>}
        </dd>
        <dt>Bytes</dt>
        <dd>
          {count(from.bytes)}{" "}
          <span className="dim">
            ({bytes(from.bytes).number} {bytes(from.bytes).unit}), parsed {bytes(from.parsed_bytes).number}{" "}
            {bytes(from.parsed_bytes).unit}
          </span>
        </dd>
        <dt>SHA-256 of the bytes</dt>
        <dd>
          <Digest value={from.sha256} what="digest of the bytes" />
          {from.declared_sha256 && <span className="dim"> agrees with the digest the sender gave</span>}
        </dd>
        <dt>SHA-256 parsed</dt>
        <dd>
          <Digest value={from.parsed_sha256} what="digest of the parsed form" />
        </dd>
        <dt>Imported</dt>
        <dd>
          {instant(from.imported_at)} by {from.imported_by} <span className="dim">via {from.via}</span>
        </dd>
        <dt>Importer</dt>
        <dd className="mono">
          {from.importer} <span className="dim">{from.product}</span>
        </dd>
        {capture.started_at && (
          <>
            <dt>Measured</dt>
            <dd>
              {instant(capture.started_at)}
              {capture.ended_at && ` to ${instant(capture.ended_at)}`}
            </dd>
          </>
        )}
        {(from.derived_from ?? []).map((file) => (
          <div key={file.sha256} style={{ display: "contents" }}>
            <dt>Derived from</dt>
            <dd>
              <span className="mono">{file.name}</span> <Digest value={file.sha256} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
