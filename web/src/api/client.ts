import createClient from "openapi-fetch";
import type { components, paths } from "./schema.gen";

/** A refusal as the server writes it: what went wrong, where, and what to do. */
export type Problem = components["schemas"]["Problem"];

/** The API, typed by its own description: a renamed field or path does not compile. */
export const http = createClient<paths>({ credentials: "same-origin", headers: { Accept: "application/json" } });

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
  return made(
    0,
    `The server could not be reached: ${message}`,
    "check that graphsignal-server is running and that this address is right, then try again",
  );
}

function made(status: number, detail: string, hint: string): Problem {
  return { type: "unreachable", title: detail, detail, status, hint, errors: [], request_id: "" };
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && typeof (value as Problem).title === "string";
}

function refusal(error: unknown, status: number): ApiError {
  if (isProblem(error)) return new ApiError({ ...error, status });
  // Not every refusal on the way is the server's own.
  return new ApiError(
    made(
      status,
      `The server answered ${status} where JSON was expected`,
      "try again; if it stays, look into the server's log",
    ),
  );
}

/** The data of an answer; a refusal is thrown. */
export async function read<Data>(asked: Promise<{ data?: Data; error?: unknown; response: Response }>): Promise<Data> {
  const { data, error, response } = await asked;
  if (!response.ok) throw refusal(error, response.status);
  return data as Data;
}

/**
 * Sends a form with files. The browser tells how much of it has left; the
 * returned function gives up.
 */
export function upload<Answer>(
  address: string,
  form: FormData,
  onProgress: (share: number) => void,
): { done: Promise<Answer>; cancel: () => void } {
  const sending = new XMLHttpRequest();
  const done = new Promise<Answer>((resolve, reject) => {
    sending.open("POST", address);
    sending.setRequestHeader("Accept", "application/json");
    sending.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    sending.onload = () => {
      const answer = parsed(sending.responseText);
      if (sending.status >= 200 && sending.status < 300 && answer !== undefined) resolve(answer as Answer);
      else reject(refusal(answer, sending.status));
    };
    sending.onerror = () => reject(new Error("the connection broke while sending"));
    sending.onabort = () => reject(new DOMException("cancelled", "AbortError"));
    sending.send(form);
  });
  return { done, cancel: () => sending.abort() };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
