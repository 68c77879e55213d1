// Files dropped on one page and imported on the next.

let waiting: File[] = [];

/** Keeps files until the import page asks for them. */
export function keepForImport(files: File[]) {
  waiting = files;
}

/** The files kept, once. */
export function takePending(): File[] {
  const files = waiting;
  waiting = [];
  return files;
}
