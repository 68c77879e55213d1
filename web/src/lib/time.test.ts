import { describe, expect, it } from "vitest";
import { ago, instant } from "./time";

describe("time", () => {
  it("shows an instant in UTC to the minute", () =>
    expect(instant("2026-11-29T07:05:59Z")).toBe("2026-11-29 07:05 UTC"));
  it("gives back what is no time", () => expect(instant("soon")).toBe("soon"));

  const now = Date.parse("2026-11-30T12:00:00Z");
  const cases: [string, string][] = [
    ["2026-11-30T11:59:30Z", "now"],
    ["2026-11-30T11:18:00Z", "42 min"],
    ["2026-11-30T10:00:00Z", "2 h"],
    ["2026-11-27T12:00:00Z", "3 d"],
    ["2026-01-02T03:04:05Z", "2026-01-02"],
    ["2026-12-24T00:00:00Z", "2026-12-24"],
  ];
  for (const [at, shown] of cases) it(`says ${shown} for ${at}`, () => expect(ago(at, now)).toBe(shown));
});
