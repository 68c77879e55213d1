// How samples are laid out for drawing. The statistics shown beside a picture
// come from the server; here values only get places.

/** A sorted copy without the values that are no numbers. */
export function sorted(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values).filter(Number.isFinite).sort();
}

/** Points of the empirical distribution, at most `limit`, ends always kept. */
export function ecdf(ascending: Float64Array, limit: number): { x: number; share: number }[] {
  const n = ascending.length;
  if (n === 0) return [];
  const step = Math.max(1, n / limit);
  const points: { x: number; share: number }[] = [];
  for (let at = 0; at < n; at += step) {
    const index = Math.floor(at);
    points.push({ x: ascending[index]!, share: (index + 1) / n });
  }
  if (points.at(-1)!.share < 1) points.push({ x: ascending[n - 1]!, share: 1 });
  return points;
}

/**
 * Vertical offsets in −1…1 that keep dots of one strip apart: the same dot
 * always lands at the same place, so that two looks show one picture.
 */
export function spread(n: number): Float64Array {
  const offsets = new Float64Array(n);
  const golden = 0.618033988749895;
  for (let i = 0; i < n; i++) offsets[i] = (((i + 1) * golden) % 1) * 2 - 1;
  return offsets;
}

/** The value below which a share of the samples lies, for scaling axes only. */
export function at(ascending: Float64Array, share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.max(0, Math.floor(share * ascending.length)))] ?? Number.NaN;
}

/**
 * The range an axis shows for several sets of samples: everything, unless a
 * few values stretch it more than threefold past the rest; then those are
 * clipped and their number is returned, so that the picture can say it.
 */
export function axisRange(sets: Float64Array[]): { low: number; high: number; beyond: number } {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let core = Number.NEGATIVE_INFINITY;
  for (const set of sets) {
    if (set.length === 0) continue;
    low = Math.min(low, set[0]!);
    high = Math.max(high, set[set.length - 1]!);
    core = Math.max(core, at(set, 0.99));
  }
  if (!Number.isFinite(low)) return { low: 0, high: 1, beyond: 0 };
  const wide = high - low > 3 * (core - low) && core > low;
  if (!wide) return { low, high: high > low ? high : low + Math.max(Math.abs(low) * 0.01, 1e-9), beyond: 0 };
  const cut = core + (core - low) * 0.15;
  let beyond = 0;
  for (const set of sets) for (let i = set.length - 1; i >= 0 && set[i]! > cut; i--) beyond++;
  return { low, high: cut, beyond };
}
