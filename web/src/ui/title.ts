import { useEffect, useSyncExternalStore } from "react";

let crumbs: string[] = [];
const listeners = new Set<() => void>();

/** Names the page: in the browser's tab and in the line above it, outermost first. */
export function useTitle(...parts: string[]) {
  const text = parts.join("\u0000");
  useEffect(() => {
    crumbs = text.split("\u0000");
    document.title = `${crumbs.at(-1)} · Kernelwake`;
    for (const listener of listeners) listener();
  }, [text]);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The names of the page that is open. */
export function useCrumbs(): string[] {
  return useSyncExternalStore(subscribe, () => crumbs);
}
