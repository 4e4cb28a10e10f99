import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, visitor } from './support/browser.mjs';
import { as } from './support/service.mjs';

/** Clicks a button and returns the lines of the CSV file. */
async function exported(page, button) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
}

test('usage by project adds up to the charges, and is exported', async () => {
  const owner = await as(shared.url);
  const { totals } = await owner('GET', '/api/usage?by=project');
  const page = await visitor(shared.url, { path: '/credits?last=24h' });
  await page.getByText(`${totals.requests} requests, ${totals.credits} credits in this period`).waitFor();
  const rows = page.getByRole('region', { name: 'Usage', exact: true }).getByRole('row');
  const credits = await rows.evaluateAll((all) => all.slice(1).map((row) => Number(row.cells[4].textContent)));
  assert.equal(
    credits.reduce((sum, one) => sum + one, 0),
    totals.credits,
  );
  await page.getByRole('img', { name: /^Support chat: \d+\.\d% of the credits$/ }).waitFor();
  await page.waitForLoadState('networkidle');
  await isFine(page, 'credits-usage');
  const [head, ...lines] = await exported(page, 'Export usage');
  assert.equal(head.replace('\ufeff', ''), 'row,id,name,owner,requests,blocked,masked,credits');
  const summed = lines.reduce((sum, line) => sum + Number(line.split(',').at(-1)), 0);
  assert.equal(summed, totals.credits);
  await page.getByRole('link', { name: 'Support chat', exact: true }).click();
  await page.getByRole('heading', { name: 'Support chat', level: 1 }).waitFor();
  await leave(page);
});

test('a period limits chart, usage and ledger, and the address keeps it', async () => {
  const page = await visitor(shared.url, { path: '/credits' });
  await page.getByRole('button', { name: /^Period: Last 30 days/ }).waitFor();
  await page
    .getByRole('row', { name: /Analyze/ })
    .first()
    .waitFor();
  await page.goto('/credits?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z');
  await page.getByText('No ledger entries in this period').waitFor();
  await page.getByText('No requests in this period').waitFor();
  await page.getByRole('slider', { name: /^Credits used from .*: 0$/ }).waitFor();
  await isFine(page, 'credits-empty');
  await leave(page);
});

test('the export of the ledger reads all pages, shows its progress and is canceled', async () => {
  const owner = await as(shared.url);
  const prompt = { prompt: 'What are your opening hours?', projectId: shared.projectId };
  for (let round = 0; round < 20; round++)
    await Promise.all(Array.from({ length: 26 }, () => owner('POST', '/v2/guardengine/svc_firewall_analyze', prompt)));
  const page = await visitor(shared.url, { path: '/credits' });
  // The second page waits until the test lets it go.
  let release;
  const gate = new Promise((resolve) => (release = resolve));
  await page.route(/api\/credits\?.*cursor=/, async (route) => {
    await gate;
    await route.continue().catch(() => null);
  });
  await page.getByRole('button', { name: 'Export ledger' }).click();
  await page.getByText('500 entries read').waitFor();
  await isFine(page, 'credits-export');
  await page.getByRole('button', { name: 'Cancel Export ledger' }).click();
  await page.getByText('500 entries read').waitFor({ state: 'detached' });
  release();
  const lines = await exported(page, 'Export ledger');
  assert.match(lines[0], /^Time,Operation,Amount,Balance after,Request$/);
  // 520 calls, those of the seed, and the first balance.
  assert.ok(lines.length > 540, `${lines.length} lines`);
  assert.equal(new Set(lines).size, lines.length);
  await leave(page);
});

test('the forecast says that it needs a day of usage', async () => {
  const page = await visitor(shared.url, { path: '/credits' });
  await page.getByText(/^Usage began .*\. A forecast needs 24 hours of usage/).waitFor();
  await leave(page);
});

test('the chart of the balance shows where an alert fires', async () => {
  const owner = await as(shared.url);
  await owner('POST', '/api/alerts', { name: 'Little left', condition: { type: 'credits_low', balance: 500 } });
  const page = await visitor(shared.url, { path: '/credits?last=24h' });
  await page.getByRole('img', { name: 'An alert fires below 500 credits' }).waitFor();
  await page.getByText('An alert fires below 500 credits').waitFor();
  await isFine(page, 'credits-alert');
  await leave(page);
});
