import { expect, it } from "vitest";
import { csv } from "./csv";

it("quotes what needs quoting and leaves the absent empty", () => {
  expect(
    csv(
      ["name", "value"],
      [
        ["a,b", 1.5],
        ['say "x"', undefined],
        ["two\nlines", null],
      ],
    ),
  ).toBe('name,value\r\n"a,b",1.5\r\n"say ""x""",\r\n"two\nlines",\r\n');
});

it("keeps formulas from running but leaves negative numbers numbers", () => {
  expect(csv(["x"], [["=1+1"], ["-2"], [-2], ["@a"]])).toBe("x\r\n'=1+1\r\n'-2\r\n-2\r\n'@a\r\n");
});
