import { describe, expect, it } from "vitest";
import { bytes, count, digits, duration, percent, quantityText, ratio, shortDigest, shortUnit, signed } from "./units";

describe("digits", () => {
  const cases: [number, string][] = [
    [0, "0"],
    [176.273, "176.3"],
    [126.548, "126.5"],
    [0.717909, "0.7179"],
    [1234.5678, "1,235"],
    [9999.94, "10,000"],
    [48112, "48,112"],
    [0.0000123, "1.23·10⁻⁵"],
    [-2.34567, "-2.346"],
    [412, "412"],
  ];
  for (const [value, shown] of cases) it(`shows ${value} as ${shown}`, () => expect(digits(value)).toBe(shown));
});

describe("quantities", () => {
  it("shows a share as a percentage", () => expect(quantityText(0.0123, "1")).toBe("1.23 %"));
  it("names units as people do", () => {
    expect(quantityText(700, "{token}/s")).toBe("700 tok/s");
    expect(shortUnit("us")).toBe("µs");
    expect(shortUnit("ms")).toBe("ms");
  });
  it("counts bytes in powers of 1024", () => {
    expect(bytes(33_554_432)).toEqual({ number: "32", unit: "MiB" });
    expect(bytes(1023)).toEqual({ number: "1,023", unit: "B" });
  });
  it("keeps a duration above one", () => {
    expect(duration(738_123_456)).toEqual({ number: "738.1", unit: "ms" });
    expect(duration(999)).toEqual({ number: "999", unit: "ns" });
    expect(duration(90e9)).toEqual({ number: "90", unit: "s" });
  });
  it("groups counts", () => expect(count(109123)).toBe("109,123"));
  it("shows ratios, points and shares", () => {
    expect(ratio(0.717909)).toBe("×0.718");
    expect(ratio(0.0000242)).toBe("×2.4·10⁻⁵");
    expect(ratio(0.0123)).toBe("×0.0123");
    expect(ratio(12.34)).toBe("×12.3");
    expect(signed(-0.0312)).toBe("−0.0312");
    expect(signed(2)).toBe("+2");
    expect(percent(0.1234)).toBe("12.3 %");
  });
  it("shortens digests", () => expect(shortDigest(`sha256:${"ab".repeat(32)}`)).toBe("ababab…abab"));
});
