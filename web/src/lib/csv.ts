// RFC 4180 tables that a spreadsheet can open without running anything.

export type Cell = string | number | boolean | null | undefined;

/** One table as CSV text. An absent cell is empty and unquoted. */
export function csv(header: string[], rows: Cell[][]): string {
  return [header, ...rows].map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

function field(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number") return Number.isFinite(cell) ? String(cell) : "";
  let text = String(cell);
  // A cell that begins like a formula is prefixed, so that it stays text.
  if (/^[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
