import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { leave, visitor } from './support/browser.mjs';

test('a bar links to the log entries of its hours', async () => {
  const page = await visitor(shared.url);
  await page.getByRole('figure', { name: 'Threats over time' }).getByRole('link').last().click();
  await page.getByRole('heading', { name: 'Live logs' }).waitFor();
  assert.match(page.url(), /from=.*to=/);
  await page.getByRole('cell', { name: 'block' }).first().waitFor();
  await leave(page);
});

test('a tile and a ranking link to the log entries that they count', async () => {
  const page = await visitor(shared.url);
  await page.getByRole('link', { name: /^Escalated/ }).click();
  await page.getByRole('cell', { name: 'mallory' }).waitFor();
  assert.equal(await page.getByRole('row').count(), 2);
  await page.goBack();
  await page.getByRole('link', { name: 'Toxicity' }).click();
  await page.getByRole('cell', { name: 'dora' }).first().waitFor();
  assert.match(page.url(), /guardrail=toxicity/);
  await leave(page);
});

test('project and period are in the address, and a policy change has a marker', async () => {
  const page = await visitor(shared.url);
  await page.getByRole('img', { name: /Policy changed by user:admin/ }).waitFor();
  await page.getByLabel('Period').selectOption({ label: 'Last 7 days' });
  await page.getByLabel('Project').selectOption({ label: 'Internal assistant' });
  await page.waitForURL(/hours=168/);
  await page.waitForURL(/project=/);
  await page.getByRole('link', { name: /^Requests 1/ }).waitFor();
  await leave(page);
});

test('the histogram counts every request, and shows how many reach a threshold', async () => {
  const page = await visitor(shared.url);
  await page.getByLabel('Guardrail').selectOption({ label: 'Toxicity' });
  const reaching = async (threshold) => {
    await page.getByLabel('Threshold to test').fill(threshold);
    const text = await page.getByText(new RegExp(`requests reach ${threshold}`)).textContent();
    return text
      .match(/(\d+) of (\d+)/)
      .slice(1)
      .map(Number);
  };
  const [high, all] = await reaching('0.95');
  const [low] = await reaching('0.05');
  assert.ok(high >= 1 && high <= low && low < all && all >= 18, `${high} ${low} ${all}`);
  await page.getByText(/\(dashed\): .*Support desk: 0\.75/).waitFor();
  await leave(page);
});
