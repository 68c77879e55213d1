import { describe, expect, it } from "vitest";
import { readValues, writeValues } from "./setupDialog";

describe("values of a setup as text", () => {
  it("reads lines, with JSON where it is JSON", () => {
    expect(readValues('driver = 570.86.15\n\ngpu_count = 2\nengine_args=["--max-num-seqs=64"]')).toEqual({
      values: { driver: "570.86.15", gpu_count: 2, engine_args: ["--max-num-seqs=64"] },
    });
  });
  it("reads a JSON object", () => expect(readValues('{"driver": "570"}').values).toEqual({ driver: "570" }));
  it("names the line that is wrong", () =>
    expect(readValues("driver = 1\nnonsense").wrong).toBe("Line 2 is not key = value"));
  it("says that JSON is broken", () => expect(readValues("{").wrong).toMatch(/no JSON object/));
  it("reads back what it wrote", () => {
    const values = { driver: "570.86.15", parallelism: { tp: 2 }, gpu_count: 4 };
    expect(readValues(writeValues(values)).values).toEqual(values);
  });
});
