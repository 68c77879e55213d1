import type { ReactNode } from "react";
import { Tag, type Tone } from "./Tag";

/** The marks of an answer, a finding or a verdict: shape, colour and word. */
export type MarkKind =
  | "improved"
  | "regressed"
  | "equivalent"
  | "unresolved"
  | "inconclusive"
  | "capped"
  | "refused"
  | "invalid"
  | "clear";

const marks: Record<MarkKind, { glyph: string; tone: Tone }> = {
  improved: { glyph: "↗", tone: "better" },
  regressed: { glyph: "↘", tone: "worse" },
  equivalent: { glyph: "≈", tone: "plain" },
  unresolved: { glyph: "◐", tone: "unsure" },
  inconclusive: { glyph: "◐", tone: "unsure" },
  capped: { glyph: "◐", tone: "unsure" },
  refused: { glyph: "⊘", tone: "stop" },
  invalid: { glyph: "⊘", tone: "stop" },
  clear: { glyph: "✓", tone: "plain" },
};

export function isMark(word: string): word is MarkKind {
  return word in marks;
}

/** The mark of a saved answer: its verdict where it is clear. */
export function answerMark(answer: string, verdict: string): MarkKind | undefined {
  const word = answer === "clear" ? verdict : answer;
  return isMark(word) ? word : undefined;
}

/** The tone that goes with a mark. */
export function toneOf(kind: MarkKind): Tone {
  return marks[kind].tone;
}

/** A small mark: glyph and word. */
export function Mark({ kind, tip }: { kind: MarkKind; tip?: string }) {
  const { glyph, tone } = marks[kind];
  return (
    <Tag tone={tone} tip={tip}>
      <span aria-hidden="true">{glyph}</span>
      {kind}
    </Tag>
  );
}

const edge: Partial<Record<Tone, string>> = {
  better: "var(--better)",
  worse: "var(--worse)",
  unsure: "var(--unsure)",
  stop: "var(--stop)",
};

/** The sentence on top of a page: mark, words, and the action that would change it. */
export function VerdictPanel({
  kind,
  title,
  action,
  children,
}: {
  kind: MarkKind;
  title: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}) {
  const { glyph, tone } = marks[kind];
  const colour = edge[tone] ?? "var(--ink-3)";
  return (
    <section className="panel verdict" style={{ borderLeftColor: colour }} aria-label="Verdict">
      <div className="glyph" style={{ color: colour }} aria-hidden="true">
        {glyph}
      </div>
      <div>
        <p className="title">{title}</p>
        <div className="sub">{children}</div>
      </div>
      {action && <div className="action">{action}</div>}
    </section>
  );
}
