// Every reading of the API, with the key it is cached under.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { get, post, request } from "./client";
import type { ComparisonListed, ComparisonRequest, Glance, Preview, SavedComparison } from "./comparison";
import type { SpanDetail, TimelineView } from "./figures";
import type {
  Capture,
  CaptureShow,
  Lens,
  List,
  RunRow,
  RunShow,
  Samples,
  SearchAnswer,
  Session,
  Setup,
  Workload,
} from "./nouns";

const at = (ws: string, path: string) => `/workspaces/${encodeURIComponent(ws)}/${path}`;

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: () => get<Session>("/session"),
  staleTime: 60_000,
});

export const lensesQuery = queryOptions({
  queryKey: ["lenses"],
  queryFn: () => get<Lens[]>("/lenses"),
  staleTime: Number.POSITIVE_INFINITY,
});

export interface RunFilters {
  workload?: string;
  lens?: string;
  q?: string;
  label?: string;
  measured_on?: string;
  origin?: string;
  format?: string;
  group?: string;
}

export function runsQuery(ws: string, filters: RunFilters, limit = 500) {
  return infiniteQueryOptions({
    queryKey: ["runs", ws, filters, limit],
    queryFn: ({ pageParam, signal }) =>
      get<List<RunRow>>(at(ws, "runs"), { ...filters, limit, cursor: pageParam }, signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

export function runQuery(ws: string, id: string) {
  return queryOptions({
    queryKey: ["run", ws, id],
    queryFn: async () => {
      const { data, etag } = await request<RunShow>("GET", at(ws, `runs/${id}`));
      return { ...data, etag };
    },
  });
}

export function workloadsQuery(ws: string) {
  return queryOptions({
    queryKey: ["workloads", ws],
    queryFn: () => get<List<Workload>>(at(ws, "workloads"), { limit: 500 }),
  });
}

export function workloadQuery(ws: string, id: string) {
  return queryOptions({ queryKey: ["workload", ws, id], queryFn: () => get<Workload>(at(ws, `workloads/${id}`)) });
}

export function capturesQuery(ws: string, filters: { q?: string; format?: string }) {
  return infiniteQueryOptions({
    queryKey: ["captures", ws, filters],
    queryFn: ({ pageParam, signal }) =>
      get<List<Capture>>(at(ws, "captures"), { ...filters, limit: 500, cursor: pageParam }, signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

export function captureQuery(ws: string, id: string) {
  return queryOptions({
    queryKey: ["capture", ws, id],
    queryFn: () => get<CaptureShow>(at(ws, `captures/${id}`)),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function samplesQuery(ws: string, capture: string, metric: string) {
  return queryOptions({
    queryKey: ["samples", ws, capture, metric],
    queryFn: () => get<Samples>(at(ws, `captures/${capture}/samples`), { metric }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function timelineQuery(
  ws: string,
  capture: string,
  from: number | undefined,
  to: number | undefined,
  width: number,
) {
  return queryOptions({
    queryKey: ["timeline", ws, capture, from, to, width],
    queryFn: ({ signal }) =>
      get<TimelineView>(at(ws, `captures/${capture}/timeline`), { from_ns: from, to_ns: to, width }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function spansQuery(ws: string, capture: string, filters: { name?: string; category?: string; limit?: number }) {
  return queryOptions({
    queryKey: ["spans", ws, capture, filters],
    queryFn: ({ signal }) => get<List<SpanDetail>>(at(ws, `captures/${capture}/spans`), filters, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function spanQuery(ws: string, capture: string, row: number) {
  return queryOptions({
    queryKey: ["span", ws, capture, row],
    queryFn: ({ signal }) => get<SpanDetail>(at(ws, `captures/${capture}/spans/${row}`), undefined, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export interface RequestColumns {
  columns: Record<string, (number | string | null)[]>;
  units?: Record<string, string>;
  total: number;
  truncated: { kept: number; of: number; bound: string } | null;
}

export function requestsQuery(ws: string, capture: string) {
  return queryOptions({
    queryKey: ["requests", ws, capture],
    queryFn: () => get<RequestColumns>(at(ws, `captures/${capture}/requests`)),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function setupsQuery(ws: string) {
  return queryOptions({ queryKey: ["setups", ws], queryFn: () => get<List<Setup>>(at(ws, "setups"), { limit: 500 }) });
}

export function setupQuery(ws: string, id: string) {
  return queryOptions({
    queryKey: ["setup", ws, id],
    queryFn: () => get<Setup & { versions?: Setup[] }>(at(ws, `setups/${id}`)),
  });
}

export function previewQuery(ws: string, body: ComparisonRequest) {
  return queryOptions({
    queryKey: ["preview", ws, body],
    queryFn: () => post<Preview>(at(ws, "comparisons/preview"), body),
    enabled: body.baseline.length > 0 && body.candidate.length > 0,
    staleTime: 30_000,
  });
}

export function glanceQuery(ws: string, a: string, b: string) {
  return queryOptions({
    queryKey: ["glance", ws, a, b],
    queryFn: () => post<Glance>(at(ws, "comparisons/glance"), { a, b }),
    staleTime: 60_000,
  });
}

export function comparisonsQuery(ws: string) {
  return queryOptions({
    queryKey: ["comparisons", ws],
    queryFn: () => get<List<ComparisonListed>>(at(ws, "comparisons"), { limit: 500 }),
  });
}

export function comparisonQuery(ws: string, id: string) {
  return queryOptions({
    queryKey: ["comparison", ws, id],
    queryFn: () => get<SavedComparison>(at(ws, `comparisons/${id}`)),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function searchQuery(ws: string, q: string) {
  return queryOptions({
    queryKey: ["search", ws, q],
    queryFn: ({ signal }) => get<SearchAnswer>(at(ws, "search"), { q }, signal),
    enabled: q.trim().length >= 2,
    staleTime: 10_000,
  });
}

export { at as inWorkspace };
