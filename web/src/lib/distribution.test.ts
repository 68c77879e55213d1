import { describe, expect, it } from "vitest";
import { at, axisRange, ecdf, sorted, spread } from "./distribution";

describe("samples laid out for drawing", () => {
  it("sorts and drops what is no number", () => expect([...sorted([3, Number.NaN, 1, 2])]).toEqual([1, 2, 3]));

  it("keeps both ends of the distribution whatever the limit", () => {
    const values = sorted(Array.from({ length: 1000 }, (_, i) => i));
    const points = ecdf(values, 10);
    expect(points[0]).toEqual({ x: 0, share: 1 / 1000 });
    expect(points.at(-1)).toEqual({ x: 999, share: 1 });
    expect(points.length).toBeLessThanOrEqual(11);
  });

  it("climbs steadily", () => {
    const points = ecdf(sorted([5, 1, 4, 2, 2]), 100);
    for (let i = 1; i < points.length; i++) expect(points[i]!.share).toBeGreaterThan(points[i - 1]!.share);
  });

  it("puts a dot always at the same place, inside the strip", () => {
    expect(spread(50)).toEqual(spread(50));
    for (const offset of spread(1000)) expect(Math.abs(offset)).toBeLessThanOrEqual(1);
  });

  it("shows every value when none is far out", () => {
    expect(axisRange([sorted([1, 2, 3]), sorted([2, 4])])).toEqual({ low: 1, high: 4, beyond: 0 });
  });

  it("counts the values it clips", () => {
    const values = sorted([...Array.from({ length: 500 }, (_, i) => i), 100_000, 200_000]);
    const range = axisRange([values]);
    expect(range.beyond).toBe(2);
    expect(range.high).toBeLessThan(1000);
  });

  it("gives a constant a width", () => {
    const range = axisRange([sorted([5, 5, 5])]);
    expect(range.high).toBeGreaterThan(range.low);
  });

  it("reads a share", () => expect(at(sorted([1, 2, 3, 4]), 0.5)).toBe(3));
});
