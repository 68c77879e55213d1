import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ImportAnswer, LensID, MissingField, Problem as ProblemNoun } from "../api/nouns";
import { setupsQuery, workloadsQuery } from "../api/queries";
import { SelectField, TextField } from "../ui/Field";
import { Panel, Progress } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { type CheckedFile, commonLens, importFiles, missingOf, problemFrom, suggestedWorkload } from "./importing";
import { useLens, useLenses } from "./registry";
import { parseValue } from "./values";

/** Where checked files belong, what they don't say, and sending them. */
export function ImportForm({
  ws,
  files,
  left,
  lens,
  onLens,
  onDone,
  proposed,
}: {
  ws: string;
  files: CheckedFile[];
  /** How many files can't be read and stay behind. */
  left: number;
  lens: LensID | undefined;
  onLens: (lens: LensID | undefined) => void;
  onDone: (answer: ImportAnswer) => void;
  /** The workload that a link proposes. */
  proposed?: string;
}) {
  const lenses = useLenses();
  const found = lens ?? commonLens(files);
  const registry = useLens(found);
  const workloads = (useQuery(workloadsQuery(ws)).data?.rows ?? []).filter(
    (workload) => !found || workload.lens === found,
  );
  const setups = useQuery(setupsQuery(ws)).data?.rows ?? [];
  const [workload, setWorkload] = useState(proposed ?? suggestedWorkload(files));
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
