import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, PHONE, visitor } from './support/browser.mjs';

test('owners see the models, the queues and the latency of each stage', async () => {
  const page = await visitor(shared.url, { path: '/engine' });
  await page.getByText(/All parts work|with a problem/).waitFor();
  const stages = page.getByRole('region', { name: 'Latency by stage' });
  const scores = stages.getByRole('row', { name: /Classifier scores/ });
  await scores.waitFor();
  assert.ok(Number((await scores.getByRole('cell').nth(1).textContent()).replace(',', '')) >= 18);
  await page.getByRole('img', { name: /^Evaluations, busy: 0/ }).waitFor();
  await page.getByText('SQLite, embedded').waitFor();
  await page.getByText('Running for').waitFor();
  await isFine(page, 'engine-page');
  await leave(page);
});

test('viewers do not see the page, and its address names the permission', async () => {
  const page = await visitor(shared.url, {
    path: '/engine',
    user: { username: 'vera', password: 'Correct-horse-9' },
    viewport: PHONE,
  });
  await page.getByText('ENGINE:VIEW_ENGINE').waitFor();
  await page.getByRole('button', { name: 'Menu' }).click();
  assert.equal(await page.getByRole('link', { name: 'Engine status' }).count(), 0);
  await leave(page);
});
