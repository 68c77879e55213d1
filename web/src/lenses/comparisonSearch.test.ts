import { describe, expect, it } from "vitest";
import { parseSearch, writeSearch } from "../lib/search";
import { readCompareSearch, requestOf, searchOf } from "./comparisonSearch";

const request = {
  baseline: ["run_a", "run_b"],
  candidate: ["run_c"],
  changes: { input: "loader workers 0 to 4: the fix" },
  same: { hardware: "one box, seen" },
  thresholds: { "step_time.p50": 0.01 },
};

describe("a comparison as an address", () => {
  it("asks for the same after a round trip through a link", () => {
    const link = writeSearch({ ...searchOf(request) });
    expect(requestOf(readCompareSearch(parseSearch(link)))).toEqual(request);
  });
  it("leaves out what is no threshold", () => {
    expect(requestOf({ baseline: "a", candidate: "b", threshold: ["x:soon", "y:-1"] }).thresholds).toEqual({});
  });
  it("ignores a way of drawing it does not know", () =>
    expect(readCompareSearch({ draw: "pie" }).draw).toBeUndefined());
});
