import { type FormEvent, useState } from "react";
import type { ComparisonRequest, Result } from "../api/comparison";
import type { Lens } from "../api/nouns";
import { Panel } from "../ui/Panel";
import { metricLabel, rowOf } from "./registry";

/** What was said before computing: changes, attestations, thresholds. Each can be taken back. */
export function DeclaredPanel({
  request,
  result,
  lens,
  onChange,
}: {
  request: ComparisonRequest;
  result: Result | undefined;
  lens: Lens | undefined;
  onChange: (request: ComparisonRequest) => void;
}) {
  const without = (map: Record<string, unknown> | undefined, key: string) =>
    Object.fromEntries(Object.entries(map ?? {}).filter(([other]) => other !== key));
  return (
    <Panel title="Declared before computing" note="part of the result, and of the link">
      <ul className="plain">
        {Object.entries(request.changes ?? {}).map(([row, reason]) => (
          <Said
            key={row}
            what="intended change"
            about={rowOf(lens, row)?.label ?? row}
            reason={reason}
            onRemove={() => onChange({ ...request, changes: without(request.changes, row) as Record<string, string> })}
          />
        ))}
        {Object.entries(request.same ?? {}).map(([row, reason]) => (
          <Said
            key={row}
            what="attested equal"
            about={rowOf(lens, row)?.label ?? row}
            reason={reason}
            onRemove={() => onChange({ ...request, same: without(request.same, row) as Record<string, string> })}
          />
        ))}
        {Object.entries(request.thresholds ?? {}).map(([metric, value]) => (
          <Said
            key={metric}
            what="threshold"
            about={metricLabel(lens, metric)}
            reason={String(value)}
            onRemove={() =>
              onChange({ ...request, thresholds: without(request.thresholds, metric) as Record<string, number> })
            }
          />
        ))}
        {[request.changes, request.same, request.thresholds].every((map) => Object.keys(map ?? {}).length === 0) && (
          <li className="dim">Nothing: no change is declared, nothing attested, thresholds are the registry's.</li>
        )}
      </ul>
      <AddDeclared request={request} result={result} lens={lens} onChange={onChange} />
    </Panel>
  );
}

function Said({
  what,
  about,
  reason,
  onRemove,
}: {
  what: string;
  about: string;
  reason: string;
  onRemove: () => void;
}) {
  return (
    <li className="row">
      <span className="dim">{what}</span> <b>{about}</b> <span>{reason}</span>
      <button type="button" className="btn quiet" onClick={onRemove} aria-label={`Take back: ${what} ${about}`}>
        ✕
      </button>
    </li>
  );
}

function AddDeclared({
  request,
  result,
  lens,
  onChange,
}: {
  request: ComparisonRequest;
  result: Result | undefined;
  lens: Lens | undefined;
  onChange: (request: ComparisonRequest) => void;
}) {
  const [kind, setKind] = useState<"change" | "threshold">("change");
  const [key, setKey] = useState("");
  const [text, setText] = useState("");
  const rows = (lens?.rows ?? []).filter((row) => row.declarable);
  const metrics = [...new Set((result?.outcomes ?? []).map((outcome) => outcome.metric))];
  const chosen = key || (kind === "change" ? rows[0]?.key : metrics[0]) || "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (kind === "change") {
      onChange({ ...request, changes: { ...request.changes, [chosen]: text.trim() } });
    } else {
      const value = thresholdValue(text);
      if (value === undefined) return;
      onChange({ ...request, thresholds: { ...request.thresholds, [chosen]: value } });
    }
    setText("");
    setKey("");
  };
  return (
    <form className="row" onSubmit={submit} style={{ marginTop: 12 }}>
      <select
        aria-label="What to declare"
        value={kind}
        onChange={(event) => {
          setKind(event.target.value as "change" | "threshold");
          setKey("");
        }}
        style={{ width: "auto" }}
      >
        <option value="change">Intended change</option>
        <option value="threshold">Threshold</option>
      </select>
      <select
        aria-label={kind === "change" ? "Row" : "Outcome"}
        value={chosen}
        onChange={(event) => setKey(event.target.value)}
        style={{ width: "auto", maxWidth: 240 }}
      >
        {kind === "change"
          ? rows.map((row) => (
              <option key={row.key} value={row.key}>
                {row.label}
              </option>
            ))
          : metrics.map((metric) => (
              <option key={metric} value={metric}>
                {metricLabel(lens, metric)}
              </option>
            ))}
      </select>
      <input
        aria-label={kind === "change" ? "Reason" : "Threshold, as 2% or 0.02"}
        placeholder={kind === "change" ? "loader workers 0 to 4" : "2%"}
        value={text}
        onChange={(event) => setText(event.target.value)}
        style={{ width: 220 }}
      />
      <button
        type="submit"
        className="btn"
        disabled={text.trim() === "" || chosen === "" || (kind === "threshold" && thresholdValue(text) === undefined)}
      >
        Add
      </button>
    </form>
  );
}

/** "2%" or "0.02" as a fraction; other numbers as they are. */
export function thresholdValue(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(%|pp)?\s*$/.exec(text);
  if (!match) return undefined;
  const value = Number(match[1]) / (match[2] ? 100 : 1);
  return value > 0 ? value : undefined;
}
