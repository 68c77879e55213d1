import { createRoute, getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { ImportAnswer, LensID } from "../api/nouns";
import { DropZone } from "../lenses/dropZone";
import { FileChecks } from "../lenses/importChecks";
import { ImportForm } from "../lenses/importForm";
import { type CheckedFile, checkFile, problemFrom } from "../lenses/importing";
import { takePending } from "../lenses/pendingFiles";
import { one } from "../lib/search";
import { PageHead, Panel } from "../ui/Panel";
import { useTitle } from "../ui/title";
import { useWorkspace, workspaceRoute } from "./workspace";

export const route = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "import",
  validateSearch: (search: Record<string, unknown>): { workload?: string } => ({ workload: one(search.workload) }),
  component: Import,
});

const api = getRouteApi("/w/$ws/import");

function Import() {
  useTitle("Import");
  const ws = useWorkspace();
  const search = api.useSearch();
  const [files, setFiles] = useState<CheckedFile[]>([]);
  const [lens, setLens] = useState<LensID>();
  const [answer, setAnswer] = useState<ImportAnswer>();
  const next = useRef(0);
  const update = (key: string, change: Partial<CheckedFile>) =>
    setFiles((before) => before.map((each) => (each.key === key ? { ...each, ...change } : each)));
  const check = (file: CheckedFile, under: LensID | undefined) => {
    update(file.key, { progress: 0, check: undefined, problem: undefined });
    checkFile(ws, file.file, under, (progress) => update(file.key, { progress })).done.then(
      (check) => update(file.key, { check, progress: 1 }),
      (error: unknown) => update(file.key, { problem: problemFrom(error), progress: 1 }),
    );
  };
  const add = (added: File[]) => {
    const fresh = added.map((file) => ({ key: String(next.current++), file, progress: 0 }));
    setAnswer(undefined);
    setFiles((before) => [...before, ...fresh]);
    for (const file of fresh) check(file, lens);
  };
  const arrived = useRef(add);
  useEffect(() => {
    const files = takePending();
    if (files.length > 0) arrived.current(files);
  }, []);
  const chooseLens = (chosen: LensID | undefined) => {
    setLens(chosen);
    for (const file of files) check(file, chosen);
  };
  const readable = files.filter((file) => file.check && file.check.errors.length === 0);
  const waiting = files.some((file) => !file.check && !file.problem);
  return (
    <div className="stack">
      <PageHead title="Import captures">
        The format is found from the content, not the name. The exact bytes are kept beside what is read from them.
      </PageHead>
      {answer ? (
        <Imported
          ws={ws}
          answer={answer}
          onMore={() => {
            setAnswer(undefined);
            setFiles([]);
          }}
        />
      ) : (
        <>
          <DropZone onFiles={add} compact={files.length > 0} />
          {files.length > 0 && (
            <FileChecks
              files={files}
              onRemove={(key) => setFiles((before) => before.filter((each) => each.key !== key))}
            />
          )}
          {readable.length > 0 && !waiting && (
            <ImportForm
              ws={ws}
              files={readable}
              left={files.length - readable.length}
              lens={lens}
              onLens={chooseLens}
              onDone={setAnswer}
              proposed={search.workload}
            />
          )}
        </>
      )}
    </div>
  );
}

function Imported({ ws, answer, onMore }: { ws: string; answer: ImportAnswer; onMore: () => void }) {
  const ids = answer.runs.map((run) => run.id);
  return (
    <Panel title={answer.runs.length === 1 ? "One run is there" : `${answer.runs.length} runs are there`}>
      <ul className="plain">
        {answer.runs.map((run) => (
          <li key={run.id}>
            <Link to="/w/$ws/runs/$run" params={{ ws, run: run.id }} className="strong">
              {run.name}
            </Link>{" "}
            <span className="dim">
              {run.lens}, {run.captures.length === 1 ? "one capture" : `${run.captures.length} captures`}
            </span>
          </li>
        ))}
      </ul>
      {(answer.already_stored ?? []).map((one) => (
        <p key={one.sha256} className="bar-note">
          These bytes were already here ({one.file_name ?? one.sha256.slice(0, 12)}): stored once, recognised.
        </p>
      ))}
      {answer.findings.length > 0 && (
        <p className="foot">
          {answer.findings.length === 1 ? "One finding" : `${answer.findings.length} findings`}:{" "}
          {answer.findings
            .map((finding) => finding.message)
            .slice(0, 3)
            .join(" · ")}
        </p>
      )}
      <div className="row">
        {ids.length === 1 && (
          <Link to="/w/$ws/runs/$run" params={{ ws, run: ids[0]! }} className="btn primary">
            Read the run
          </Link>
        )}
        {ids.length > 1 && (
          <Link to="/w/$ws/runs" params={{ ws }} search={{ selected: ids.join(",") }} className="btn primary">
            Select sides and compare
          </Link>
        )}
        <button type="button" className="btn" onClick={onMore}>
          Import more
        </button>
      </div>
    </Panel>
  );
}
