import { bytes, quantityText } from "../lib/units";
import { Panel, Progress } from "../ui/Panel";
import { Problem, ProblemPlaces } from "../ui/Problem";
import { Tag } from "../ui/Tag";
import type { CheckedFile } from "./importing";
import { formatName, MeasuredOn, OriginMark } from "./marks";

/** Each file as it was found: format, what is in it, and every problem with its place. */
export function FileChecks({ files, onRemove }: { files: CheckedFile[]; onRemove: (key: string) => void }) {
  return (
    <Panel title="Files" note={`${files.length}; read on the server, nothing is kept yet`}>
      <div className="stack" style={{ gap: 12 }}>
        {files.map((file) => (
          <FileCheck key={file.key} file={file} onRemove={() => onRemove(file.key)} />
        ))}
      </div>
    </Panel>
  );
}

function FileCheck({ file, onRemove }: { file: CheckedFile; onRemove: () => void }) {
  const size = bytes(file.file.size);
  const { check, problem } = file;
  const broken = problem || (check && check.errors.length > 0);
  return (
    <div className="file-check">
      <div className="row">
        <b>{file.file.name}</b>
        <span className="dim">
          {size.number} {size.unit}
        </span>
        {check?.format && <Tag>{formatName(check.format)}</Tag>}
        {check?.lens && (
          <Tag tip={check.lens_guessed ? "suggested from the content" : undefined}>
            {check.lens_guessed ? `${check.lens}?` : check.lens}
          </Tag>
        )}
        {broken && <Tag tone="worse">can't be imported</Tag>}
        {check && !broken && <Tag tone="better">readable</Tag>}
        <button type="button" className="btn quiet push" onClick={onRemove} aria-label={`Leave out ${file.file.name}`}>
          ✕
        </button>
      </div>
      {!check && !problem && (
        <div className="row">
          <Progress value={file.progress} label={`Checking ${file.file.name}`} />
          <span className="dim">{file.progress < 1 ? "sending" : "reading"}</span>
        </div>
      )}
      {problem && <Problem problem={problem} />}
      {check && check.errors.length > 0 && (
        <div role="alert">
          <div>
            {check.errors.length === 1 ? "One problem" : `${check.errors.length} problems`}; nothing of it can be kept
            until they are gone:
          </div>
          <ProblemPlaces places={check.errors} />
          {check.hint && <div className="strong">What to do: {check.hint}</div>}
        </div>
      )}
      {check && check.errors.length === 0 && <Contents check={check} />}
    </div>
  );
}

function Contents({ check }: { check: NonNullable<CheckedFile["check"]> }) {
  const findings = check.captures.flatMap((capture) => capture.findings);
  return (
    <>
      <ul className="plain">
        {check.captures.slice(0, 12).map((capture, index) => (
          <li key={index} className="row">
            {(capture.cell || check.captures.length > 1) && <span className="dim">{capture.cell || capture.name}</span>}
            <MeasuredOn device={capture.measured_on} />
            <OriginMark origin={capture.origin} />
            {capture.outcomes
              .filter((outcome) => outcome.value !== undefined)
              .slice(0, 4)
              .map((outcome) => (
                <span key={outcome.metric + (outcome.phase ?? "")}>
                  <span className="dim">{outcome.metric}</span> {quantityText(outcome.value!, outcome.unit)}
                </span>
              ))}
          </li>
        ))}
        {check.captures.length > 12 && <li className="dim">and {check.captures.length - 12} more captures</li>}
      </ul>
      {findings.length > 0 && (
        <details>
          <summary>
            {findings.length === 1 ? "One finding" : `${findings.length} findings`}: {findings[0]!.message}
          </summary>
          <ul className="plain">
            {findings.map((finding, index) => (
              <li key={index}>
                {finding.message} {finding.count > 1 && <span className="dim">× {finding.count}</span>}{" "}
                {finding.pointer && <code>{finding.pointer}</code>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
