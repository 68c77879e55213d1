import { type Cell, csv } from "../lib/csv";

/** Gives the person a file made in the browser. */
export function saveBlob(blob: Blob, name: string) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Gives the person a table as CSV. */
export function saveCSV(name: string, header: string[], rows: Cell[][]) {
  saveBlob(new Blob([csv(header, rows)], { type: "text/csv;charset=utf-8" }), `${fileName(name)}.csv`);
}

/** A name that every file system takes. */
export function fileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replaceAll(/^-+|-+$/g, "") || "kernelwake";
}
