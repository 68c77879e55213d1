import { type ReactNode, useState } from "react";
import type { Dimension, Lens, RunDimension } from "../api/nouns";
import { Absent } from "../ui/Absent";
import { type Column, DataTable, SaveTable } from "../ui/DataTable";
import { Panel } from "../ui/Panel";
import { Tag } from "../ui/Tag";
import { fieldOf, rowOf } from "./registry";
import { sourceWords, valueText } from "./values";

/** A dimension of a capture, or of a run with all that was said of it. */
type Said = Dimension & Partial<Pick<RunDimension, "sources" | "conflict">>;

interface Entry {
  key: string;
  label: string;
  row: string;
  unit?: string;
  dimension: Said;
  required: boolean;
}

/** A dimension's value, or the reason it is missing. */
export function DimensionValue({ dimension, unit }: { dimension: Dimension; unit?: string }): ReactNode {
  if (dimension.absent || dimension.value === undefined) {
    return <Absent absent={dimension.absent ?? "not_recorded"} note={dimension.note} />;
  }
  const text = valueText(dimension.value, unit);
  return (
    <span className="mono wrap clamp" title={text.length > 160 ? text : undefined}>
      {text}
    </span>
  );
}

// Known values first in the order of the lens, then what is missing.
function entries(lens: Lens | undefined, dimensions: Record<string, Said>): Entry[] {
  const order = new Map((lens?.rows ?? []).flatMap((row) => row.fields).map((key, index) => [key, index]));
  const keys = new Set([
    ...Object.keys(dimensions),
    ...(lens?.fields ?? []).filter((field) => field.row).map((field) => field.key),
  ]);
  return [...keys]
    .map((key) => {
      const field = fieldOf(lens, key);
      return {
        key,
        label: field?.label ?? key.replaceAll("_", " "),
        row: rowOf(lens, field?.row ?? "")?.label ?? "",
        unit: field?.unit,
        required: field?.required ?? false,
        dimension: dimensions[key] ?? { absent: "not_recorded" },
      };
    })
    .sort((a, b) => (order.get(a.key) ?? 999) - (order.get(b.key) ?? 999) || a.key.localeCompare(b.key));
}

// So many missing dimensions are shown without being asked for.
const fewMissing = 8;

/** Every dimension of a run or capture: value, where it comes from, or why it is missing. */
export function DimensionTable({
  lens,
  dimensions,
  title = "Dimensions",
  onDeclare,
  declared,
  onWithdraw,
}: {
  lens: Lens | undefined;
  dimensions: Record<string, Said>;
  title?: string;
  onDeclare?: (key: string) => void;
  /** What was declared for the run itself: that can be changed or taken back. */
  declared?: Record<string, unknown>;
  onWithdraw?: (key: string) => void;
}) {
  const [opened, setOpen] = useState(false);
  const all = entries(lens, dimensions);
  const known = all.filter(({ dimension }) => !dimension.absent && dimension.value !== undefined);
  const missing = all.filter((entry) => !known.includes(entry));
  const open = opened || missing.length <= fewMissing;
  const columns: Column<Entry>[] = [
    {
      key: "dimension",
      header: "Dimension",
      cell: (entry) => (
        <span className="nowrap" data-tip={`${entry.key}${entry.row ? `\nrow: ${entry.row}` : ""}`}>
          {entry.label}
        </span>
      ),
      csv: (entry) => entry.key,
    },
    {
      key: "value",
      header: "Value",
      cell: (entry) => (
        <>
          <DimensionValue dimension={entry.dimension} unit={entry.unit} />{" "}
          {entry.dimension.conflict && (
            <Tag tone="unsure" tip="A weaker source says something else: correct it, or the row stays unknown">
              conflict
            </Tag>
          )}
        </>
      ),
      csv: (entry) => (entry.dimension.absent ? undefined : valueText(entry.dimension.value)),
    },
    {
      key: "source",
      header: "Source",
      cell: (entry) => <Sources dimension={entry.dimension} />,
      csv: (entry) => entry.dimension.source,
    },
    { key: "from", header: "", cell: () => null, csv: (entry) => entry.dimension.from },
    {
      key: "absent",
      header: "",
      cell: (entry) => {
        const own = declared !== undefined && entry.key in declared;
        const missing = entry.dimension.absent || entry.dimension.value === undefined;
        if (!onDeclare || (!own && !missing)) return null;
        return (
          <span className="nowrap">
            <button
              type="button"
              className="btn quiet"
              onClick={() => onDeclare(entry.key)}
              aria-label={`${own ? "Change" : "Declare"}… ${entry.label}`}
            >
              {own ? "Change…" : "Declare…"}
            </button>
            {own && onWithdraw && (
              <button
                type="button"
                className="btn quiet"
                onClick={() => onWithdraw(entry.key)}
                aria-label={`Take back ${entry.label}`}
              >
                Take back
              </button>
            )}
          </span>
        );
      },
      csv: (entry) => entry.dimension.absent,
    },
  ];
  const shown = columns.filter((column) => column.key !== "from");
  return (
    <Panel
      className="dimensions"
      title={title}
      note={`${known.length} known, ${missing.length} missing`}
      tools={<SaveTable label={title} columns={columns} rows={all} />}
    >
      <DataTable
        label={title}
        columns={shown}
        rows={open ? [...known, ...missing] : known}
        rowKey={(entry) => entry.key}
      />
      {missing.length > fewMissing && (
        <button type="button" className="btn quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Hide what is missing" : `Show the ${missing.length} missing`}
        </button>
      )}
    </Panel>
  );
}

function Sources({ dimension }: { dimension: Said }) {
  if (dimension.absent || dimension.value === undefined) {
    return <span className="dim">{(dimension.absent ?? "not_recorded").replaceAll("_", " ")}</span>;
  }
  const others = (dimension.sources ?? []).slice(1);
  const tip = others.length
    ? `Also said:\n${others.map((other) => `${valueText(other.value)} (${sourceWords(other.source, other.from)})`).join("\n")}`
    : undefined;
  return (
    <span className="dim" data-tip={tip}>
      {sourceWords(dimension.source, dimension.from)}
      {others.length > 0 && ` (+${others.length})`}
    </span>
  );
}
