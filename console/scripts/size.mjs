// Fails if the gzipped files that load before the first page exceed the budget.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET = 250_000;
const dist = new URL('../dist/', import.meta.url);
const html = readFileSync(new URL('index.html', dist), 'utf8');
// The addresses are relative to the base of the page.
const files = [...html.matchAll(/<(?:script|link)[^>]*(?:src|href)="\.?\/([^"]+)"/g)].map((found) => found[1]);
if (!files.some((file) => file.endsWith('.js'))) throw new Error('index.html names no script');
const sizes = ['index.html', ...files].map((file) => [file, gzipSync(readFileSync(new URL(file, dist))).length]);
const total = sizes.reduce((sum, [, size]) => sum + size, 0);
console.log(`initial load: ${(total / 1000).toFixed(1)} kB gzip of ${BUDGET / 1000} kB`);
if (total > BUDGET) {
  for (const [file, size] of sizes) console.error(`${size}\t${file}`);
  process.exit(1);
}
