// Starts the real program on a scratch folder and fills it through its API.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { TestProject } from "vitest/node";
import { type Seeded, seed } from "./seed";

const root = resolve(import.meta.dirname, "../..");
const token = "end-to-end-token-of-one-run-only";

declare module "vitest" {
  export interface ProvidedContext {
    address: string;
    token: string;
    seeded: Seeded;
  }
}

export default async function setup(project: TestProject) {
  const binary = process.env.KERNELWAKE_BINARY ?? join(root, "bin/graphsignal-server");
  if (!existsSync(binary)) execFileSync("make", ["build"], { cwd: root, stdio: "inherit" });
  const data = mkdtempSync(join(tmpdir(), "kernelwake-e2e-"));
  const server = spawn(binary, ["serve", "--data", data, "--listen", "127.0.0.1:0"], {
    env: { ...process.env, KERNELWAKE_BOOTSTRAP_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const address = await addressOf(server);
  const seeded = await seed(address, token, root);
  project.provide("address", address);
  project.provide("token", token);
  project.provide("seeded", seeded);
  return async () => {
    const ended = new Promise((done) => server.once("exit", done));
    server.kill("SIGTERM");
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
}

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((found, broken) => {
    const log: string[] = [];
    server.stderr?.on("data", (chunk: Buffer) => log.push(chunk.toString()));
    server.once("exit", (code) => broken(new Error(`the server ended with ${code}: ${log.join("")}`)));
    const lines = createInterface({ input: server.stdout! });
    lines.on("line", (line) => {
      const address = /listening on (http:\S+)/.exec(line)?.[1];
      if (address) found(address);
    });
  });
}
