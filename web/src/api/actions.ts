// Every change a screen can make. An edit names the revision it was made on,
// so that an edit made by someone else meanwhile is refused, not overwritten.
import { http, read } from "./client";
import type { ComparisonRequest } from "./comparison";
import type { LensID } from "./nouns";
import type { components } from "./schema.gen";

type Schemas = components["schemas"];

const revisionHeader = (revision: number) => ({ "If-Match": `"${revision}"` });

export function signOut() {
  return read(http.POST("/api/v1/signout"));
}

export function createWorkload(ws: string, body: { name: string; lens: LensID; declared: Record<string, unknown> }) {
  return read(http.POST("/api/v1/workspaces/{ws}/workloads", { params: { path: { ws } }, body }));
}

export function editWorkload(ws: string, id: string, revision: number, body: Schemas["WorkloadEditBody"]) {
  const params = { path: { ws, id }, header: revisionHeader(revision) };
  return read(http.PATCH("/api/v1/workspaces/{ws}/workloads/{id}", { params, body }));
}

export function editRun(ws: string, id: string, revision: number, body: Schemas["RunEditBody"]) {
  const params = { path: { ws, id }, header: revisionHeader(revision) };
  return read(http.PATCH("/api/v1/workspaces/{ws}/runs/{id}", { params, body }));
}

/** Declares values for several runs, each on its present revision. */
export async function declareForRuns(ws: string, runs: string[], declared: Record<string, unknown>) {
  for (const id of runs) {
    const { run } = await read(http.GET("/api/v1/workspaces/{ws}/runs/{id}", { params: { path: { ws, id } } }));
    await editRun(ws, id, run.revision, { declared });
  }
}

/** Attaches a version of a setup to several runs. */
export async function attachSetup(ws: string, runs: string[], setup: { id: string; version: number }) {
  const body = { setup_id: setup.id, version: setup.version };
  for (const id of runs)
    await read(http.POST("/api/v1/workspaces/{ws}/runs/{id}/setups", { params: { path: { ws, id } }, body }));
}

export function detachSetup(ws: string, run: string, setup: string) {
  return read(
    http.DELETE("/api/v1/workspaces/{ws}/runs/{id}/setups/{setup}", { params: { path: { ws, id: run, setup } } }),
  );
}

export function createSetup(ws: string, body: { name: string; values: Record<string, unknown> }) {
  return read(http.POST("/api/v1/workspaces/{ws}/setups", { params: { path: { ws } }, body }));
}

export function addSetupVersion(ws: string, id: string, version: number, values: Record<string, unknown>) {
  const params = { path: { ws, id }, header: revisionHeader(version) };
  return read(http.POST("/api/v1/workspaces/{ws}/setups/{id}/versions", { params, body: { values } }));
}

/** Keeps a comparison. Sending the same again with the same key makes no second one. */
export function saveComparison(ws: string, name: string, request: ComparisonRequest, key: string) {
  const params = { path: { ws }, header: { "Idempotency-Key": key } };
  return read(http.POST("/api/v1/workspaces/{ws}/comparisons", { params, body: { ...request, name } }));
}

export function recomputeComparison(ws: string, id: string) {
  return read(http.POST("/api/v1/workspaces/{ws}/comparisons/{id}/recompute", { params: { path: { ws, id } } }));
}
