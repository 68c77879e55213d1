// The part of a URL behind the question mark: repeated keys, plain text, the
// order of keys fixed, so that one state has one link.

export type Search = Record<string, string | string[] | undefined>;

/** Reads the search part of a URL; a key given twice becomes a list. */
export function parseSearch(text: string): Search {
  const found: Search = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const before = found[key];
    if (before === undefined) found[key] = value;
    else found[key] = Array.isArray(before) ? [...before, value] : [before, value];
  }
  return found;
}

/** Writes the search part of a URL, with its question mark; empty if nothing is set. */
export function writeSearch(search: Record<string, unknown>): string {
  const out = new URLSearchParams();
  for (const key of Object.keys(search)) {
    const value = search[key];
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") out.append(key, String(one));
    }
  }
  // Colons, commas and slashes are legal there and read better.
  const text = out.toString().replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%2F", "/");
  return text === "" ? "" : `?${text}`;
}

/** One text of a search part: the last one given. */
export function one(value: unknown): string | undefined {
  const last = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === "string" && last !== "" ? last : undefined;
}

/** One whole number of a search part, from a link or from a page's own state. */
export function integer(value: unknown): number | undefined {
  const number = typeof value === "number" ? value : Number(one(value) ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** All texts given under a key. */
export function many(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((each) => typeof each === "string" && each !== "");
  return typeof value === "string" && value !== "" ? [value] : [];
}

/** "row:reason" pairs as a map, and back. The reason may hold colons. */
export function pairs(values: string[]): Record<string, string> {
  const map: Record<string, string> = {};
  for (const value of values) {
    const at = value.indexOf(":");
    if (at > 0) map[value.slice(0, at)] = value.slice(at + 1);
  }
  return map;
}

export function fromPairs(map: Record<string, string | number>): string[] {
  return Object.keys(map)
    .sort()
    .map((key) => `${key}:${map[key]}`);
}
