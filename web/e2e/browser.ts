// A signed-in page for each journey. It fails on anything the browser
// complains of, and keeps a picture of where it failed.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { Api } from "./api";

const pictures = join(import.meta.dirname, "screenshots");
mkdirSync(pictures, { recursive: true });

let browser: Browser;

/** Opens and closes the browser around a file's journeys. */
export function withBrowser() {
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    });
  });
  afterAll(() => browser.close());
}

export interface Journey {
  page: Page;
  api: Api;
  address: string;
  /** Opens a page of the default workspace. */
  open: (path: string) => Promise<void>;
  /** Keeps a picture. */
  picture: (name: string) => Promise<void>;
}

interface Options extends BrowserContextOptions {
  signedOut?: boolean;
  /** Complaints of the browser that belong to the journey. */
  expected?: RegExp;
}

/** One journey: a test in a context of its own. */
export function journey(name: string, walk: (journey: Journey) => Promise<void>, options: Options = {}) {
  test(name, async () => {
    const address = inject("address");
    const token = inject("token");
    const { signedOut, expected, ...context } = options;
    const opened = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...context });
    await opened.grantPermissions(["clipboard-read", "clipboard-write"], { origin: address });
    const page = await opened.newPage();
    page.setDefaultTimeout(45_000);
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !expected?.test(message.text())) complaints.push(`console: ${message.text()}`);
    });
    const picture = async (title: string) => {
      await page.screenshot({ path: join(pictures, `${title}.png`), fullPage: true });
    };
    try {
      if (!signedOut) await page.goto(`${address}/signin?token=${token}`);
      await walk({
        page,
        address,
        api: new Api(address, token),
        picture,
        open: async (path) => {
          await page.goto(`${address}/w/default${path}`);
        },
      });
      expect(complaints).toEqual([]);
    } catch (error) {
      await picture(`failed-${name.replaceAll(/\W+/g, "-")}`).catch(() => undefined);
      if (complaints.length > 0) throw new Error(`the browser complained:\n${complaints.join("\n")}`, { cause: error });
      throw error;
    } finally {
      await opened.close();
    }
  });
}

/** Fails on anything serious that axe finds on the page as it stands. */
export async function expectAccessible(page: Page) {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const runner = (window as unknown as { axe: typeof axe }).axe;
    const result = await runner.run(document, { resultTypes: ["violations"] });
    return result.violations
      .filter((one) => one.impact === "serious" || one.impact === "critical")
      .map(
        (one) =>
          `${one.id}: ${one.help}: ${one.nodes
            .slice(0, 4)
            .map((node) => `${node.target.join(" ")} ${node.failureSummary ?? ""}`)
            .join(" | ")}`,
      );
  });
  if (found.length > 0) throw new Error(`axe finds on ${page.url()}:\n${found.join("\n")}`);
}

/** Waits until nothing says that it is still being read. */
export async function settled(page: Page) {
  await page.waitForLoadState("networkidle");
  await page.locator(".loading").first().waitFor({ state: "detached" });
}
