import type { ReactNode } from "react";

export type Tone = "plain" | "a" | "b" | "better" | "worse" | "unsure" | "stop" | "synth" | "accent" | "lined";

/** A word in a coloured box. The word carries the meaning, the colour helps. */
export function Tag({ tone = "plain", tip, children }: { tone?: Tone; tip?: string; children: ReactNode }) {
  return (
    <span className={tone === "plain" ? "tag" : `tag ${tone}`} data-tip={tip}>
      {children}
    </span>
  );
}
