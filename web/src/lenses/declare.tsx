import { type FormEvent, useState } from "react";
import type { Lens } from "../api/nouns";
import { Dialog } from "../ui/Dialog";
import { SelectField, TextField } from "../ui/Field";
import { Problem, type ProblemShown } from "../ui/Problem";
import { parseValue } from "./values";

/** Asks for the value of one dimension. What is typed as JSON is taken as JSON. */
export function DeclareDialog({
  lens,
  field,
  open,
  onClose,
  onDeclare,
  pending,
  problem,
  what,
}: {
  lens: Lens | undefined;
  /** The dimension asked for; the person chooses one if it is empty. */
  field: string;
  open: boolean;
  onClose: () => void;
  onDeclare: (key: string, value: unknown) => void;
  pending: boolean;
  problem?: ProblemShown;
  /** What the value is declared for: "this run", "every run in this workload". */
  what: string;
}) {
  return (
    <Dialog open={open} onClose={onClose} title="Declare a dimension">
      <DeclareForm key={field} {...{ lens, field, onDeclare, pending, problem, what }} />
    </Dialog>
  );
}

function DeclareForm({
  lens,
  field,
  onDeclare,
  pending,
  problem,
  what,
}: {
  lens: Lens | undefined;
  field: string;
  onDeclare: (key: string, value: unknown) => void;
  pending: boolean;
  problem?: ProblemShown;
  what: string;
}) {
  const fields = (lens?.fields ?? []).filter((each) => each.row);
  const [key, setKey] = useState(field || (fields[0]?.key ?? ""));
  const [text, setText] = useState("");
  const chosen = fields.find((each) => each.key === key);
  const row = lens?.rows.find((each) => each.key === chosen?.row);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value = parseValue(text);
    if (value !== undefined) onDeclare(key, value);
  };
  return (
    <form onSubmit={submit}>
      <SelectField
        label="Dimension"
        value={key}
        onChange={setKey}
        hint={row ? `Row “${row.label}”: ${row.means}` : undefined}
        options={fields.map((each) => ({ value: each.key, label: `${each.label} (${each.key})` }))}
      />
      <TextField
        label={chosen?.unit ? `Value, in ${chosen.unit}` : "Value"}
        value={text}
        onChange={setText}
        mono
        required
        autoFocus
        placeholder={chosen?.example}
        hint={
          <>
            Declared for {what}, by you, now; it is shown with that source. It never overrides what was observed in a
            capture.
          </>
        }
      />
      {problem && <Problem problem={problem} />}
      <button type="submit" className="btn primary" disabled={pending || text.trim() === ""}>
        Declare
      </button>
    </form>
  );
}
