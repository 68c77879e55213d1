import type { Problem } from "./nouns";

/** A failure the server explained, with what to do next. */
export class ApiError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
  }
}

/** Any failure as a problem to show. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  const message = error instanceof Error ? error.message : String(error);
  return {
    type: "unreachable",
    title: "The server could not be reached",
    detail: `The server could not be reached: ${message}`,
    status: 0,
    hint: "check that graphsignal-server is running and that this address is right, then try again",
  };
}

type Query = Record<string, string | number | boolean | undefined | null | string[]>;

interface Options {
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

function address(path: string, query?: Query): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") parameters.append(key, String(one));
    }
  }
  const text = parameters.toString();
  return `/api/v1${path}${text ? `?${text}` : ""}`;
}

/** One request. A refusal is thrown as an ApiError that holds the server's own words. */
export async function request<T>(
  method: string,
  path: string,
  options: Options = {},
): Promise<{ data: T; etag?: string }> {
  const headers: Record<string, string> = { Accept: "application/json", ...options.headers };
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(address(path, options.query), {
    method,
    headers,
    body: options.body === undefined ? undefined : JSON.stringify(options.body),
    signal: options.signal,
    credentials: "same-origin",
  });
  if (!answer.ok) throw new ApiError(await readProblem(answer));
  const data = (answer.status === 204 ? undefined : await answer.json()) as T;
  return { data, etag: answer.headers.get("ETag") ?? undefined };
}

/** A reading request. */
export async function get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  return (await request<T>("GET", path, { query, signal })).data;
}

/** A request that creates or computes. */
export async function post<T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
  return (await request<T>("POST", path, { body: body ?? {}, headers })).data;
}

/**
 * Edits a thing: reads its present revision first, so that an edit made by
 * someone else meanwhile is refused instead of overwritten.
 */
export async function edit<T>(path: string, body: unknown, revision: number): Promise<T> {
  return (await request<T>("PATCH", path, { body, headers: { "If-Match": `"${revision}"` } })).data;
}

async function readProblem(answer: Response): Promise<Problem> {
  try {
    const problem = (await answer.json()) as Problem;
    if (typeof problem.title === "string") return { ...problem, status: answer.status };
  } catch {
    // Not every refusal on the way is ours; what came is told below.
  }
  return {
    type: "unexpected_answer",
    title: `The server answered ${answer.status}`,
    detail: `The server answered ${answer.status} ${answer.statusText} where JSON was expected`,
    status: answer.status,
    hint: "try again; if it stays, look into the server's log",
  };
}

/**
 * Sends files. The browser tells how much of the body has left; the returned
 * function gives up.
 */
export function upload<T>(
  path: string,
  form: FormData,
  onProgress: (share: number) => void,
): { done: Promise<T>; cancel: () => void } {
  const sending = new XMLHttpRequest();
  const done = new Promise<T>((resolve, reject) => {
    sending.open("POST", address(path));
    sending.setRequestHeader("Accept", "application/json");
    sending.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    sending.onload = () => {
      const answer = new Response(sending.responseText, { status: sending.status, statusText: sending.statusText });
      if (answer.ok) resolve(JSON.parse(sending.responseText) as T);
      else readProblem(answer).then((problem) => reject(new ApiError(problem)));
    };
    sending.onerror = () => reject(new Error("the connection broke while sending"));
    sending.onabort = () => reject(new DOMException("cancelled", "AbortError"));
    sending.send(form);
  });
  return { done, cancel: () => sending.abort() };
}
