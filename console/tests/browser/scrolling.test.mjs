import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leave, visitor } from './support/browser.mjs';
import { start } from './support/service.mjs';

// The measurements in docs/how-to/contribute/develop-the-console.md use 50,000.
const ROWS = process.env.CONSOLE_ROWS ?? '2500';
const FRAMES = 80;

test('of many log entries only the visible ones are in the page', { timeout: 90_000 }, async (t) => {
  const service = await start();
  service.operate('fill-log', '--rows', ROWS, '--days', '3');
  const page = await visitor(service.url, { path: '/logs' });
  const table = page.getByRole('table', { name: 'Log entries' });
  await table.waitFor();
  // Each jump to the end loads the next page. Its duration depends on the machine and is not checked.
  const loaded = async () =>
    Number((await page.getByText(/entries loaded/).textContent()).replaceAll(',', '').match(/\d+/)[0]);
  for (let seen = 0; seen < 2_000; ) {
    await table.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    const before = seen;
    await page.waitForFunction(
      (count) => Number(/([\d,]+) entries loaded/.exec(document.body.textContent)[1].replaceAll(',', '')) > count,
      before,
    );
    seen = await loaded();
  }
  // Measures frames while thousands of entries scroll by. Reported, not checked: the machine is shared.
  const frames = await table.evaluate(async (box, count) => {
    const times = [];
    box.scrollTo(0, 0);
    let last = performance.now();
    for (let frame = 0; frame < count; frame++) {
      box.scrollBy(0, 300);
      const now = await new Promise((done) => requestAnimationFrame(done));
      times.push(now - last);
      last = now;
    }
    return times.sort((a, b) => a - b);
  }, FRAMES);
  const at = (share) => frames[Math.ceil(share * FRAMES) - 1].toFixed(1);
  t.diagnostic(`frames while scrolling: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`);
  assert.ok((await page.getByRole('row').count()) < 100);
  await leave(page);
  await service.stop();
});

test('at every width an untouched log renders and loads only what is visible', { timeout: 90_000 }, async () => {
  const service = await start();
  service.operate('fill-log', '--rows', '2500', '--days', '3');
  for (const width of [390, 768, 960]) {
    const page = await visitor(service.url, { viewport: { width, height: 844 }, path: '/logs' });
    await page.getByRole('table', { name: 'Log entries' }).waitFor();
    await page.waitForTimeout(3_000);
    const rows = await page.getByRole('row').count();
    assert.ok(rows > 5 && rows < 100, `${rows} rows are in the page at ${width} px`);
    assert.match(await page.getByText(/entries loaded/).textContent(), /^200 entries loaded/);
    await leave(page);
  }
  await service.stop();
});
