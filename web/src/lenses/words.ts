const reasons: Record<string, string> = {
  not_an_objective: "shown, but can't be the objective with this change",
  equivalent_within_margin: "no change that matters: the interval lies inside the threshold",
  below_threshold: "a difference, but below the threshold",
  not_significant: "the interval holds no change",
  underpowered: "too few launches to tell",
  too_few_samples: "too few samples",
  capped: "capped",
  quality_guardrail_missing: "a change of precision needs a quality guardrail",
  convergence_differs: "convergence differs",
  definition_differs: "its definition differs between the sides",
  absent_on_one_side: "absent on one side",
  target_not_reached: "the target was not reached",
  survivorship: "too many requests failed, or unequal shares of them",
  summary_against_samples: "a summary on one side, samples on the other",
};

/** A reason code in words. */
export function reasonWords(code: string): string {
  const [name = code, about] = code.split(":");
  if (name === "guardrail_violated") return `guardrail ${about} violated`;
  if (name === "guardrail_unproven") return `guardrail ${about} unproven`;
  return reasons[name] ?? name.replaceAll("_", " ");
}
