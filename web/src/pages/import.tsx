import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createRoute, getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { ImportAnswer, LensID, MissingField, Problem as ProblemNoun } from "../api/nouns";
import { setupsQuery, workloadsQuery } from "../api/queries";
import { DropZone } from "../lenses/dropZone";
import { FileChecks } from "../lenses/importChecks";
import {
  type CheckedFile,
  checkFile,
  commonLens,
  importFiles,
  missingOf,
  problemFrom,
  suggestedWorkload,
} from "../lenses/importing";
import { takePending } from "../lenses/pendingFiles";
import { useLens, useLenses } from "../lenses/registry";
import { parseValue } from "../lenses/values";
import { one } from "../lib/search";
import { SelectField, TextField } from "../ui/Field";
import { PageHead, Panel, Progress } from "../ui/Panel";
import { Problem } from "../ui/Problem";
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
            />
          )}
        </>
      )}
    </div>
  );
}

function ImportForm({
  ws,
  files,
  left,
  lens,
  onLens,
  onDone,
}: {
  ws: string;
  files: CheckedFile[];
  /** How many files can't be read and stay behind. */
  left: number;
  lens: LensID | undefined;
  onLens: (lens: LensID | undefined) => void;
  onDone: (answer: ImportAnswer) => void;
}) {
  const search = api.useSearch();
  const lenses = useLenses();
  const found = lens ?? commonLens(files);
  const registry = useLens(found);
  const workloads = (useQuery(workloadsQuery(ws)).data?.rows ?? []).filter(
    (workload) => !found || workload.lens === found,
  );
  const setups = useQuery(setupsQuery(ws)).data?.rows ?? [];
  const [workload, setWorkload] = useState(search.workload ?? suggestedWorkload(files));
  const [run, setRun] = useState("");
  const [group, setGroup] = useState("");
  const [setup, setSetup] = useState("");
  const [texts, setTexts] = useState<Record<string, string>>({});
  const [sending, setSending] = useState<{ share: number; cancel: () => void }>();
  const [problem, setProblem] = useState<ProblemNoun>();
  const queries = useQueryClient();
  const missing = missingOf(files);
  const guessed = files.some((file) => file.check?.lens_guessed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setProblem(undefined);
    const dims = Object.fromEntries(
      Object.entries(texts).flatMap(([key, text]) => (text.trim() ? [[key, parseValue(text)]] : [])),
    );
    const { done, cancel } = importFiles(
      ws,
      files.map((file) => file.file),
      { workload, run, lens: found, group, dims, setup },
      (share) => setSending({ share, cancel }),
    );
    setSending({ share: 0, cancel });
    done
      .then(
        async (answer) => {
          await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === ws });
          onDone(answer);
        },
        (error: unknown) => setProblem(problemFrom(error)),
      )
      .finally(() => setSending(undefined));
  };
  return (
    <form onSubmit={submit} className="stack">
      <Panel title="Where they belong">
        <div className="two">
          <div>
            <TextField
              label="Workload"
              value={workload}
              onChange={setWorkload}
              required
              list="workloads"
              placeholder="resnet50 training"
              hint="The thing whose performance is being decided on. A new name makes a new workload; putting runs into one declares that they share what it names."
            />
            <datalist id="workloads">
              {workloads.map((one) => (
                <option key={one.id} value={one.name} />
              ))}
            </datalist>
            <SelectField
              label="Lens"
              value={lens ?? ""}
              onChange={(value) => onLens((value || undefined) as LensID | undefined)}
              hint={
                registry
                  ? `${registry.question}${guessed && !lens ? " Suggested from the content: choose another if it is wrong." : ""}`
                  : "The files belong to different lenses: each keeps its own."
              }
              options={[
                {
                  value: "",
                  label: found && !lens ? `${registry?.label ?? found} (found in the files)` : "as found in the files",
                },
                ...lenses.map((one) => ({ value: one.id, label: one.label })),
              ]}
            />
          </div>
          <div>
            <TextField
              label={files.length > 1 ? "Run (leave empty for one run a file)" : "Run (may stay empty)"}
              value={run}
              onChange={setRun}
              placeholder="named after the file"
              hint={
                files.length > 1
                  ? "With a name, all files become captures of one run: the ranks or cells of one launch."
                  : undefined
              }
            />
            <TextField
              label="Replicate group (may stay empty)"
              value={group}
              onChange={setGroup}
              placeholder="workers-4"
              hint="Runs of one group are launches of one configuration; they stand on one side together."
            />
            <SelectField
              label="Setup (may stay empty)"
              value={setup}
              onChange={setSetup}
              hint="Values the captures don't record. One can be attached later too."
              options={[
                { value: "", label: "none" },
                ...setups.map((one) => ({ value: one.id, label: `${one.name}, version ${one.version}` })),
              ]}
            />
          </div>
        </div>
      </Panel>
      {missing.length > 0 && (
        <Panel
          title="What the files don't say"
          note="give what you know; the rest stays absent, with its reason, and can be given later"
        >
          <MissingFields fields={missing.filter((field) => field.required)} texts={texts} onTexts={setTexts} />
          <details>
            <summary>{missing.filter((field) => !field.required).length} more that a comparison looks at</summary>
            <MissingFields fields={missing.filter((field) => !field.required)} texts={texts} onTexts={setTexts} />
          </details>
        </Panel>
      )}
      {problem && <Problem problem={problem} />}
      <div className="row">
        <button type="submit" className="btn primary" disabled={sending !== undefined || workload.trim() === ""}>
          Import {files.length === 1 ? "the file" : `${files.length} files`}
        </button>
        {left > 0 && (
          <span className="dim">{left === 1 ? "One file" : `${left} files`} with problems will be left out.</span>
        )}
        {sending && (
          <>
            <Progress value={sending.share} label="Sending" />
            <span className="dim">{sending.share < 1 ? "sending" : "reading and storing"}</span>
            <button type="button" className="btn" onClick={sending.cancel}>
              Cancel
            </button>
          </>
        )}
      </div>
    </form>
  );
}

function MissingFields({
  fields,
  texts,
  onTexts,
}: {
  fields: MissingField[];
  texts: Record<string, string>;
  onTexts: (texts: Record<string, string>) => void;
}) {
  return (
    <div className="missing-grid">
      {fields.map((field) => (
        <TextField
          key={field.key}
          label={
            <>
              {field.label} <span className="dim mono">{field.key}</span>
            </>
          }
          value={texts[field.key] ?? ""}
          onChange={(text) => onTexts({ ...texts, [field.key]: text })}
          placeholder={field.example}
          mono
        />
      ))}
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
