import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// The development server forwards the API to a server started beside it.
const server = process.env.KERNELWAKE_SERVER ?? "http://127.0.0.1:8337";

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    manifest: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      "/api": server,
      "/signin": server,
    },
  },
  test: { include: ["src/**/*.test.ts"] },
});
