import { shortDigest } from "../lib/units";
import { announce } from "./Announce";

/** Puts text on the clipboard and says so. */
export async function copyText(text: string, what: string) {
  try {
    await navigator.clipboard.writeText(text);
    announce(`${what} copied`);
  } catch {
    // The clipboard is only there on secure origins; a selection still works.
    window.prompt(`Copy ${what}:`, text);
  }
}

/** A quiet button that copies a text. */
export function CopyButton({ text, what, label = "Copy" }: { text: string; what: string; label?: string }) {
  return (
    <button type="button" className="btn quiet" aria-label={`Copy ${what}`} onClick={() => copyText(text, what)}>
      {label}
    </button>
  );
}

/** A digest: its ends to recognise it, the whole of it on hover and by copying. */
export function Digest({ value, what = "digest" }: { value: string; what?: string }) {
  return (
    <button
      type="button"
      className="btn quiet mono"
      data-tip={`${value}\nClick to copy`}
      aria-label={`${shortDigest(value)}, copy the ${what}`}
      onClick={() => copyText(value, what)}
    >
      {shortDigest(value)}
    </button>
  );
}
