import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, memo, type ReactNode, useEffect, useRef, useState } from "react";
import type { Cell } from "../lib/csv";
import { saveCSV } from "./download";
import { TableFrame } from "./TableFrame";

/** One column: how its header, its cell and its CSV field look. */
export interface Column<Row> {
  key: string;
  header: ReactNode;
  cell: (row: Row, index: number) => ReactNode;
  /** The CSV field, several under one header suffix each, or nothing to leave the column out. */
  csv?: (row: Row) => Cell;
  /** Header in CSV; the key if not given. */
  csvHeader?: string;
  /** Numbers stand right. */
  number?: boolean;
  /** Width in pixels or as a share ("24%"), for tables with many rows. */
  width?: number | string;
}

export interface Selection {
  has: (key: string) => boolean;
  toggle: (key: string) => void;
  /** The name of a row, for its box. */
  name?: (key: string) => string | undefined;
  /** What is selected, for the column's header. */
  label: string;
}

interface Props<Row> {
  /** What the table lists, for screen readers and file names. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row, index: number) => string;
  selection?: Selection;
  /** Shown where there are no rows. */
  empty?: ReactNode;
  /** All rows there are, where more exist than were read. */
  total?: number;
  /** Called when the end comes into sight. */
  onNearEnd?: () => void;
  /** The height of the scrolled part, for long tables. */
  height?: string;
}

const rowHeight = 30;
const virtualFrom = 60;

/**
 * A table that stays smooth at any length: only rows in sight exist. Arrow
 * keys, Home, End and Page keys walk the rows; Space selects; Enter follows
 * the row's link.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { columns, rows, selection, empty, onNearEnd } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const long = rows.length > virtualFrom;
  const virtual = useVirtualizer({
    count: long ? rows.length : 0,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const items = long ? virtual.getVirtualItems() : [];
  const first = long ? (items[0]?.index ?? 0) : 0;
  const last = long ? (items.at(-1)?.index ?? -1) : rows.length - 1;

  useEffect(() => {
    if (onNearEnd && last >= rows.length - 150) onNearEnd();
  }, [last, rows.length, onNearEnd]);

  const move = (to: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    setActive(next);
    if (long) virtual.scrollToIndex(next);
    const focus = () => frame.current?.querySelector<HTMLElement>(`[data-row="${next}"] [data-primary]`)?.focus();
    focus();
    requestAnimationFrame(focus);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = Number((event.target as Element).closest("[data-row]")?.getAttribute("data-row") ?? Number.NaN);
    if (Number.isNaN(at) || event.altKey || event.ctrlKey || event.metaKey) return;
    const to: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + 15,
      PageUp: at - 15,
      Home: 0,
      End: rows.length - 1,
    };
    if (event.key in to) {
      event.preventDefault();
      move(to[event.key]!);
    } else if (event.key === " " && selection && (event.target as Element).matches("[data-primary]")) {
      event.preventDefault();
      selection.toggle(props.rowKey(rows[at]!, at));
    }
  };

  if (rows.length === 0 && empty) return <>{empty}</>;
  const before = first * rowHeight;
  const after = long ? Math.max(0, virtual.getTotalSize() - (last + 1) * rowHeight) : 0;
  // Given widths make the layout fixed: rows stay one line high, columns never jump.
  const fixed = columns.some((column) => column.width !== undefined);
  const least = columns.reduce((sum, { width }) => sum + (typeof width === "number" ? width : 96), selection ? 36 : 0);
  const columnCount = columns.length + (selection ? 1 : 0);
  return (
    <TableFrame
      frame={frame}
      label={props.label}
      tall={long}
      style={long ? { maxHeight: props.height ?? "calc(100vh - 250px)", minHeight: 240 } : undefined}
      onKeyDown={onKeyDown}
    >
      <table
        style={fixed ? { minWidth: least } : undefined}
        className={fixed ? "data fixed" : "data"}
        aria-label={props.label}
        aria-rowcount={(props.total ?? rows.length) + 1}
      >
        {fixed && (
          <colgroup>
            {selection && <col style={{ width: 36 }} />}
            {columns.map((column) => (
              <col key={column.key} style={{ width: column.width }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            {selection && (
              <th scope="col">
                <span className="visually-hidden">{selection.label}</span>
              </th>
            )}
            {columns.map((column) => (
              <th key={column.key} scope="col" className={column.number ? "n" : undefined}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Gap height={before} columns={columnCount} />}
          {rows.slice(first, last + 1).map((row, offset) => (
            <TableRow
              key={props.rowKey(row, first + offset)}
              row={row}
              index={first + offset}
              rowKey={props.rowKey}
              columns={columns}
              active={first + offset === active}
              selected={selection?.has(props.rowKey(row, first + offset))}
              selection={selection}
              onFocus={setActive}
            />
          ))}
          {after > 0 && <Gap height={after} columns={columnCount} />}
        </tbody>
      </table>
    </TableFrame>
  );
}

function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

interface RowProps<Row> extends Pick<Props<Row>, "columns" | "rowKey" | "selection"> {
  row: Row;
  index: number;
  active: boolean;
  selected?: boolean;
  onFocus: (index: number) => void;
}

// Drawn again only when its own row changes, so that scrolling draws new rows alone.
const TableRow = memo(PlainRow) as typeof PlainRow;

function PlainRow<Row>({ row, index, active, selected, onFocus, columns, rowKey, selection }: RowProps<Row>) {
  const element = useRef<HTMLTableRowElement>(null);
  const key = rowKey(row, index);
  // One row at a time takes part in the tab order.
  useEffect(() => {
    for (const control of element.current?.querySelectorAll<HTMLElement>("[data-primary], [data-select]") ?? []) {
      control.tabIndex = active ? 0 : -1;
    }
  });
  return (
    <tr
      ref={element}
      data-row={index}
      aria-rowindex={index + 2}
      aria-selected={selection ? selected : undefined}
      onFocus={() => onFocus(index)}
    >
      {selection && (
        <td>
          <input
            type="checkbox"
            data-select
            checked={selected}
            aria-label={`Select ${selection.name?.(key) ?? key}`}
            onChange={() => selection.toggle(key)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} className={column.number ? "n" : undefined}>
          {column.cell(row, index)}
        </td>
      ))}
    </tr>
  );
}

/** A quiet button that downloads a table's rows as CSV. */
export function SaveTable<Row>({ label, columns, rows }: { label: string; columns: Column<Row>[]; rows: Row[] }) {
  const written = columns.filter((column) => column.csv);
  return (
    <button
      type="button"
      className="btn quiet"
      aria-label={`Download ${label} as CSV`}
      disabled={rows.length === 0}
      onClick={() =>
        saveCSV(
          label,
          written.map((column) => column.csvHeader ?? column.key),
          rows.map((row) => written.map((column) => column.csv!(row))),
        )
      }
    >
      CSV
    </button>
  );
}
