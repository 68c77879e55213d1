import { describe, expect } from "vitest";
import { journey, withBrowser } from "./browser";
import { trainingCapture } from "./captures";

withBrowser();

const many = 700;

describe("a long list", () => {
  journey(
    "of runs keeps few rows on the page, reads on while scrolling, and reaches its end",
    async ({ page, api, open }) => {
      const files = Array.from({ length: many }, (_, index) =>
        trainingCapture({
          name: `long-${String(index).padStart(4, "0")}`,
          values: [90 + (index % 20), 91, 92],
          minute: index % 60,
        }),
      );
      for (let from = 0; from < many; from += 350)
        await api.bring(files.slice(from, from + 350), { workload: "a long list" });
      await open("/runs?q=long-0");
      const table = page.getByRole("table", { name: "runs" });
      await page.getByText(`${many} runs match`).waitFor();
      expect(await table.getAttribute("aria-rowcount")).toBe(String(many + 1));
      const frame = page.locator(".table-frame.tall");
      const drawn = () => table.locator("tbody tr[data-row]").count();
      expect(await drawn()).toBeLessThan(80);

      // Frames while scrolling through everything; a stutter is a long one.
      const longest = await frame.evaluate(async (element) => {
        let worst = 0;
        let before = performance.now();
        for (let step = 0; step < 120; step++) {
          element.scrollTop += 180;
          await new Promise((next) => requestAnimationFrame(next));
          const now = performance.now();
          worst = Math.max(worst, now - before);
          before = now;
        }
        return worst;
      });
      expect(longest).toBeLessThan(1_000);
      expect(await drawn()).toBeLessThan(80);

      await page.locator("[data-primary]").first().focus();
      await page.keyboard.press("End");
      await table
        .getByRole("row")
        .and(page.locator(`[data-row="${many - 1}"]`))
        .waitFor();
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest("[data-row]")?.getAttribute("data-row")))
        .toBe(String(many - 1));
    },
  );
});
