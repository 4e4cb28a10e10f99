// Writes a gzipped copy of every text file, so that the service does not compress while serving.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url).pathname;
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(js|css|html|svg)$/.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
}
