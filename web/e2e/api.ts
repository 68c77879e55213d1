// The API as a test asks it: with a token, beside the browser.

/** A server's API. */
export class Api {
  readonly address: string;
  readonly token: string;
  constructor(address: string, token: string) {
    this.address = address;
    this.token = token;
  }

  async ask<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${this.address}/api/v1/workspaces/default/${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(body && !isForm ? { "Content-Type": "application/json" } : {}),
        ...headers,
      },
      body: body === undefined ? undefined : isForm ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text ? JSON.parse(text) : undefined) as T;
  }

  get<T>(path: string): Promise<T> {
    return this.ask("GET", path);
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return this.ask("POST", path, body);
  }

  /** Imports files as one upload and returns the runs. */
  async bring(files: { name: string; bytes: Uint8Array }[], fields: Record<string, string>): Promise<ImportedRun[]> {
    const form = new FormData();
    for (const [key, value] of Object.entries(fields)) form.append(key, value);
    for (const file of files) form.append("file", new Blob([new Uint8Array(file.bytes)]), file.name);
    return (await this.post<{ runs: ImportedRun[] }>("imports", form)).runs;
  }
}

export interface ImportedRun {
  id: string;
  name: string;
  captures: { id: string; sha256: string }[];
}
