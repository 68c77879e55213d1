// Prints what a first visit downloads, compressed, and fails above the budget.
// A first visit loads index.html, the entry and everything it imports
// statically; pages that load on demand are not part of it.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const budget = 200_000;
const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));
const files = new Set(["index.html", "theme.js"]);

function add(key) {
  const chunk = manifest[key];
  if (!chunk || files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const sheet of chunk.css ?? []) files.add(sheet);
  for (const imported of chunk.imports ?? []) add(imported);
}
for (const [key, chunk] of Object.entries(manifest)) if (chunk.isEntry) add(key);

let total = 0;
for (const file of files) {
  const size = gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length;
  total += size;
  console.log(`${(size / 1000).toFixed(1).padStart(7)} kB  ${file}`);
}
console.log(`${(total / 1000).toFixed(1).padStart(7)} kB  first load, gzip (budget ${budget / 1000} kB)`);
if (total > budget) process.exit(1);
