import { type FormEvent, useState } from "react";
import { Panel } from "../ui/Panel";
import { Problem, type ProblemShown } from "../ui/Problem";

/** Free labels: searchable, never compared. Changes are told singly; an empty value takes a label away. */
export function LabelEditor({
  labels,
  onChange,
  problem,
}: {
  labels: Record<string, string>;
  onChange: (labels: Record<string, string>) => void;
  problem?: ProblemShown;
}) {
  const [text, setText] = useState("");
  const add = (event: FormEvent) => {
    event.preventDefault();
    const at = text.indexOf("=");
    const key = (at < 0 ? text : text.slice(0, at)).trim();
    if (!key) return;
    onChange({ [key]: at < 0 ? "yes" : text.slice(at + 1).trim() || "yes" });
    setText("");
  };
  const remove = (key: string) => onChange({ [key]: "" });
  return (
    <Panel title="Labels" note="searchable, never compared">
      <div className="row">
        {Object.entries(labels).map(([key, value]) => (
          <button
            key={key}
            type="button"
            className="tag"
            onClick={() => remove(key)}
            aria-label={`${value === "yes" ? key : `${key}=${value}`}, remove the label`}
          >
            {value === "yes" ? key : `${key}=${value}`} ✕
          </button>
        ))}
        <form onSubmit={add} className="row">
          <input
            aria-label="New label, as key or key=value"
            placeholder="key=value"
            value={text}
            onChange={(event) => setText(event.target.value)}
            style={{ width: 160 }}
          />
          <button type="submit" className="btn" disabled={text.trim() === ""}>
            Add
          </button>
        </form>
      </div>
      {problem && <Problem problem={problem} />}
    </Panel>
  );
}
