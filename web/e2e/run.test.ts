import { describe, expect, inject } from "vitest";
import { journey, settled, withBrowser } from "./browser";

withBrowser();

interface Shown {
  run: { name: string; replicate_group?: string; labels: Record<string, string>; launch: { kind: string } };
  dimensions: Record<string, { value?: unknown; absent?: string; source?: string }>;
  setups: { name: string }[];
}

describe("a run", () => {
  journey(
    "a missing dimension is declared, changed and taken back; each time its source is shown",
    async ({ page, api, open }) => {
      const id = inject("seeded").runs["loader2-5"];
      const dimension = async (key: string) => (await api.get<Shown>(`runs/${id}`)).dimensions[key];
      await open(`/runs/${id}`);
      await page.getByRole("button", { name: /Show the \d+ missing/ }).click();
      const row = page.getByRole("table", { name: "Dimensions" }).getByRole("row", { name: /^framework version/ });
      await row.getByText("not recorded").waitFor();
      await row.getByRole("button", { name: "Declare… framework version" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(/^Value/).fill("2.15.0");
      await dialog.getByRole("button", { name: "Declare" }).click();
      await row.getByText("declared for the run").first().waitFor();
      expect(await dimension("framework_version")).toMatchObject({ value: "2.15.0", source: "declared" });
      await row.getByRole("button", { name: "Change… framework version" }).click();
      await dialog.getByLabel(/^Value/).fill("2.15.1");
      await dialog.getByRole("button", { name: "Declare" }).click();
      await row.getByText("2.15.1").waitFor();
      await row.getByRole("button", { name: "Take back framework version" }).click();
      await row.getByText("not recorded").waitFor();
      expect((await dimension("framework_version"))?.value).toBeUndefined();
    },
  );

  journey("an absent value gives its reason to the pointer and to the keyboard", async ({ page, open }) => {
    await open(`/runs/${inject("seeded").runs["loader2-5"]}`);
    await settled(page);
    const dash = page
      .getByRole("table", { name: "outcomes" })
      .getByRole("note", { name: /^absent:/ })
      .first();
    await dash.focus();
    await page
      .getByRole("tooltip")
      .getByText(/^Absent: /)
      .waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("tooltip").waitFor({ state: "detached" });
    await dash.hover();
    await page
      .getByRole("tooltip")
      .getByText(/^Absent: /)
      .waitFor();
  });

  journey("renamed, grouped, labelled, and said to be a launch of its own", async ({ page, api, open }) => {
    const id = inject("seeded").runs["seqs8-4"];
    await open(`/runs/${id}`);
    await page.getByRole("button", { name: "Edit…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("seqs8-4 renamed");
    await dialog.getByLabel("Replicate group").fill("eight");
    await dialog.getByRole("button", { name: "Change" }).click();
    await page.getByRole("heading", { name: "seqs8-4 renamed" }).waitFor();
    await page.getByLabel(/New label/).fill("night=yes-it-was");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "night=yes-it-was, remove the label" }).waitFor();
    await page.getByRole("button", { name: "It was freshly started" }).click();
    await page.getByText("a launch of its own").first().waitFor();
    const { run } = await api.get<Shown>(`runs/${id}`);
    expect(run).toMatchObject({ name: "seqs8-4 renamed", replicate_group: "eight", launch: { kind: "launch" } });
    expect(run.labels.night).toBe("yes-it-was");
    await page.getByRole("button", { name: "night=yes-it-was, remove the label" }).click();
    await expect.poll(async () => (await api.get<Shown>(`runs/${id}`)).run.labels.night).toBeUndefined();
  });

  journey("a setup is attached, given a new version, and detached", async ({ page, api, open, picture }) => {
    const id = inject("seeded").runs["narrow-5"];
    await open("/setups");
    await page.getByRole("button", { name: "New setup…" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("the box");
    await dialog.getByLabel(/^Values/).fill("framework_version = 2.15.0");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "the box" }).waitFor();
    await page.getByRole("button", { name: "New version…" }).click();
    await dialog.getByLabel(/^Values/).fill("framework_version = 2.15.0\nhost_id = node-1");
    await dialog.getByRole("button", { name: "Make version 2" }).click();
    await page.getByText("version 2", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Attach to runs…" }).click();
    await dialog.getByLabel("Filter by name").fill("narrow-5");
    await dialog.getByRole("button", { name: "narrow-5", exact: true }).click();
    await page.getByText("Attached to one run").waitFor();
    await picture("setup-versions");
    await open(`/runs/${id}`);
    const setups = page.getByRole("table", { name: "setups attached" });
    await setups.getByText("version 2").waitFor();
    expect((await api.get<Shown>(`runs/${id}`)).dimensions.host_id).toMatchObject({ value: "node-1", source: "setup" });
    await setups.getByRole("button", { name: "Detach the box" }).click();
    await page.getByText("None. What no capture records").waitFor();
    expect((await api.get<Shown>(`runs/${id}`)).setups).toEqual([]);
  });

  journey("a workload declares for all its runs at once", async ({ page, api, open }) => {
    const { runs } = inject("seeded");
    await open("/workloads");
    await page.getByRole("link", { name: "tiny trace" }).click();
    await page.getByRole("button", { name: "Declare…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Dimension").selectOption("dataset");
    await dialog.getByLabel(/^Value/).fill("made-up");
    await dialog.getByRole("button", { name: "Declare" }).click();
    await page.getByRole("table", { name: "declared values" }).getByText("made-up").waitFor();
    expect((await api.get<Shown>(`runs/${runs.tiny}`)).dimensions.dataset).toMatchObject({
      value: "made-up",
      source: "workload",
    });
  });
});
