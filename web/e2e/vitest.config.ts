import { defineConfig } from "vitest/config";

// Journeys in a real browser against the real program: one server for all of
// them, one after the other.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["**/*.test.ts"],
    globalSetup: ["./server.ts"],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
