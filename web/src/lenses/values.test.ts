import { describe, expect, it } from "vitest";
import { parseValue, sourceWords, typedText, valueText } from "./values";

describe("dimension values", () => {
  const cases: [unknown, string | undefined, string][] = [
    ["Qwen/Qwen3-8B", undefined, "Qwen/Qwen3-8B"],
    [4, undefined, "4"],
    [150754820096, "By", "140 GiB"],
    [{ count: 512, unit: "{sample}" }, undefined, "count 512 · unit {sample}"],
    [["--a", "--b=1"], undefined, "--a, --b=1"],
    [true, undefined, "yes"],
    [{ absent: "not_applicable", note: "no GPU takes part" }, undefined, "absent: not applicable (no GPU takes part)"],
    [0.123456789, undefined, "0.123457"],
  ];
  for (const [value, unit, text] of cases)
    it(`shows ${JSON.stringify(value)} as ${text}`, () => expect(valueText(value, unit)).toBe(text));

  it("reads back what it would type", () => {
    for (const value of [4, "bf16", { tp: 1 }, ["a"], true]) expect(parseValue(typedText(value))).toEqual(value);
  });
  it("takes what is not JSON as text", () => expect(parseValue("570.86.15")).toBe("570.86.15"));
  it("takes nothing as nothing", () => expect(parseValue("  ")).toBeUndefined());
  it("says where a value comes from", () =>
    expect(sourceWords("derived", "work signature work/1")).toBe("derived: work signature work/1"));
});
