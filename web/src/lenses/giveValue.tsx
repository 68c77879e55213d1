import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { declareForRuns } from "../api/actions";
import { problemOf } from "../api/client";
import type { Result } from "../api/comparison";
import type { Lens } from "../api/nouns";
import { Dialog } from "../ui/Dialog";
import { SelectField, TextField } from "../ui/Field";
import { Problem } from "../ui/Problem";
import { fieldOf } from "./registry";
import { parseValue } from "./values";

type Sides = "both" | "baseline" | "candidate";

/** Declares the value of a field for the runs of one side or both. */
export function GiveValueDialog({
  ws,
  result,
  lens,
  fields,
  label,
  open,
  onClose,
  onGiven,
}: {
  ws: string;
  result: Result;
  lens: Lens | undefined;
  fields: string[];
  label: string;
  open: boolean;
  onClose: () => void;
  onGiven: () => void;
}) {
  return (
    <Dialog open={open} onClose={onClose} title={`Give a value for ${label}`}>
      <GiveValueForm {...{ ws, result, lens, fields, onClose, onGiven }} />
    </Dialog>
  );
}

function GiveValueForm({
  ws,
  result,
  lens,
  fields,
  onClose,
  onGiven,
}: {
  ws: string;
  result: Result;
  lens: Lens | undefined;
  fields: string[];
  onClose: () => void;
  onGiven: () => void;
}) {
  const [side, setSide] = useState<Sides>("both");
  const [texts, setTexts] = useState<Record<string, string>>({});
  const queries = useQueryClient();
  const runs = [
    ...(side === "candidate" ? [] : result.baseline.runs),
    ...(side === "baseline" ? [] : result.candidate.runs),
  ].flatMap((run) => (run.id ? [run.id] : []));
  const given = Object.fromEntries(
    fields.flatMap((key) => (texts[key]?.trim() ? [[key, parseValue(texts[key])]] : [])),
  );
  const give = useMutation({
    mutationFn: () => declareForRuns(ws, runs, given),
    onSuccess: async () => {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === ws });
      onClose();
      onGiven();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    give.mutate();
  };
  return (
    <form onSubmit={submit}>
      <SelectField
        label="For the runs of"
        value={side}
        onChange={(value) => setSide(value as Sides)}
        options={[
          { value: "both", label: "both sides" },
          { value: "baseline", label: "the baseline" },
          { value: "candidate", label: "the candidate" },
        ]}
      />
      {fields.map((key, index) => {
        const field = fieldOf(lens, key);
        return (
          <TextField
            key={key}
            label={field?.unit ? `${field.label}, in ${field.unit}` : (field?.label ?? key)}
            value={texts[key] ?? ""}
            onChange={(value) => setTexts({ ...texts, [key]: value })}
            placeholder={field?.example}
            mono
            autoFocus={index === 0}
          />
        );
      })}
      <p className="foot">
        Declared for {runs.length === 1 ? "one run" : `${runs.length} runs`}, by you, now, and shown with that source.
        What was observed in a capture stays.
      </p>
      {give.error && <Problem problem={problemOf(give.error)} />}
      <button type="submit" className="btn primary" disabled={give.isPending || Object.keys(given).length === 0}>
        Declare and compute again
      </button>
    </form>
  );
}
