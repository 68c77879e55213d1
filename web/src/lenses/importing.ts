// The state of files on their way in: checked, asked about, sent.
import { ApiError, problemOf, upload } from "../api/client";
import type { Checked, ImportAnswer, LensID, MissingField, Problem } from "../api/nouns";

/** What has been found out about one file. */
export interface CheckedFile {
  key: string;
  file: File;
  /** Share of the bytes sent for the check, while it runs. */
  progress: number;
  check?: Checked;
  problem?: Problem;
}

// Uploads tell their progress, which fetch can't; these two addresses are the
// only ones written by hand.
const address = (ws: string, path: "imports" | "imports/check") =>
  `/api/v1/workspaces/${encodeURIComponent(ws)}/${path}`;

/** Reads a file on the server without keeping anything. */
export function checkFile(ws: string, file: File, lens: LensID | undefined, onProgress: (share: number) => void) {
  const form = new FormData();
  if (lens) form.append("lens", lens);
  form.append("file", file, file.name);
  return upload<Checked>(address(ws, "imports/check"), form, onProgress);
}

export interface ImportFields {
  workload: string;
  run: string;
  lens: LensID | undefined;
  group: string;
  dims: Record<string, unknown>;
  setup: string;
}

/** Sends files to keep. Fields stand before the files, so that the server knows them when bytes arrive. */
export function importFiles(ws: string, files: File[], fields: ImportFields, onProgress: (share: number) => void) {
  const form = new FormData();
  form.append("workload", fields.workload.trim());
  if (fields.run.trim()) form.append("run", fields.run.trim());
  if (fields.lens) form.append("lens", fields.lens);
  if (fields.group.trim()) form.append("replicate_group", fields.group.trim());
  if (Object.keys(fields.dims).length > 0) form.append("dims", JSON.stringify(fields.dims));
  if (fields.setup) form.append("setup_id", fields.setup);
  form.append("via", "web");
  for (const file of files) form.append("file", file, file.name);
  return upload<ImportAnswer>(address(ws, "imports"), form, onProgress);
}

/** The lens that all checked files agree on, if they do. */
export function commonLens(files: CheckedFile[]): LensID | undefined {
  const lenses = new Set(files.flatMap((one) => one.check?.lens ?? []));
  return lenses.size === 1 ? [...lenses][0] : undefined;
}

/** What every file lacks, each dimension once. */
export function missingOf(files: CheckedFile[]): MissingField[] {
  const found = new Map<string, MissingField>();
  for (const { check } of files)
    for (const missing of check?.missing ?? []) if (!found.has(missing.key)) found.set(missing.key, missing);
  return [...found.values()];
}

/** A workload name the files themselves suggest. */
export function suggestedWorkload(files: CheckedFile[]): string {
  for (const { check } of files) {
    const named = check?.captures.find((capture) => capture.workload)?.workload;
    if (named) return named;
  }
  return "";
}

export function problemFrom(error: unknown): Problem | undefined {
  if (error instanceof DOMException && error.name === "AbortError") return undefined;
  return error instanceof ApiError ? error.problem : problemOf(error);
}
