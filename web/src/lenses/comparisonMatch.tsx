import type { DimensionRow, FieldPair, FieldValue, Result } from "../api/comparison";
import type { State } from "../api/nouns";
import { Absent } from "../ui/Absent";
import { type Column, SaveTable } from "../ui/DataTable";
import { Panel } from "../ui/Panel";
import { TableFrame } from "../ui/TableFrame";
import { Tag, type Tone } from "../ui/Tag";
import { sourceWords, valueText } from "./values";

const states: Record<State, { word: string; tone: Tone }> = {
  same: { word: "same", tone: "plain" },
  intentionally_changed: { word: "intended", tone: "accent" },
  different: { word: "different", tone: "stop" },
  unknown: { word: "unknown", tone: "unsure" },
};

/** How a row stands, as a mark. */
export function StateMark({ row }: { row: DimensionRow }) {
  const { word, tone } = states[row.state];
  const basis = row.basis ? row.basis.replaceAll("_", " ") : "";
  return (
    <>
      <Tag tone={tone} tip={[row.reason, row.means && `Rule: ${row.means}`].filter(Boolean).join("\n")}>
        {word}
      </Tag>
      {basis && basis !== "observed" && row.state !== "unknown" && <span className="dim basis"> {basis}</span>}
    </>
  );
}

const classes: Record<string, string> = {
  must: "must match; can't be declared",
  gate: "must match unless declared as the change",
  context: "caps the verdict where it differs undeclared",
  per_outcome: "decides outcome by outcome",
  noise: "says which earlier runs count as history",
  note: "shown only",
};

/** A row's value in words; where a workload stands for the model that nobody named, it says so instead of an id. */
export function sideText(row: DimensionRow, side: "baseline" | "candidate") {
  const text = readable(row[side], row, side);
  if (text !== "") {
    return (
      <span className="mono wrap clamp" title={text}>
        {text}
      </span>
    );
  }
  if (row.class === "per_outcome") return <span className="dim">told by outcome</span>;
  const missing = row.fields.find((field) => field[side].absent);
  return <Absent absent={missing?.[side].absent ?? "not_recorded"} note={missing?.[side].note} />;
}

function readable(text: string, row: DimensionRow, side: "baseline" | "candidate"): string {
  return row.fields.reduce((shown, field) => {
    const value = field[side];
    const stands = standsFor(value);
    return stands && typeof value.raw === "string" ? shown.replace(value.raw, stands) : shown;
  }, text);
}

function standsFor(value: FieldValue): string | undefined {
  const workload = /^workload (.+), which names no model$/.exec(value.from ?? "")?.[1];
  return workload && `that of the workload “${workload}”`;
}

// What decides stands first: what refuses, what caps, the intended change; then
// what is open without a cap, what is the same, and what is only noted.
function inOrder(result: Result): DimensionRow[] {
  const capping = new Set(result.caps.map((cap) => cap.dimension));
  const rank = (row: DimensionRow) => {
    if (row.class === "noise" || row.class === "note") return 5;
    if (row.state === "different") return 0;
    if (capping.has(row.key)) return 1;
    return { intentionally_changed: 2, unknown: 3, same: 4 }[row.state];
  };
  return [...result.dimensions].sort((a, b) => rank(a) - rank(b));
}

const columns: Column<DimensionRow>[] = [
  { key: "dimension", header: "Dimension", cell: (row) => row.label, csv: (row) => row.key },
  { key: "class", header: "Class", cell: (row) => row.class, csv: (row) => row.class },
  { key: "state", header: "State", cell: (row) => row.state, csv: (row) => row.state },
  { key: "basis", header: "Basis", cell: (row) => row.basis, csv: (row) => row.basis },
  { key: "baseline", header: "Baseline", cell: (row) => row.baseline, csv: (row) => row.baseline },
  { key: "candidate", header: "Candidate", cell: (row) => row.candidate, csv: (row) => row.candidate },
  { key: "source_baseline", header: "Source", cell: (row) => row.sources[0], csv: (row) => row.sources[0] },
  { key: "source_candidate", header: "Source", cell: (row) => row.sources[1], csv: (row) => row.sources[1] },
  { key: "rule", header: "Rule", cell: (row) => row.rule, csv: (row) => `${row.rule}/${row.rule_version}` },
  { key: "reason", header: "Reason", cell: (row) => row.reason, csv: (row) => row.reason },
];

