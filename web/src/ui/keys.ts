import { useEffect } from "react";

/** Whether a key press belongs to a field the person writes in. */
function writing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

/**
 * Calls back on single keys ("/", "?") and on two in a row ("g r"), outside
 * fields and dialogs.
 */
export function useKeys(bindings: Record<string, () => void>) {
  useEffect(() => {
    let first = "";
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (writing(event.target) || document.querySelector("dialog[open]")) return;
      const pressed = first ? `${first} ${event.key}` : event.key;
      const action = bindings[pressed];
      clearTimeout(timer);
      if (action) {
        event.preventDefault();
        first = "";
        action();
      } else if (Object.keys(bindings).some((keys) => keys.startsWith(`${event.key} `))) {
        first = event.key;
        timer = setTimeout(() => {
          first = "";
        }, 1200);
      } else {
        first = "";
      }
    };
    document.addEventListener("keydown", onKey);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("keydown", onKey);
    };
  }, [bindings]);
}
