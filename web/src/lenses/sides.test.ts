import { describe, expect, it } from "vitest";
import { proposeSides } from "./sides";

const run = (id: string, started_at: string, replicate_group?: string, workload_id = "wl") => ({
  id,
  started_at,
  replicate_group,
  workload_id,
});

describe("the first proposal of sides", () => {
  it("takes the older of two as the baseline", () => {
    expect(proposeSides([run("new", "2026-02-02"), run("old", "2026-01-01")])).toMatchObject({
      baseline: ["old"],
      candidate: ["new"],
    });
  });
  it("splits by replicate group, whatever the order of selection", () => {
    const runs = [
      run("b1", "2026-01-02", "b"),
      run("a1", "2026-01-01", "a"),
      run("b2", "2026-01-04", "b"),
      run("a2", "2026-01-03", "a"),
    ];
    expect(proposeSides(runs)).toEqual({
      baseline: ["a1", "a2"],
      candidate: ["b1", "b2"],
      why: ", by replicate group",
    });
  });
  it("splits by workload where groups say nothing", () => {
    const runs = [run("a", "1", undefined, "x"), run("b", "2", undefined, "y"), run("c", "3", undefined, "x")];
    expect(proposeSides(runs)).toMatchObject({ baseline: ["a", "c"], candidate: ["b"] });
  });
  it("sets the first against the others otherwise", () => {
    expect(proposeSides([run("a", "2"), run("b", "1"), run("c", "3")])).toMatchObject({
      baseline: ["a"],
      candidate: ["b", "c"],
    });
  });
  it("waits for a second run", () => expect(proposeSides([run("a", "1")]).candidate).toEqual([]));
});
