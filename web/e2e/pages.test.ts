import { describe, expect, inject } from "vitest";
import { expectAccessible, journey, settled, withBrowser } from "./browser";

withBrowser();

const pages = () => {
  const { runs, captures, setups } = inject("seeded");
  const both = (a: string, b: string) => `baseline=${runs[a]}&candidate=${runs[b]}`;
  return {
    start: "/",
    import: "/import",
    workloads: "/workloads",
    runs: "/runs",
    "runs-filtered-to-nothing": "/runs?q=nothing-is-named-so",
    run: `/runs/${runs["loader0-1"]}`,
    "run-serving": `/runs/${runs["seqs2-1"]}`,
    "run-fleet": `/runs/${runs.backfill}`,
    captures: "/captures",
    capture: `/captures/${captures["seqs2-1"]}`,
    trace: `/captures/${captures.tiny}/trace`,
    requests: `/captures/${captures["seqs2-1"]}/requests`,
    "compare-empty": "/compare",
    "compare-fleet": `/compare?${both("fifo", "backfill")}&change=scheduler_policy:backfill`,
    "compare-lens-mismatch": `/compare?${both("fifo", "loader0-1")}`,
    comparisons: "/comparisons",
    setups: "/setups",
    setup: `/setups/${setups["vllm-cpu-seqs2"]}`,
    "not-found": "/nothing/stands/here",
  };
};

describe("every page", () => {
  for (const scheme of ["light", "dark"] as const) {
    journey(
      `has nothing serious for axe, in ${scheme}`,
      async ({ page, open, picture }) => {
        for (const [name, path] of Object.entries(pages())) {
          await open(path);
          await page.getByRole("heading", { level: 1 }).waitFor();
          await settled(page);
          await expectAccessible(page);
          await picture(`${name}-${scheme}`);
        }
      },
      { colorScheme: scheme },
    );
  }

  journey(
    "fits a phone: nothing sticks out sideways but tables in their own frame",
    async ({ page, open, picture }) => {
      for (const [name, path] of Object.entries(pages())) {
        await open(path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await settled(page);
        const [content, window_] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
        expect(content, name).toBeLessThanOrEqual(window_!);
        await picture(`${name}-phone`);
      }
    },
    { viewport: { width: 390, height: 844 } },
  );

  journey("has a name of its own in the browser's tab", async ({ page, open }) => {
    const titles = new Set<string>();
    for (const path of Object.values(pages()).filter((path) => !path.includes("?"))) {
      await open(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForFunction(() => document.title.endsWith("· Kernelwake") && !document.title.startsWith("…"));
      titles.add(await page.title());
    }
    expect(titles.size).toBeGreaterThanOrEqual(14);
  });
});

describe("signing in", () => {
  journey(
    "whoever has no session is told how to get one, and a link or token lets them in",
    async ({ page, address, open, picture }) => {
      await open("/runs");
      await page.getByRole("heading", { name: "Sign in to Kernelwake" }).waitFor();
      await expectAccessible(page);
      await picture("signin");
      await page.getByLabel("Sign-in link or token").fill("short");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("This holds no token").waitFor();
      await page.getByLabel("Sign-in link or token").fill(`${address}/signin?token=${inject("token")}`);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: /From the question/ }).waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in to Kernelwake" }).waitFor();
    },
    { signedOut: true, expected: /401/ },
  );
});

describe("what goes wrong", () => {
  journey(
    "a thing that is not there is a problem with a hint, not an empty page",
    async ({ page, open }) => {
      await open("/runs/run_00000000000000000000000000");
      await page
        .getByRole("alert")
        .getByText(/What to do/)
        .waitFor();
    },
    { expected: /404/ },
  );

  journey(
    "a server that is gone is said, and trying again works when it is back",
    async ({ page, open }) => {
      await open("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.route("**/api/v1/workspaces/**", (route) => route.abort());
      await page
        .getByRole("navigation", { name: "Workspace" })
        .getByRole("link", { name: /^Setups/ })
        .click();
      await page
        .getByRole("alert")
        .getByText(/could not be reached/)
        .waitFor();
      await page.unroute("**/api/v1/workspaces/**");
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("link", { name: "vllm-cpu-seqs2" }).waitFor();
    },
    { expected: /Failed to load resource|ERR_FAILED/ },
  );

  journey(
    "an edit on a stale revision is refused with what to do",
    async ({ page, api, open }) => {
      const id = inject("seeded").runs["loader0-2"];
      await open(`/runs/${id}`);
      await page.getByLabel(/New label/).waitFor();
      const { run } = await api.get<{ run: { revision: number } }>(`runs/${id}`);
      await api.ask("PATCH", `runs/${id}`, { labels: { elsewhere: "yes" } }, { "If-Match": `"${run.revision}"` });
      await page.getByLabel(/New label/).fill("mine=1");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page
        .getByRole("alert")
        .getByText(/What to do/)
        .waitFor();
    },
    { expected: /412/ },
  );
});
