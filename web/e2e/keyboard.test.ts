import { describe, expect, inject } from "vitest";
import { journey, settled, withBrowser } from "./browser";

withBrowser();

describe("by keyboard alone", () => {
  journey(
    "from the start to a verdict: go to runs, filter, select two, compare, declare, save",
    async ({ page, open }) => {
      await open("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      // The first stop of the Tab key leads past the rail.
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Skip to the page");
      await page.keyboard.press("Enter");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");

      await page.keyboard.press("g");
      await page.keyboard.press("r");
      await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
      await page.getByRole("link", { name: "loader0-1" }).waitFor();

      // Search by slash finds a workload; its runs are two keys away.
      await page.keyboard.press("/");
      await page.keyboard.type("image class");
      await page.getByRole("option", { name: "workload image classifier" }).waitFor();
      await page.keyboard.press("Escape");
      await open(`/runs?q=loader&workload=`);
      await page.getByRole("link", { name: "loader0-1" }).waitFor();

      // Into the table, down the rows, and Space selects.
      await page.getByRole("searchbox", { name: "Filter by name" }).focus();
      for (let i = 0; i < 12 && !(await onPrimaryLink()); i++) await page.keyboard.press("Tab");
      expect(await onPrimaryLink()).toBe(true);
      const name = () => page.evaluate(() => document.activeElement?.textContent ?? "");
      await page.keyboard.press("Home");
      const names: string[] = [];
      for (let i = 0; i < 10; i++) {
        const at = await name();
        if (at === "loader0-1" || at === "loader2-1") {
          await page.keyboard.press("Space");
          names.push(at);
        }
        await page.keyboard.press("ArrowDown");
      }
      expect(names.sort()).toEqual(["loader0-1", "loader2-1"]);
      await page.getByText("2 selected").waitFor();
      await page.getByText("looks like the change you are testing").waitFor();
      await page.keyboard.press("c");
      await page.getByRole("region", { name: "Verdict", exact: true }).waitFor();

      // The remedy of the cap is a button among the others.
      await tabTo("Declare as the intended change: input pipeline");
      await page.keyboard.press("Enter");
      await page.keyboard.type("two loader workers");
      await page.keyboard.press("Enter");
      await page.waitForURL(/change=input/);
      await settled(page);
      await tabTo("Save comparison…");
      await page.keyboard.press("Enter");
      await page.keyboard.type("by keyboard");
      await page.keyboard.press("Enter");
      await page.waitForURL(/comparisons\/cmp_/);
      await page.getByRole("heading", { name: "by keyboard" }).waitFor();

      async function onPrimaryLink() {
        return page.evaluate(() => document.activeElement?.hasAttribute("data-primary") ?? false);
      }
      async function tabTo(label: string) {
        await page.getByRole("main").focus();
        for (let i = 0; i < 80; i++) {
          await page.keyboard.press("Tab");
          const at = await page.evaluate(
            () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
          );
          if (at === label) return;
        }
        throw new Error(`the Tab key never reached “${label}”`);
      }
    },
  );

  journey("commands, keys, and the theme that stays after a reload", async ({ page, open, picture }) => {
    await open("/runs");
    await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).getByText("from span to span").waitFor();
    await picture("keys");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("dark and light");
    await page.keyboard.press("Enter");
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    expect(await theme()).toBe("dark");
    await page.reload();
    await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
    expect(await theme()).toBe("dark");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("setups");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Setups", level: 1 }).waitFor();
  });

  journey("the timeline: zoom, pan, walk to a kernel and read its launch", async ({ page, open }) => {
    await open(`/captures/${inject("seeded").captures.tiny}/trace`);
    const timeline = page.getByRole("group", { name: /^Timeline/ });
    await timeline.waitFor();
    await timeline.focus();
    await page.keyboard.press("w");
    await page.keyboard.press("w");
    await page.waitForURL(/from=\d+&to=\d+|to=\d+&from=\d+/);
    await page.keyboard.press("f");
    await page.waitForURL((url) => !url.search.includes("from="));
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/span=\d+/);
    await page
      .getByRole("region", { name: "The span chosen" })
      .getByText(/kernel on|annotation on|operator on|runtime on/)
      .waitFor();
  });
});
