// Units of measure as a person reads them. Values keep the unit they were
// stored in; only the choice of how many digits and which prefix is made here.

/** A number and its unit, ready to stand beside each other on a screen. */
export interface Shown {
  number: string;
  unit: string;
}

const words: Record<string, string> = {
  us: "µs",
  By: "B",
  "1": "",
  Cel: "°C",
  "{score}": "",
  "{token}": "tokens",
  "{token}/s": "tok/s",
  "{request}": "requests",
  "{request}/s": "req/s",
  "{sample}": "samples",
  "{sample}/s": "samples/s",
  "{step}": "steps",
  "{GPU}.h": "GPU·h",
};

/** The unit as it stands beside a number. */
export function shortUnit(unit: string): string {
  return words[unit] ?? unit;
}

const grouping = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Digits that matter: four significant below 10,000, whole numbers above. */
export function digits(value: number, significant = 4): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 10_000) return grouping.format(Math.round(value));
  if (size > 0 && size < 1e-4)
    return value
      .toExponential(Math.max(0, significant - 2))
      .replace("e-", "·10⁻")
      .replace(/⁻(\d+)$/, (_, power: string) => `⁻${superscript(power)}`);
  if (Number.isInteger(value)) return size >= 1000 ? grouping.format(value) : String(value);
  const decimals = Math.max(0, Math.min(6, significant - 1 - Math.floor(Math.log10(size))));
  const text = value.toFixed(decimals);
  if (size < 1000) return text;
  const [whole = "", fraction] = text.split(".");
  return grouping.format(Number(whole)) + (fraction ? `.${fraction}` : "");
}

function superscript(digitsOfPower: string): string {
  return [...digitsOfPower].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
}

/** Whole counts with group separators. */
export function count(value: number): string {
  return grouping.format(value);
}

/** A quantity in its stored unit, prefixed to a readable size where that is customary. */
export function quantity(value: number, unit: string): Shown {
  switch (unit) {
    case "By":
      return bytes(value);
    case "ns":
      return duration(value);
    case "1":
      return { number: digits(value * 100, 3), unit: "%" };
    default:
      return { number: digits(value), unit: shortUnit(unit) };
  }
}

/** A quantity as one piece of text. */
export function quantityText(value: number, unit: string): string {
  const shown = quantity(value, unit);
  return shown.unit === "" ? shown.number : `${shown.number} ${shown.unit}`;
}

/** Bytes in powers of 1024, named so. */
export function bytes(value: number): Shown {
  const names = ["B", "KiB", "MiB", "GiB", "TiB"];
  let index = 0;
  let size = Math.abs(value);
  while (size >= 1024 && index < names.length - 1) {
    size /= 1024;
    index++;
  }
  return { number: digits(index === 0 ? value : value / 1024 ** index, 3), unit: names[index] ?? "B" };
}

/** Nanoseconds in the largest unit that keeps the number above one. */
export function duration(ns: number): Shown {
  const size = Math.abs(ns);
  if (size >= 3_600e9) return { number: digits(ns / 3_600e9), unit: "h" };
  if (size >= 120e9) return { number: digits(ns / 60e9), unit: "min" };
  if (size >= 1e9) return { number: digits(ns / 1e9), unit: "s" };
  if (size >= 1e6) return { number: digits(ns / 1e6), unit: "ms" };
  if (size >= 1e3) return { number: digits(ns / 1e3), unit: "µs" };
  return { number: digits(ns), unit: "ns" };
}

/** A share between 0 and 1 as a percentage with one decimal. */
export function percent(share: number, decimals = 1): string {
  return `${(share * 100).toFixed(decimals)} %`;
}

/** A ratio as it is spoken of: ×0.718. */
export function ratio(value: number): string {
  return `×${plainRatio(value)}`;
}

/** A ratio's number: three decimals where they say enough, three digits elsewhere. */
export function plainRatio(value: number): string {
  return value >= 0.1 && value < 10 ? value.toFixed(3) : digits(value, 3);
}

/** A signed number with a true minus sign. */
export function signed(value: number, significant = 3): string {
  const text = digits(Math.abs(value), significant);
  if (value > 0) return `+${text}`;
  return value < 0 ? `−${text}` : text;
}

/** The first and last characters of a digest. */
export function shortDigest(digest: string): string {
  const hex = digest.replace(/^sha256:/, "");
  return hex.length <= 12 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}
