import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { attachSetup, createSetup } from "../api/actions";
import { problemOf } from "../api/client";
import type { Lens } from "../api/nouns";
import { setupsQuery } from "../api/queries";
import { Dialog } from "../ui/Dialog";
import { SelectField, TextArea, TextField } from "../ui/Field";
import { Problem } from "../ui/Problem";
import { Toggle } from "../ui/Toggle";
import { parseValue, valueText } from "./values";

/** Lines of "key = value" as a map; a value that is JSON is taken as JSON. */
export function readValues(text: string): { values: Record<string, unknown>; wrong?: string } {
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) {
    try {
      return { values: JSON.parse(trimmed) as Record<string, unknown> };
    } catch (error) {
      return { values: {}, wrong: `This is no JSON object: ${(error as Error).message}` };
    }
  }
  const values: Record<string, unknown> = {};
  for (const [index, line] of trimmed.split("\n").entries()) {
    if (line.trim() === "") continue;
    const at = line.indexOf("=");
    const key = line.slice(0, at).trim();
    const value = at < 0 ? undefined : parseValue(line.slice(at + 1));
    if (key === "" || value === undefined) return { values: {}, wrong: `Line ${index + 1} is not key = value` };
    values[key] = value;
  }
  return { values };
}

/** A map as lines of "key = value". */
export function writeValues(values: Record<string, unknown>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} = ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
}

/** Chooses a setup, or makes one, and attaches it to runs. */
export function AttachSetupDialog({
  ws,
  runs,
  runWords,
  lens,
  suggest,
  open,
  onClose,
  onAttached,
}: {
  ws: string;
  runs: string[];
  /** What the runs are, in words: "this run", "all 6 runs of both sides". */
  runWords: string;
  lens: Lens | undefined;
  /** Keys of fields that are wanted, offered as the first lines of a new setup. */
  suggest: string[];
  open: boolean;
  onClose: () => void;
  onAttached?: () => void;
}) {
  return (
    <Dialog open={open} onClose={onClose} title="Attach a setup" wide>
      <p className="sub">
        A setup is a named, versioned set of values that captures don't record: GPU, driver, power cap, engine flags. It
        is attached to {runWords}, and every value keeps it as its source. <code>graphsignal-server env</code> writes
        one on the machine it runs on.
      </p>
      <AttachForm {...{ ws, runs, lens, suggest, onClose, onAttached }} />
    </Dialog>
  );
}

function AttachForm({
  ws,
  runs,
  lens,
  suggest,
  onClose,
  onAttached,
}: {
  ws: string;
  runs: string[];
  lens: Lens | undefined;
  suggest: string[];
  onClose: () => void;
  onAttached?: () => void;
}) {
  const setups = useQuery(setupsQuery(ws)).data?.rows ?? [];
  const [how, setHow] = useState<"existing" | "new">();
  const mode = how ?? (setups.length > 0 ? "existing" : "new");
  const [chosen, setChosen] = useState("");
  const [name, setName] = useState("");
  const examples = suggest.flatMap((key) => lens?.fields.find((field) => field.key === key) ?? []);
  const [text, setText] = useState("");
  const read = readValues(text);
  const queries = useQueryClient();
  const attach = useMutation({
    mutationFn: async () => {
      const setup =
        mode === "new"
          ? await createSetup(ws, { name: name.trim(), values: read.values })
          : setups.find((one) => one.id === (chosen || setups[0]?.id));
      if (!setup) throw new Error("no setup is chosen");
      await attachSetup(ws, runs, setup);
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === ws });
      onClose();
      onAttached?.();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attach.mutate();
  };
  const existing = setups.find((one) => one.id === (chosen || setups[0]?.id));
  return (
    <form onSubmit={submit}>
      <div className="row" style={{ marginBottom: 12 }}>
        <Toggle
          label="Which setup"
          value={mode}
          onChange={setHow}
          options={[
            { value: "existing", label: `One of ${setups.length}` },
            { value: "new", label: "A new one" },
          ]}
        />
      </div>
      {mode === "existing" ? (
        <>
          <SelectField
            label="Setup"
            value={existing?.id ?? ""}
            onChange={setChosen}
            options={setups.map((one) => ({ value: one.id, label: `${one.name}, version ${one.version}` }))}
          />
          {existing && (
            <pre className="code" style={{ marginBottom: 12, maxHeight: 200 }}>
              {Object.entries(existing.values)
                .map(([key, value]) => `${key} = ${valueText(value)}`)
                .join("\n")}
            </pre>
          )}
        </>
      ) : (
        <>
          <TextField label="Name" value={name} onChange={setName} required placeholder="cpu-box" />
          <TextArea
            label="Values, one key = value a line, or a JSON object"
            value={text}
            onChange={setText}
            wrong={text ? read.wrong : undefined}
            mono
            rows={6}
            required
            placeholder={
              examples.map((field) => `${field.key} = ${field.example ?? ""}`).join("\n") || "driver = 570.86.15"
            }
            hint={
              examples.length > 0
                ? `Wanted: ${examples.map((field) => `${field.key} (${field.label})`).join(", ")}`
                : undefined
            }
          />
        </>
      )}
      {attach.error && <Problem problem={problemOf(attach.error)} />}
      <button
        type="submit"
        className="btn primary"
        disabled={
          attach.isPending || (mode === "new" ? name.trim() === "" || Object.keys(read.values).length === 0 : !existing)
        }
      >
        Attach to {runs.length === 1 ? "the run" : `${runs.length} runs`}
      </button>
    </form>
  );
}
