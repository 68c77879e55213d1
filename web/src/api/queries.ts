// Every reading of the API, with the key it is cached under. The second part
// of a key is the workspace, so that a change there can refresh all of it.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { http, read } from "./client";
import type { ComparisonRequest, Preview, SavedComparison } from "./comparison";
import type { CaptureShow, RequestColumns, RunRow } from "./nouns";
import type { operations } from "./schema.gen";

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: () => read(http.GET("/api/v1/session")),
  staleTime: 60_000,
});

export const lensesQuery = queryOptions({
  queryKey: ["lenses"],
  queryFn: () => read(http.GET("/api/v1/lenses")),
  staleTime: Number.POSITIVE_INFINITY,
});

type ListRuns = NonNullable<operations["list-runs"]["parameters"]["query"]>;

/** What narrows a list of runs, as the address holds it. */
export type RunFilters = { [key in Exclude<keyof ListRuns, "cursor" | "limit">]?: string };

export function runsQuery(ws: string, filters: RunFilters, limit = 500) {
  return infiniteQueryOptions({
    queryKey: ["runs", ws, filters, limit],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filters, limit, cursor: pageParam || undefined } as ListRuns;
      const list = await read(http.GET("/api/v1/workspaces/{ws}/runs", { params: { path: { ws }, query }, signal }));
      return { ...list, rows: list.rows as RunRow[] };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

export function runQuery(ws: string, id: string) {
  return queryOptions({
    queryKey: ["run", ws, id],
    queryFn: () => read(http.GET("/api/v1/workspaces/{ws}/runs/{id}", { params: { path: { ws, id } } })),
  });
}

export function workloadsQuery(ws: string) {
  return queryOptions({
    queryKey: ["workloads", ws],
    queryFn: () =>
      read(http.GET("/api/v1/workspaces/{ws}/workloads", { params: { path: { ws }, query: { limit: 500 } } })),
  });
}

export function workloadQuery(ws: string, id: string) {
  return queryOptions({
    queryKey: ["workload", ws, id],
    queryFn: () => read(http.GET("/api/v1/workspaces/{ws}/workloads/{id}", { params: { path: { ws, id } } })),
  });
}

export function capturesQuery(ws: string, filters: { format?: string }) {
  return infiniteQueryOptions({
    queryKey: ["captures", ws, filters],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, limit: 500, cursor: pageParam || undefined };
      return read(http.GET("/api/v1/workspaces/{ws}/captures", { params: { path: { ws }, query }, signal }));
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

export function captureQuery(ws: string, id: string) {
  return queryOptions({
    queryKey: ["capture", ws, id],
    queryFn: async () =>
      (await read(http.GET("/api/v1/workspaces/{ws}/captures/{id}", { params: { path: { ws, id } } }))) as CaptureShow,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function samplesQuery(ws: string, id: string, metric: string) {
  return queryOptions({
    queryKey: ["samples", ws, id, metric],
    queryFn: () =>
      read(
        http.GET("/api/v1/workspaces/{ws}/captures/{id}/samples", { params: { path: { ws, id }, query: { metric } } }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The spans of a window; the whole trace where no window is given. */
export function timelineQuery(ws: string, id: string, window: { from: number; to: number } | undefined, width: number) {
  return queryOptions({
    queryKey: ["timeline", ws, id, window, width],
    queryFn: ({ signal }) => {
      const query = { from_ns: window?.from, to_ns: window?.to, width };
      return read(
        http.GET("/api/v1/workspaces/{ws}/captures/{id}/timeline", { params: { path: { ws, id }, query }, signal }),
      );
    },
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

export function spansQuery(ws: string, id: string, query: { name?: string; category?: string; limit?: number }) {
  return queryOptions({
    queryKey: ["spans", ws, id, query],
    queryFn: ({ signal }) =>
      read(http.GET("/api/v1/workspaces/{ws}/captures/{id}/spans", { params: { path: { ws, id }, query }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

export function spanQuery(ws: string, id: string, row: number) {
  return queryOptions({
    queryKey: ["span", ws, id, row],
    queryFn: ({ signal }) =>
      read(
        http.GET("/api/v1/workspaces/{ws}/captures/{id}/spans/{row}", { params: { path: { ws, id, row } }, signal }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

export function requestsQuery(ws: string, id: string) {
  return queryOptions({
    queryKey: ["requests", ws, id],
    queryFn: async () =>
      (await read(
        http.GET("/api/v1/workspaces/{ws}/captures/{id}/requests", { params: { path: { ws, id } } }),
      )) as RequestColumns,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function setupsQuery(ws: string) {
  return queryOptions({
    queryKey: ["setups", ws],
    queryFn: () =>
      read(http.GET("/api/v1/workspaces/{ws}/setups", { params: { path: { ws }, query: { limit: 500 } } })),
  });
}

export function setupQuery(ws: string, id: string) {
  return queryOptions({
    queryKey: ["setup", ws, id],
    queryFn: () => read(http.GET("/api/v1/workspaces/{ws}/setups/{id}", { params: { path: { ws, id } } })),
  });
}

export function previewQuery(ws: string, body: ComparisonRequest) {
  return queryOptions({
    queryKey: ["preview", ws, body],
    queryFn: async ({ signal }) =>
      (await read(
        http.POST("/api/v1/workspaces/{ws}/comparisons/preview", { params: { path: { ws } }, body, signal }),
      )) as Preview,
    enabled: body.baseline.length > 0 && body.candidate.length > 0,
    staleTime: 30_000,
  });
}

export function glanceQuery(ws: string, a: string, b: string) {
  return queryOptions({
    queryKey: ["glance", ws, a, b],
    queryFn: () =>
      read(http.POST("/api/v1/workspaces/{ws}/comparisons/glance", { params: { path: { ws } }, body: { a, b } })),
    staleTime: 60_000,
  });
}

export function comparisonsQuery(ws: string) {
  return queryOptions({
    queryKey: ["comparisons", ws],
    queryFn: () =>
      read(http.GET("/api/v1/workspaces/{ws}/comparisons", { params: { path: { ws }, query: { limit: 500 } } })),
  });
}

export function comparisonQuery(ws: string, id: string) {
  return queryOptions({
    queryKey: ["comparison", ws, id],
    queryFn: async () =>
      (await read(
        http.GET("/api/v1/workspaces/{ws}/comparisons/{id}", { params: { path: { ws, id } } }),
      )) as SavedComparison,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function searchQuery(ws: string, q: string) {
  return queryOptions({
    queryKey: ["search", ws, q],
    queryFn: ({ signal }) =>
      read(http.GET("/api/v1/workspaces/{ws}/search", { params: { path: { ws }, query: { q } }, signal })),
    enabled: q.trim().length >= 2,
    staleTime: 10_000,
  });
}

/** How many of each noun the workspace holds, and the newest runs. */
export function countQuery(ws: string, noun: "workloads" | "runs" | "captures" | "comparisons" | "setups") {
  return queryOptions({
    queryKey: [noun, ws, "count"],
    queryFn: async () =>
      (await read(http.GET(`/api/v1/workspaces/{ws}/${noun}`, { params: { path: { ws }, query: { limit: 1 } } })))
        .total,
    staleTime: 15_000,
  });
}

export function newestRunsQuery(ws: string) {
  return queryOptions({
    queryKey: ["runs", ws, "newest"],
    queryFn: () => read(http.GET("/api/v1/workspaces/{ws}/runs", { params: { path: { ws }, query: { limit: 50 } } })),
  });
}
