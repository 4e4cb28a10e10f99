import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, PHONE, visit } from './support/browser.mjs';
import { as } from './support/service.mjs';

test('the API reference is searched, and sends test calls with a key', async () => {
  const owner = await as(shared.url);
  const { api_key } = await owner('POST', '/api-keys/create?name=reference');
  const page = await visit(shared.url);
  await page.goto('/docs#logs_list');
  await page.getByRole('heading', { name: 'Try it' }).waitFor();
  await isFine(page, 'docs');
  await page.keyboard.press('/');
  await page.keyboard.type('evaluate prompt');
  const operation = page.locator('details[id]:visible').filter({ hasText: '/v2/guardengine/svc_firewall_analyze' });
  await operation.first().locator('summary').first().click();
  const body = operation.first().getByLabel('Body');
  assert.ok('prompt' in JSON.parse(await body.inputValue()));
  await body.fill(JSON.stringify({ prompt: 'Hello', projectId: shared.projectId }));
  const send = operation.first().getByRole('button', { name: 'Send POST' });
  await send.click();
  await operation
    .first()
    .getByText(/^Status 401,/)
    .waitFor();
  await page.getByLabel('API key for test calls').fill(api_key);
  await send.click();
  const shown = operation.first().getByText(/^Status 200,/);
  await shown.waitFor();
  assert.match(await shown.textContent(), /"overall_decision": "allow"/);
  assert.equal(new URL(page.url()).hash, `#${await operation.first().getAttribute('id')}`);
  await page.getByLabel('Search').fill('nothing like this');
  assert.equal(await page.locator('details[id]:visible').count(), 0);
  await leave(page);
});

test('parameters of paths and queries are sent, and the reference fits a phone', async () => {
  const owner = await as(shared.url);
  const { api_key } = await owner('POST', '/api-keys/create?name=phone');
  const page = await visit(shared.url, { viewport: PHONE });
  await page.goto('/docs#projects_get');
  const operation = page.locator('#projects_get');
  await page.getByLabel('API key for test calls').fill(api_key);
  await operation.getByLabel('projectId *').fill(shared.projectId);
  await operation.getByRole('button', { name: 'Send GET' }).click();
  assert.match(await operation.getByText(/^Status 200,/).textContent(), /"projectName": "Support chat"/);
  const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(wide <= shown, `${wide} on ${shown}`);
  await isFine(page, 'phone-docs');
  await leave(page);
});
