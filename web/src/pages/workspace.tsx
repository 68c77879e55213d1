import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, getRouteApi } from "@tanstack/react-router";

/** The top of the route tree. What it shows is set where the frame is. */
export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()();

/** Everything that belongs to one workspace lives below its name. */
export const workspaceRoute = createRoute({ getParentRoute: () => rootRoute, path: "w/$ws" });

const api = getRouteApi("/w/$ws");

/** The workspace the address names. */
export function useWorkspace(): string {
  return api.useParams().ws;
}
