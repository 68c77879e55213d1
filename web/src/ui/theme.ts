import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const key = "kernelwake.theme";
const listeners = new Set<() => void>();

function current(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

/** Chooses light, dark, or what the system prefers; remembered in this browser. */
export function setTheme(theme: Theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Storage may be forbidden; the choice then lasts until the page closes.
  }
  for (const listener of listeners) listener();
}

/** The theme chosen, kept current. */
export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
}

/** Whether the page is dark now, whatever decided it. */
export function isDark(): boolean {
  const theme = current();
  return theme === "dark" || (theme === "system" && window.matchMedia("(prefers-color-scheme: dark)").matches);
}
