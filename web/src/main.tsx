import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoute, createRouter, RouterProvider, redirect } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError, problemOf } from "./api/client";
import { sessionQuery } from "./api/queries";
import { parseSearch, writeSearch } from "./lib/search";
import { route as capture } from "./pages/capture";
import { route as captures } from "./pages/captures";
import { route as compare } from "./pages/compare";
import { route as comparison } from "./pages/comparison";
import { route as comparisons } from "./pages/comparisons";
import { route as imports } from "./pages/import";
import { NotFound, NotFoundInside } from "./pages/notfound";
import { route as requests } from "./pages/requests";
import { route as run } from "./pages/run";
import { route as runs } from "./pages/runs";
import { route as setup } from "./pages/setup";
import { route as setups } from "./pages/setups";
import { route as start } from "./pages/start";
import { route as trace } from "./pages/trace";
import { route as workload } from "./pages/workload";
import { route as workloads } from "./pages/workloads";
import { rootRoute, workspaceRoute } from "./pages/workspace";
import { Frame, Root } from "./root";
import { Problem } from "./ui/Problem";
import "./ui/tokens.css";
import "./ui/base.css";

const queries: QueryClient = new QueryClient({
  // A session can end while pages are open: then the frame asks again who is signed in.
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.queryKey[0] !== "session" && problemOf(error).status === 401)
        void queries.invalidateQueries({ queryKey: ["session"] });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      // What the server explained is final; only a broken connection is tried again.
      retry: (failures, error) => !(error instanceof ApiError) && failures < 2,
    },
  },
});

// An address without a workspace goes to the first one the person has.
async function intoWorkspace({ location }: { location: { pathname: string; searchStr: string } }) {
  const session = await queries.ensureQueryData(sessionQuery).catch(() => undefined);
  const ws = session?.workspaces[0]?.name;
  if (!ws || location.pathname.startsWith("/w/")) return;
  const rest = location.pathname === "/" ? "" : location.pathname;
  throw redirect({ href: `/w/${encodeURIComponent(ws)}${rest}${location.searchStr}`, replace: true });
}

const index = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: intoWorkspace,
  component: NotFound,
});
const outside = createRoute({
  getParentRoute: () => rootRoute,
  path: "$",
  beforeLoad: intoWorkspace,
  component: NotFound,
});

rootRoute.update({ component: Root, notFoundComponent: NotFound });
workspaceRoute.update({ component: Frame, notFoundComponent: NotFoundInside });

const routeTree = rootRoute.addChildren([
  index,
  outside,
  workspaceRoute.addChildren([
    start,
    imports,
    workloads,
    workload,
    runs,
    run,
    captures,
    capture,
    trace,
    requests,
    compare,
    comparisons,
    comparison,
    setups,
    setup,
  ]),
]);

const router = createRouter({
  routeTree,
  context: { queries },
  parseSearch,
  stringifySearch: writeSearch,
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => (
    <Problem
      problem={{
        ...problemOf(error),
        title: "This page broke",
        hint: "reload it; if it breaks again, tell whoever runs the server what you did",
      }}
      onRetry={reset}
    />
  ),
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
