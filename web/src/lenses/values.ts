// Dimension values as people read and write them.
import { digits, quantityText } from "../lib/units";

/** A value of a capture's dimension as one line of text. */
export function valueText(value: unknown, unit?: string): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return unit && unit !== "1" ? quantityText(value, unit) : plainNumber(value);
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map((each) => valueText(each)).join(", ");
  if (isAbsence(value)) return `absent: ${value.absent.replaceAll("_", " ")}${value.note ? ` (${value.note})` : ""}`;
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([key, each]) => `${key} ${valueText(each)}`)
      .join(" · ");
  }
  return String(value);
}

/** A value that says why there is none, as setups may. */
function isAbsence(value: unknown): value is { absent: string; note?: string } {
  return typeof value === "object" && value !== null && typeof (value as { absent?: unknown }).absent === "string";
}

// Counts and ids stay whole; anything else keeps six digits.
function plainNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : digits(value, 6);
}

/** What a person typed, as JSON where it is JSON, as text otherwise. */
export function parseValue(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  try {
    return JSON.parse(trimmed) as unknown;
  } catch {
    return trimmed;
  }
}

/** A value as a person would type it. */
export function typedText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const sources: Record<string, string> = {
  observed: "observed in the capture",
  derived: "derived",
  declared: "declared for the run",
  setup: "from a setup",
  workload: "declared by the workload",
  default: "the tool's documented default",
};

/** Where a value comes from, in words. */
export function sourceWords(source: string | undefined, from?: string): string {
  if (!source) return from ?? "";
  const words = sources[source] ?? source;
  return from ? `${words}: ${from}` : words;
}
