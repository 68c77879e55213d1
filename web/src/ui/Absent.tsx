/** What the server sends where a value is missing. */
export interface Missing {
  absent: string;
  note?: string;
}

/** Whether a field holds a reason instead of a value. */
export function isMissing(value: unknown): value is Missing {
  return typeof value === "object" && value !== null && typeof (value as Missing).absent === "string";
}

const reasons: Record<string, string> = {
  not_recorded: "not recorded",
  not_applicable: "does not apply here",
  not_supported: "the tool can't record it",
  withheld: "withheld: the numbers contradict each other",
  failed: "recording it failed",
  below_minimum_samples: "too few samples for this statistic",
  too_few_samples: "too few samples",
  not_reached: "the target was not reached",
  lost: "lost",
  conflict: "sources disagree",
  unknown: "unknown",
};

/** The reason in words. */
export function reasonInWords(missing: Missing): string {
  const words = reasons[missing.absent] ?? missing.absent.replaceAll("_", " ");
  return missing.note ? `${words}: ${missing.note}` : words;
}

/** A missing value: a dotted dash whose reason is one hover or focus away. */
export function Absent({ absent, note }: Missing) {
  const words = reasonInWords({ absent, note });
  return (
    <span className="absent" role="note" tabIndex={0} data-tip={`Absent: ${words}`} aria-label={`absent: ${words}`}>
      —
    </span>
  );
}
