import { useSyncExternalStore } from "react";

let message = "";
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function publish(next: string) {
  message = next;
  for (const listener of listeners) listener();
}

/** Says something for a moment, to eyes and to screen readers. */
export function announce(text: string) {
  clearTimeout(timer);
  publish(text);
  timer = setTimeout(() => publish(""), 4000);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where announcements appear. Mounted once, in the frame. */
export function Announcements() {
  const text = useSyncExternalStore(subscribe, () => message);
  return (
    <div className="announcements" role="status" aria-live="polite">
      {text && <div>{text}</div>}
    </div>
  );
}
