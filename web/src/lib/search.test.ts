import { describe, expect, it } from "vitest";
import { fromPairs, integer, many, one, pairs, parseSearch, writeSearch } from "./search";

describe("search part of a URL", () => {
  it("reads back what it wrote", () => {
    const state = {
      baseline: "run_a,run_b",
      change: ["input:loader workers 0 to 4", "software:why: because"],
      empty: undefined,
    };
    const text = writeSearch(state);
    expect(text).toBe("?baseline=run_a,run_b&change=input:loader+workers+0+to+4&change=software:why:+because");
    expect(parseSearch(text)).toEqual({ baseline: "run_a,run_b", change: state.change });
  });
  it("writes nothing for nothing", () => expect(writeSearch({ a: undefined, b: [] })).toBe(""));
  it("takes the last of several, or all", () => {
    expect(one(["a", "b"])).toBe("b");
    expect(one(7)).toBeUndefined();
    expect(many("a")).toEqual(["a"]);
    expect(many(undefined)).toEqual([]);
  });
  it("takes whole numbers from a link and from a page, and nothing else", () => {
    expect([
      integer("17"),
      integer(17),
      integer("-3"),
      integer("1.5"),
      integer("x"),
      integer(undefined),
      integer(""),
    ]).toEqual([17, 17, -3, undefined, undefined, undefined, undefined]);
  });
  it("splits pairs at the first colon", () => {
    expect(pairs(["input:0 to 4: faster", "broken"])).toEqual({ input: "0 to 4: faster" });
    expect(fromPairs({ b: "2", a: "1" })).toEqual(["a:1", "b:2"]);
  });
});
