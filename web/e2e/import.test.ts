import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectAccessible, journey, settled, withBrowser } from "./browser";
import { around, trainingCapture } from "./captures";

withBrowser();

const recordings = resolve(import.meta.dirname, "../../examples/recordings");

async function choose(page: Page, files: { name: string; bytes: Uint8Array }[]) {
  await page
    .getByLabel("Choose files…")
    .setInputFiles(
      files.map((file) => ({ name: file.name, mimeType: "application/octet-stream", buffer: Buffer.from(file.bytes) })),
    );
}

const recorded = (folder: string, name: string) => ({
  name: `again-${name}`,
  bytes: readFileSync(join(recordings, folder, name)),
});

/** Adds one byte of white space, so that the bytes are new and the capture is the same. */
const renewed = (file: { name: string; bytes: Uint8Array }) => ({
  name: file.name,
  bytes: new Uint8Array([...file.bytes, 10]),
});

interface Shown {
  captures: {
    outcomes: { metric: string; value?: number }[];
    capture: { id: string; provenance: { sha256: string } };
  }[];
}

describe("importing", () => {
  journey("a Kernelwake JSON capture: dropped, asked about, imported, read", async ({ page, api, open, picture }) => {
    await open("/import");
    const made = trainingCapture({
      name: "dropped",
      values: around(50, 3),
      minute: 30,
      dimensions: { world_size: undefined },
    });
    const dropped = await page.evaluateHandle(
      ({ name, text }) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], name));
        return transfer;
      },
      { name: made.name, text: new TextDecoder().decode(made.bytes) },
    );
    await page.getByLabel("Drop captures here").dispatchEvent("drop", { dataTransfer: dropped });
    await page.getByText("Kernelwake JSON", { exact: true }).waitFor();
    await page.getByText("readable").waitFor();
    await expectAccessible(page);
    // The file names its workload; what it lacks is asked for.
    expect(await page.getByLabel("Workload").inputValue()).toBe("tiny-net");
    await page.getByLabel(/world size/).fill("1");
    await page.getByLabel(/Replicate group/).fill("dropped");
    await picture("import-form");
    await page.getByRole("button", { name: "Import the file" }).click();
    await page.getByRole("link", { name: "Read the run" }).click();
    await page.getByRole("heading", { name: "dropped", level: 1 }).waitFor();
    await settled(page);
    await picture("run-kwcap");
    const id = page.url().split("/").at(-1);
    const shown = await api.get<Shown & { dimensions: Record<string, { value?: unknown; source?: string }> }>(
      `runs/${id}`,
    );
    expect(shown.dimensions.world_size).toMatchObject({ value: 1, source: "declared" });
    const p50 = shown.captures[0]!.outcomes.find((outcome) => outcome.metric === "step_time.p50")!.value!;
    await page.getByRole("table", { name: "outcomes" }).getByText(p50.toPrecision(4)).first().waitFor();
    // Made numbers say so.
    await page.locator("h1 ~ .tag", { hasText: "synthetic" }).waitFor();
  });

  journey("a PyTorch trace: found by its content, its exact bytes given back", async ({ page, api, address, open }) => {
    await open("/import");
    const file = recorded("training", "loader0-1.json.gz");
    // A gzip file may have members after the first: an empty one makes new bytes of the same trace.
    const bytes = new Uint8Array(Buffer.concat([file.bytes, emptyGzip]));
    await choose(page, [{ name: "whatever.bin", bytes }]);
    await page.getByText("PyTorch / Chrome trace", { exact: true }).waitFor();
    await page.getByLabel("Workload").fill("image classifier");
    await page.getByLabel(/^Run/).fill("trace again");
    await page.getByRole("button", { name: "Import the file" }).click();
    await page.getByRole("link", { name: "Read the run" }).click();
    await page.getByRole("heading", { name: "trace again" }).waitFor();
    const id = page.url().split("/").at(-1);
    const shown = await api.get<Shown>(`runs/${id}`);
    const link = await page.getByRole("link", { name: "Download the exact bytes" }).getAttribute("href");
    const given = await page.request.get(`${address}${link}`);
    expect(given.headers()["content-type"]).toBe("application/octet-stream");
    const digest = createHash("sha256")
      .update(await given.body())
      .digest("hex");
    expect(digest).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect(shown.captures[0]!.capture.provenance.sha256).toContain(digest);
    await page.getByRole("link", { name: "Open the trace" }).click();
    await page.getByText("Where the time goes").waitFor();
  });

  journey("an AIPerf archive that is already here is recognised, not stored twice", async ({ page, api, open }) => {
    const before = (await api.get<{ total: number }>("captures?limit=1")).total;
    await open("/import");
    await choose(page, [recorded("serving", "seqs2-1.zip")]);
    await page.getByText("AIPerf", { exact: true }).waitFor();
    await page.getByText("ttft.p50").waitFor();
    await page.getByLabel("Workload").fill("batch limit");
    await page.getByRole("button", { name: "Import the file" }).click();
    await page.getByText("stored once, recognised").waitFor();
    expect((await api.get<{ total: number }>("captures?limit=1")).total).toBe(before);
    await page.getByRole("link", { name: "Read the run" }).click();
    await page.getByRole("link", { name: "Look at the requests" }).click();
    await page.getByText("Requests over time").waitFor();
  });

  journey(
    "several files at once, one of them broken: every problem with its place, the others go in",
    async ({ page, open, picture }) => {
      await open("/import");
      const good = trainingCapture({ name: "beside", values: around(51, 4), minute: 31 });
      const text = new TextDecoder().decode(trainingCapture({ name: "broken", values: [1, 2], minute: 32 }).bytes);
      const broken = {
        name: "broken.kwcap.json",
        bytes: new TextEncoder().encode(
          text.replace('"measured_on":"none"', '"measured_on":"gpuu"').replace('"unit":"ms"', '"unit":"msec"'),
        ),
      };
      await choose(page, [
        good,
        broken,
        { name: "notes.txt", bytes: new TextEncoder().encode("nothing to import here") },
      ]);
      await page.getByText("readable").waitFor();
      await page.getByText("/measured_on").waitFor();
      await page.getByText("/outcomes/0/unit").waitFor();
      expect(await page.getByText("can't be imported").count()).toBe(2);
      await expectAccessible(page);
      await picture("import-problems");
      await page.getByText("2 files with problems will be left out.").waitFor();
      await page.getByRole("button", { name: "Import the file" }).click();
      await page.getByRole("link", { name: "Read the run" }).waitFor();
    },
  );

  journey("the same capture with another byte is another capture of the same numbers", async ({ page, open }) => {
    await open("/import");
    const made = trainingCapture({ name: "twin", values: around(52, 5), minute: 33 });
    await choose(page, [made, renewed({ ...made, name: "twin-renewed.kwcap.json" })]);
    await page.getByText("readable").nth(1).waitFor();
    await page.getByRole("button", { name: "Import 2 files" }).click();
    await page.getByRole("link", { name: "Select sides and compare" }).click();
    await page.getByText("2 selected").waitFor();
    await page.getByText("the same bytes: nothing to compare").waitFor();
  });
});

const emptyGzip = Buffer.from("1f8b08000000000000030300000000000000000000", "hex").subarray(0, 20);
