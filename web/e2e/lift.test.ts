import { describe, expect, inject } from "vitest";
import { journey, withBrowser } from "./browser";

withBrowser();

const pair = (way: string) => {
  const { runs } = inject("seeded");
  const ids = (side: string) => [1, 2, 3, 4].map((index) => runs[`${way}-${side}-${index}`]).join(",");
  return `/compare?baseline=${ids("a")}&candidate=${ids("b")}`;
};

describe("lifting a cap", () => {
  journey("by declaring the change that is known to differ", async ({ page, open }) => {
    const { runs } = inject("seeded");
    const ids = (name: string) => [1, 2, 3, 4, 5].map((index) => runs[`${name}-${index}`]).join(",");
    await open(`/compare?baseline=${ids("loader0")}&candidate=${ids("loader2")}`);
    const verdict = page.getByRole("region", { name: "Verdict", exact: true });
    await verdict.getByText(/input pipeline is known to differ.*inconclusive/).waitFor();
    await page
      .getByRole("table", { name: "caps" })
      .getByRole("button", { name: "Declare as the intended change: input pipeline" })
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("two loader workers: the fix under test");
    await dialog.getByRole("button", { name: "Compute again" }).click();
    await verdict.getByText(/improved/).waitFor();
    await page.getByRole("table", { name: "caps" }).waitFor({ state: "detached" });
    expect(decodeURIComponent(page.url()).replaceAll("+", " ")).toContain(
      "change=input:two loader workers: the fix under test",
    );
  });

  journey(
    "by a setup that names what was unknown, attached to all runs at once",
    async ({ page, api, open, picture }) => {
      await open(pair("by-setup"));
      const caps = page.getByRole("table", { name: "caps" });
      await caps.getByRole("button", { name: "Attach a setup: rank count" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "A new one" }).click();
      await dialog.getByLabel("Name").fill("one rank");
      await dialog.getByLabel(/^Values/).fill("world_size = 1");
      await picture("attach-setup");
      await dialog.getByRole("button", { name: "Attach to 8 runs" }).click();
      await page
        .getByRole("region", { name: "Verdict", exact: true })
        .getByText(/improved \(synthetic\)/)
        .waitFor();
      const run = await api.get<{ dimensions: Record<string, { value?: unknown; source?: string }> }>(
        `runs/${inject("seeded").runs["by-setup-a-1"]}`,
      );
      expect(run.dimensions.world_size).toMatchObject({ value: 1, source: "setup" });
      const row = page
        .getByRole("table", { name: "dimensions of the comparison" })
        .getByRole("row", { name: /rank count/ });
      await row.getByText("setup", { exact: true }).waitFor();
    },
  );

  journey(
    "by attesting, with a reason that stays with the result and a mark on the verdict",
    async ({ page, open, picture }) => {
      await open(pair("by-attesting"));
      await page
        .getByRole("table", { name: "caps" })
        .getByRole("button", { name: "Attest as equal: rank count" })
        .click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Reason").fill("one process each, seen by me");
      await dialog.getByRole("button", { name: "Compute again" }).click();
      await page
        .getByRole("region", { name: "Verdict", exact: true })
        .getByText(/improved \(synthetic, attested\)/)
        .waitFor();
      await page.locator("h1 ~ .tag", { hasText: "attested" }).waitFor();
      await page.getByText(/attested by .*one process each, seen by me/).waitFor();
      await picture("attested");
      // The link shows a colleague the same.
      await page.reload();
      await page
        .getByRole("region", { name: "Verdict", exact: true })
        .getByText(/attested/)
        .waitFor();
    },
  );

  journey("by giving the value for both sides", async ({ page, open }) => {
    await open(pair("by-value"));
    await page.getByRole("table", { name: "caps" }).getByRole("button", { name: "Give a value: rank count" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("world size").fill("1");
    await dialog.getByRole("button", { name: "Declare and compute again" }).click();
    await page
      .getByRole("region", { name: "Verdict", exact: true })
      .getByText(/improved \(synthetic\)/)
      .waitFor();
  });
});

describe("a declaration that is wrong", () => {
  journey("is refused where nothing changed, and can be taken back on the spot", async ({ page, open }) => {
    await open(`${pair("by-value")}&change=input:more+workers`);
    await page.getByText("declared_change_absent").waitFor();
    await page.getByRole("button", { name: "Take back the declaration" }).click();
    await page.waitForURL((url) => !url.search.includes("change="));
    await page
      .getByRole("region", { name: "Verdict", exact: true })
      .getByText(/Step time/)
      .waitFor();
  });
});
