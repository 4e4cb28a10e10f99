// Every journey in one process, or those that are named: node tests/browser/run.mjs logs policies
import './shared.mjs';

const FILES = ['session', 'first_run', 'pages', 'phone', 'dashboard', 'logs', 'playground', 'policies', 'organisation', 'connectors', 'reviews', 'roles', 'keyboard', 'failures'];
const wanted = process.argv.slice(2);
for (const file of FILES) {
  if (wanted.length === 0 || wanted.includes(file)) await import(`./${file}.test.mjs`);
}
