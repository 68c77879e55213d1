import { describe, expect, it } from "vitest";
import { type NewestRuns, stagesOf } from "./stages";

const row = (id: string, known: number) => ({ id, workload_id: "wl", known: { known, of: 9 } });
const list = (rows: NewestRuns["rows"]): NewestRuns => ({ rows, total: rows.length });
const states = (runs: NewestRuns | undefined, comparisons: number) =>
  stagesOf(runs, comparisons).map((stage) => stage.state);

describe("the six stages", () => {
  it("begin with the question in an empty workspace, and offer no page that has nothing to show", () => {
    expect(states(list([]), 0)).toEqual(["next", "later", "later", "later", "later", "later"]);
    expect(stagesOf(list([]), 0)[3]!.to).toBeUndefined();
  });
  it("ask for a second run before anything can be matched", () => {
    expect(states(list([row("a", 9)]), 0).indexOf("next")).toBe(1);
  });
  it("point at what is unknown", () => {
    const stage = stagesOf(list([row("a", 9), row("b", 7)]), 0)[2]!;
    expect(stage.state).toBe("next");
    expect(stage.text).toContain("1 of the last 2 runs lack a dimension");
  });
  it("go on to comparing when everything is known", () =>
    expect(states(list([row("a", 9), row("b", 9)]), 0).indexOf("next")).toBe(3));
  it("end with handing over", () => expect(states(list([row("a", 9), row("b", 9)]), 2).indexOf("next")).toBe(5));
});
