import { type FormEvent, useState } from "react";
import { Dialog } from "../ui/Dialog";
import { TextField } from "../ui/Field";
import { Problem, type ProblemShown } from "../ui/Problem";

/** One text of a thing that can be changed. */
export interface EditableText {
  key: string;
  label: string;
  value: string;
  hint?: string;
  required?: boolean;
}

/** Changes the texts of a thing; only those that are different are sent. */
export function EditDialog({
  title,
  texts,
  open,
  onClose,
  onChange,
  pending,
  problem,
}: {
  title: string;
  texts: EditableText[];
  open: boolean;
  onClose: () => void;
  onChange: (changed: Record<string, string>) => void;
  pending: boolean;
  problem?: ProblemShown;
}) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <EditForm {...{ texts, onClose, onChange, pending, problem }} />
    </Dialog>
  );
}

function EditForm({
  texts,
  onClose,
  onChange,
  pending,
  problem,
}: {
  texts: EditableText[];
  onClose: () => void;
  onChange: (changed: Record<string, string>) => void;
  pending: boolean;
  problem?: ProblemShown;
}) {
  const [values, setValues] = useState(() => Object.fromEntries(texts.map((text) => [text.key, text.value])));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const changed = Object.fromEntries(
      texts.flatMap(({ key, value }) => {
        const now = (values[key] ?? "").trim();
        return now === value ? [] : [[key, now]];
      }),
    );
    if (Object.keys(changed).length === 0) onClose();
    else onChange(changed);
  };
  return (
    <form onSubmit={submit}>
      {texts.map((text) => (
        <TextField
          key={text.key}
          label={text.label}
          hint={text.hint}
          required={text.required}
          value={values[text.key] ?? ""}
          onChange={(value) => setValues({ ...values, [text.key]: value })}
        />
      ))}
      {problem && <Problem problem={problem} />}
      <button type="submit" className="btn primary" disabled={pending}>
        Change
      </button>
    </form>
  );
}
