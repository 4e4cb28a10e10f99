import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFine, visitor } from './support/browser.mjs';
import { seed } from './support/seed.mjs';
import { start } from './support/service.mjs';

test('an outage is shown, marks numbers as old, and ends by itself', { timeout: 120_000 }, async () => {
  const service = await start();
  await seed(service.url);
  const page = await visitor(service.url);
  await page.getByRole('link', { name: /^Requests 19/ }).waitFor();
  await service.crash();
  const banner = page.getByRole('status').filter({ hasText: /^Disconnected, retrying/ });
  await banner.waitFor({ timeout: 20_000 });
  assert.match(await banner.textContent(), /Last updated .*\d\d:\d\d:\d\d/);
  await page.getByText(/^Not current/).waitFor();
  assert.ok(await page.locator('#content[data-stale]').count());
  await isFine(page, 'outage');
  // A page that was never opened keeps the frame, and opens once the service is back.
  await page.getByRole('link', { name: 'Users' }).click();
  // Its code may have been loaded ahead, and its data not.
  await page
    .getByText(/The service does not answer|The page cannot be loaded/)
    .first()
    .waitFor();
  await page.getByText(/^Not current/).waitFor({ state: 'detached' });
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).waitFor();
  await service.recover();
  await page.getByRole('cell', { name: 'vera', exact: true }).waitFor({ timeout: 40_000 });
  await banner.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('link', { name: /^Requests 19/ }).waitFor();
  assert.equal(await page.locator('#content[data-stale]').count(), 0);
  await page.context().close();
  await service.stop();
});

test('a page whose file cannot be loaded keeps the frame and opens when it can', { timeout: 60_000 }, async () => {
  const service = await start();
  await seed(service.url);
  const page = await visitor(service.url, {
    before: (opened) => opened.route('**/assets/Users-*.js', (route) => route.abort()),
  });
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByText('The page cannot be loaded').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).waitFor();
  await page.unroute('**/assets/Users-*.js');
  await page.getByRole('cell', { name: 'vera', exact: true }).waitFor({ timeout: 20_000 });
  await page.context().close();
  await service.stop();
});

test('a failed change during an outage is reported, and not sent later', { timeout: 60_000 }, async () => {
  const service = await start();
  await seed(service.url);
  const page = await visitor(service.url, { path: '/users' });
  await page.getByRole('button', { name: 'Create user' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Username').fill('late');
  await dialog.getByLabel('Password').fill('Correct-horse-9');
  await service.crash();
  await dialog.locator('button[type=submit]').click();
  await dialog.getByRole('alert').getByText('The server cannot be reached.').waitFor({ timeout: 20_000 });
  await service.recover();
  await page.getByText(/^Disconnected/).waitFor({ state: 'detached', timeout: 40_000 });
  await page.waitForTimeout(1_000);
  assert.equal(await page.getByRole('cell', { name: 'late', exact: true }).count(), 0);
  await page.context().close();
  await service.stop();
});