/** What must match: every row with its state, both spellings and where each came from. */
export function MatchTable({ result, title = "What must match" }: { result: Result; title?: string }) {
  const rows = result.dimensions;
  const counts = (Object.keys(states) as State[])
    .map((state) => [states[state].word, rows.filter((row) => row.state === state).length] as const)
    .filter(([, number]) => number > 0)
    .map(([word, number]) => `${number} ${word}`)
    .join(", ");
  return (
    <Panel title={title} note={counts} tools={<SaveTable label="dimensions" columns={columns} rows={rows} />}>
      <TableFrame label="dimensions">
        <table className="data match" aria-label="dimensions of the comparison">
          <colgroup>
            {[20, 23, 21, 21, 15].map((share, index) => (
              <col key={index} style={{ width: `${share}%` }} />
            ))}
          </colgroup>
          <thead>
            <tr>
              <th scope="col">Dimension</th>
              <th scope="col">State</th>
              <th scope="col">
                <span className="side-a">Baseline</span>
              </th>
              <th scope="col">
                <span className="side-b">Candidate</span>
              </th>
              <th scope="col">Source</th>
            </tr>
          </thead>
          <tbody>
            {inOrder(result).map((row) => (
              <MatchRow key={row.key} row={row} />
            ))}
          </tbody>
        </table>
      </TableFrame>
    </Panel>
  );
}

function MatchRow({ row }: { row: DimensionRow }) {
  const several = row.fields.length > 1 || row.fields.some((field) => field.baseline.note || field.candidate.note);
  const [a, b] = row.sources;
  return (
    <tr className={`state-${row.state}`}>
      <td>
        {several ? (
          <details>
            <summary data-tip={classes[row.class]}>{row.label}</summary>
            <FieldList fields={row.fields} />
            <div className="dim">
              Rule {row.rule}/{row.rule_version}: {row.means}
            </div>
          </details>
        ) : (
          <span data-tip={`${classes[row.class] ?? row.class}\nRule: ${row.means}`}>{row.label}</span>
        )}
      </td>
      <td>
        <StateMark row={row} />
        {row.reason && (row.state !== "same" || row.basis === "attested") && (
          <div className="dim clamp six-lines" title={row.reason}>
            {row.reason}
          </div>
        )}
      </td>
      <td>{sideText(row, "baseline")}</td>
      <td>{sideText(row, "candidate")}</td>
      <td className="dim">
        <SourceText a={a} b={b} />
      </td>
    </tr>
  );
}

function SourceText({ a, b }: { a: string; b: string }) {
  const whole = a === b ? a : [a && `baseline: ${a}`, b && `candidate: ${b}`].filter(Boolean).join("; ");
  return (
    <span className="clamp two-lines" title={whole}>
      {whole}
    </span>
  );
}

function FieldList({ fields }: { fields: FieldPair[] }) {
  return (
    <dl className="field-list">
      {fields.map((field) => (
        <div key={field.key}>
          <dt>
            {field.label} <span className="dim">{states[field.state].word}</span>
          </dt>
          <dd className="side-a">
            <OneValue value={field.baseline} />
          </dd>
          <dd className="side-b">
            <OneValue value={field.candidate} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function OneValue({ value }: { value: FieldValue }) {
  if (value.raw === undefined && !value.normalised)
    return <Absent absent={value.absent ?? "not_recorded"} note={value.note} />;
  const raw = standsFor(value) ?? valueText(value.raw);
  const normalised = value.normalised && value.normalised !== raw ? value.normalised : undefined;
  return (
    <span data-tip={sourceWords(value.source, value.from)}>
      <span className="mono wrap">{raw || normalised}</span>
      {normalised && raw && <span className="dim"> read as {normalised}</span>}
    </span>
  );
}
