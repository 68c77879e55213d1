import { describe, expect, it } from "vitest";
import {
  labelWidth,
  levelHeight,
  neighbour,
  panned,
  place,
  spanAt,
  ticks,
  toTime,
  toX,
  zoomed,
} from "./timelineLayout";

const whole = { from: 0, to: 1_000_000 };
const span = (start: number, duration: number, level = 0) => ({
  start,
  duration,
  name: `k${start}`,
  colour: "a",
  level,
  count: 1,
});
const track = {
  key: "t",
  label: "thread 1",
  levels: 2,
  spans: [span(0, 100_000), span(300_000, 10), span(20_000, 30_000, 1)],
};

describe("timeline layout", () => {
  it("turns times into pixels and back", () => {
    expect(toX(0, whole, 1132)).toBe(labelWidth);
    expect(toTime(toX(123_456, whole, 1132), whole, 1132)).toBeCloseTo(123_456, 3);
  });

  it("finds the span under a point, on its own level, also when it is thinner than a pixel", () => {
    const { placed } = place([track]);
    const top = placed[0]!.top;
    expect(spanAt(placed, toX(50_000, whole, 1132), top + 2, whole, 1132)?.span).toBe(track.spans[0]);
    expect(spanAt(placed, toX(30_000, whole, 1132), top + levelHeight + 2, whole, 1132)?.span).toBe(track.spans[2]);
    expect(spanAt(placed, toX(300_000, whole, 1132) + 2, top + 2, whole, 1132)?.span).toBe(track.spans[1]);
    expect(spanAt(placed, toX(600_000, whole, 1132), top + 2, whole, 1132)).toBeUndefined();
    expect(spanAt(placed, 5, top + 2, whole, 1132)).toBeUndefined();
  });

  it("stacks tracks without overlap", () => {
    const { placed, height } = place([track, { ...track, key: "u" }]);
    expect(placed[1]!.top).toBeGreaterThanOrEqual(placed[0]!.top + placed[0]!.height);
    expect(height).toBeGreaterThan(placed[1]!.top);
  });

  it("never leaves the whole when panning or zooming", () => {
    expect(panned({ from: 0, to: 100 }, -1, whole)).toEqual({ from: 0, to: 100 });
    expect(panned({ from: 999_950, to: 1_000_000 }, 1, whole).to).toBe(1_000_000);
    expect(zoomed(whole, 2, 500_000, whole)).toEqual(whole);
    const closer = zoomed(whole, 0.5, 250_000, whole);
    expect(toTime(toX(250_000, closer, 1000), closer, 1000)).toBeCloseTo(250_000);
    expect(closer.to - closer.from).toBe(500_000);
  });

  it("keeps the time under the pointer where it is while zooming", () => {
    const before = toX(400_000, whole, 1000);
    expect(toX(400_000, zoomed(whole, 0.3, 400_000, whole), 1000)).toBeCloseTo(before);
  });

  it("labels round times", () => {
    const { step, times } = ticks({ from: 3, to: 1_000_000 }, 1132);
    expect(step).toBe(200_000);
    expect(times).toEqual([200_000, 400_000, 600_000, 800_000, 1_000_000]);
  });

  it("walks along a track", () => {
    expect(neighbour(track, track.spans[0]!, 1)).toBe(track.spans[1]);
    expect(neighbour(track, track.spans[0]!, -1)).toBeUndefined();
  });
});
