import { describe, expect, inject } from "vitest";
import { expectAccessible, journey, settled, withBrowser } from "./browser";

withBrowser();

interface Figures {
  figures: {
    window_ns: number;
    busy_ns: number;
    kernels: { short_name: string; count: number; sum_ns: number }[];
    steps: { name: string }[];
    steps_kept: number;
  };
}

describe("a trace", () => {
  journey("shows its steps, kernels and breakdown as the API has them", async ({ page, api, open, picture }) => {
    const id = inject("seeded").captures.tiny;
    const { figures } = await api.get<Figures>(`captures/${id}`);
    await open(`/captures/${id}/trace`);
    await page.getByText("Where the time goes").waitFor();
    await settled(page);
    await page.getByText(`busy ${((figures.busy_ns / figures.window_ns) * 100).toFixed(1)} %`).waitFor();
    const kernels = page.getByRole("table", { name: "kernels" });
    for (const kernel of figures.kernels)
      await kernels
        .getByRole("row")
        .filter({ hasText: kernel.short_name })
        .getByText(String(kernel.count), { exact: true })
        .waitFor();
    expect(await page.getByRole("table", { name: "steps" }).getByRole("row").count()).toBe(figures.steps.length + 1);
    await page.getByRole("img", { name: /^Timeline of/ }).waitFor();
    await expectAccessible(page);
    await picture("trace");
  });

  journey(
    "a kernel found by name is shown with its launch, and the link shows a colleague the same",
    async ({ page, open, picture }) => {
      await open(`/captures/${inject("seeded").captures.tiny}/trace`);
      await page.getByRole("searchbox", { name: /Find a kernel/ }).fill("gemm");
      const spans = page.getByRole("table", { name: "spans" });
      await page.getByText("16 spans match").waitFor();
      await spans.getByRole("button", { name: "gemm_kernel" }).nth(2).click();
      const chosen = page.getByRole("region", { name: "The span chosen" });
      await chosen.getByText("cudaLaunchKernel").waitFor();
      await chosen.getByText(/started .* after the call returned/).waitFor();
      await page.waitForURL(/from=\d+/);
      await picture("trace-kernel");
      const link = page.url();
      const said = await chosen.textContent();
      await page.goto("about:blank");
      await page.goto(link);
      await chosen.getByText("cudaLaunchKernel").waitFor();
      expect(await chosen.textContent()).toBe(said);
      // From the kernel to its launch call.
      await chosen.getByRole("button", { name: "cudaLaunchKernel" }).click();
      await chosen.getByText(/runtime on/).waitFor();
      await chosen.getByRole("button", { name: "gemm_kernel" }).waitFor();
    },
  );

  journey("clicking a span on the picture selects it", async ({ page, open }) => {
    await open(`/captures/${inject("seeded").captures.tiny}/trace`);
    const canvas = page.getByRole("img", { name: /^Timeline of/ });
    await canvas.waitFor();
    await settled(page);
    const box = (await canvas.boundingBox())!;
    // The first track is the stream: somewhere along it there is a kernel.
    for (let x = 150; x < box.width && !page.url().includes("span="); x += 6) {
      await page.mouse.click(box.x + x, box.y + 27);
      await page.waitForTimeout(30);
    }
    await page.getByRole("region", { name: "The span chosen" }).getByText("kernel on").waitFor();
  });

  journey("without a GPU event says so instead of showing zero", async ({ page, open }) => {
    await open(`/captures/${inject("seeded").captures["loader0-1"]}/trace`);
    await page.getByText("No GPU event is in this trace").waitFor();
    await page.getByText("Operators by self time").waitFor();
    await expectAccessible(page);
  });
});

describe("a load run", () => {
  journey(
    "shows requests, the mix, errors, and throughput with its denominator",
    async ({ page, api, open, picture }) => {
      const id = inject("seeded").captures["seqs2-1"];
      const { outcomes } = await api.get<{ outcomes: { metric: string; value?: number }[] }>(`captures/${id}`);
      await open(`/captures/${id}/requests`);
      await page.getByRole("img", { name: /end-to-end latency of \d+ requests over time/ }).waitFor();
      await page.locator(".uplot canvas").waitFor();
      await settled(page);
      const throughput = outcomes.find((outcome) => outcome.metric === "request_throughput")!.value!;
      await page.getByRole("table", { name: "throughput" }).getByText(throughput.toFixed(3)).waitFor();
      await page
        .getByRole("table", { name: "throughput" })
        .getByText(/^= good requests ÷/)
        .waitFor();
      await page.getByText("No request failed.").waitFor();
      await page.getByRole("button", { name: "ttft", exact: true }).click();
      await page.waitForURL(/metric=ttft/);
      await page.getByRole("button", { name: "ECDF" }).first().click();
      await page.getByText("share of samples at or below").first().waitFor();
      await expectAccessible(page);
      await picture("requests");
    },
  );
});
