import { describe, expect, inject } from "vitest";
import { expectAccessible, type Journey, journey, settled, withBrowser } from "./browser";

withBrowser();

const sides = (baseline: string, candidate: string, from: number, to: number) => {
  const { runs } = inject("seeded");
  const ids = (name: string) =>
    Array.from({ length: to - from + 1 }, (_, index) => runs[`${name}-${from + index}`]).join(",");
  return `baseline=${ids(baseline)}&candidate=${ids(candidate)}`;
};

interface Preview {
  answer: string;
  sentence: string;
  outcomes: { metric: string; verdict: string; effect: { value: number; interval: [number, number] } }[];
}

async function preview(
  { api }: Journey,
  baseline: string,
  candidate: string,
  changes: Record<string, string>,
): Promise<Preview> {
  const { runs } = inject("seeded");
  const all = (name: string) =>
    Object.keys(runs)
      .filter((key) => key.startsWith(`${name}-`))
      .map((key) => runs[key]);
  return api.post("comparisons/preview", { baseline: all(baseline), candidate: all(candidate), changes });
}

describe("the three answers", () => {
  journey("clear: five launches against five with a declared change, numbers as the API has them", async (walk) => {
    const { page, open, picture } = walk;
    await open(`/compare?${sides("loader0", "loader2", 1, 5)}&change=input:two+loader+workers+instead+of+none`);
    const verdict = page.getByRole("region", { name: "Verdict", exact: true });
    const expected = await preview(walk, "loader0", "loader2", { input: "two loader workers instead of none" });
    expect(expected.answer).toBe("clear");
    await verdict.getByText(expected.sentence).waitFor();
    const p50 = expected.outcomes.find((outcome) => outcome.metric === "step_time.p50")!;
    const [low, high] = p50.effect.interval;
    const shown = `×${p50.effect.value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
    await page.getByRole("table", { name: "outcomes compared" }).getByText(shown).waitFor();
    await page.getByRole("table", { name: "outcomes compared" }).getByText(p50.verdict).first().waitFor();
    // What was declared, both spellings, and where they come from.
    const row = page
      .getByRole("table", { name: "dimensions of the comparison" })
      .getByRole("row", { name: /input pipeline/ });
    await row.getByText("intended").waitFor();
    await row.getByText("at least 1", { exact: true }).waitFor();
    expect(await page.getByRole("img", { name: /Effects, candidate ÷ baseline/ }).count()).toBe(1);
    await expectAccessible(page);
    await picture("compare-clear");
  });

  journey(
    "refused: another layer width, told by the shapes; a reason and a remedy, no picture and no number",
    async (walk) => {
      const { page, open, picture } = walk;
      await open(`/compare?${sides("loader2", "narrow", 1, 5)}`);
      await page.getByText("These two can't be compared").waitFor();
      await page.getByRole("table", { name: "reasons of the refusal" }).getByText("gate_differs").waitFor();
      await settled(page);
      expect(await page.locator("main canvas, main svg[role=img]").count()).toBe(0);
      expect(await page.getByText(/×\d/).count()).toBe(0);
      await page.getByRole("button", { name: /Declare as the intended change/ }).waitFor();
      await expectAccessible(page);
      await picture("compare-refused");
    },
  );

  journey("capped: one thing nobody recorded, with the finding it would support and what lifts it", async (walk) => {
    const { page, open, picture } = walk;
    await open(`/compare?${sides("seqs2", "seqs8", 1, 4)}&change=serving_stack:eight+requests+in+a+batch`);
    await page
      .getByRole("region", { name: "Verdict", exact: true })
      .getByText(/hardware is not known.*inconclusive/)
      .waitFor();
    const caps = page.getByRole("table", { name: "caps" });
    await caps.getByText("gate_unknown").waitFor();
    for (const action of ["Attach a setup", "Give a value", "Attest as equal"])
      await caps.getByRole("button", { name: `${action}: hardware` }).waitFor();
    await page.getByText("The numbers support improved").waitFor();
    await expectAccessible(page);
    await picture("compare-capped");
  });

  journey("one launch a side: two intervals, a cap, and where launches are added", async (walk) => {
    const { page, open } = walk;
    await open(`/compare?${sides("loader0", "loader2", 1, 1)}&change=input:loader`);
    await page.getByText("thick: within these launches; thin: for the verdict").first().waitFor();
    await page.getByRole("button", { name: "Add launches…" }).first().click();
    await page.getByRole("button", { name: "Add runs to the baseline…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Filter by name").fill("loader0-2");
    await dialog.getByRole("button", { name: "loader0-2", exact: true }).click();
    await page.waitForURL(/baseline=[^&]+,/);
    await page.getByRole("heading", { name: /loader2-1 against/ }).waitFor();
  });
});

describe("keeping an answer", () => {
  journey(
    "saved, opened by its link, recomputed to the same digits, and listed under the runs it relies on",
    async (walk) => {
      const { page, open, picture } = walk;
      await open(`/compare?${sides("loader0", "loader2", 1, 5)}&change=input:two+loader+workers`);
      await page.getByRole("button", { name: "Save comparison…" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill("Faster loader?");
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await page.waitForURL(/comparisons\/cmp_/);
      const link = page.url();
      await page.goto("about:blank");
      await page.goto(link);
      await page.getByRole("heading", { name: "Faster loader?" }).waitFor();
      await page.getByRole("button", { name: "Recompute from the evidence" }).click();
      await page.getByText("equal to the last digit").waitFor();
      await picture("comparison-saved");
      await open(`/runs/${inject("seeded").runs["loader0-1"]}`);
      await page.getByRole("link", { name: "Faster loader?" }).waitFor();
      await open("/comparisons");
      await page.getByRole("table", { name: "comparisons" }).getByText("improved").first().waitFor();
      await expectAccessible(page);
    },
  );

  journey("a threshold that is set is part of the link and of the result", async ({ page, open }) => {
    await open(`/compare?${sides("loader0", "loader2", 1, 5)}&change=input:workers&threshold=step_time.p50:3`);
    await page.getByText("no change that matters").or(page.getByText("below the threshold")).first().waitFor();
    await page
      .getByText(/±300 %/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: /Take back: threshold/ }).click();
    await page.waitForURL((url) => !url.search.includes("threshold"));
    await page
      .getByRole("region", { name: "Verdict", exact: true })
      .getByText(/improved/)
      .waitFor();
  });

  journey("a picture and a table leave the page as PNG and CSV", async ({ page, open }) => {
    await open(`/compare?${sides("loader0", "loader2", 1, 5)}&change=input:workers`);
    await page.getByRole("table", { name: "outcomes compared" }).waitFor();
    const csv = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download outcomes compared as CSV" }).click();
    const text = await (await csv).createReadStream().then(async (stream) => {
      let all = "";
      for await (const chunk of stream) all += String(chunk);
      return all;
    });
    expect(text.split("\r\n")[0]).toContain("metric,baseline,candidate,unit,effect,interval_low");
    expect(text).toContain("step_time.p50,");
    for (const name of ["effects ratio", "step_time.p50 launches"]) {
      const png = page.waitForEvent("download");
      await page.getByRole("button", { name: `Download ${name} as PNG` }).click();
      const file = await png;
      expect(file.suggestedFilename()).toMatch(/\.png$/);
      const stream = await file.createReadStream();
      const [first] = await new Promise<Buffer[]>((done) => stream.once("data", (chunk: Buffer) => done([chunk])));
      expect(first!.subarray(1, 4).toString()).toBe("PNG");
    }
  });
});
