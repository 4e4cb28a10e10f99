import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, visitor } from './support/browser.mjs';
import { as } from './support/service.mjs';

test('the trail names targets, shows changes as before and after, and opens an entry with its raw form', async () => {
  const page = await visitor(shared.url, { path: '/audit' });
  await page.getByLabel('Action').selectOption({ label: 'Policy updated' });
  await page.waitForURL(/action=FIREWALL_POLICIES/);
  const row = page.getByRole('row', { name: /Policy updated/ }).first();
  await row.getByRole('link', { name: 'Support desk' }).waitFor();
  await row.getByRole('deletion').getByText('10000').waitFor();
  await row.getByRole('insertion').getByText('8000').waitFor();
  assert.equal(await page.getByRole('row', { name: /Signed in/ }).count(), 0);
  await isFine(page, 'audit');
  await row.getByRole('link').first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('FIREWALL_POLICIES:UPDATE_POLICY', { exact: true }).waitFor();
  await drawer.getByText('Stored entry', { exact: true }).click();
  await drawer.getByText(/"previous_hash": "[0-9a-f]{64}"/).waitFor();
  await isFine(page, 'audit-entry');
  const address = page.url();
  assert.match(address, /entry=\d+/);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  // The address of an entry opens it, also if it is not among the loaded ones.
  await page.goto(address.replace(/action=[^&]*/, 'action=SESSIONS%3ASIGN_OUT'));
  await drawer.getByText('Policy updated').waitFor();
  await page.keyboard.press('j');
  await drawer.getByText('FIREWALL_POLICIES:UPDATE_POLICY', { exact: true }).waitFor({ state: 'detached' });
  await drawer.getByRole('link', { name: 'Support desk' }).first().waitFor({ state: 'detached' });
  await leave(page);
});

test('the principal is picked by name, API keys too', async () => {
  const owner = await as(shared.url);
  const { api_key } = await owner('POST', '/api-keys/create?name=Auditor');
  await fetch(`${shared.url}/api-keys/create?name=made-by-a-key`, {
    method: 'POST',
    headers: { 'X-API-Key': api_key },
  });
  const page = await visitor(shared.url, { path: '/audit' });
  const principal = page.getByLabel('Principal');
  await principal.selectOption({ label: 'Auditor' });
  await page.waitForURL(/principal=api_key/);
  await principal.selectOption({ label: 'admin' });
  await page.waitForURL(/principal=user%3Aadmin/);
  await page
    .getByRole('row', { name: /API key created/ })
    .first()
    .waitFor();
  await leave(page);
});

test('the trail is verified, and a stored head is compared', async () => {
  const owner = await as(shared.url);
  const { ends_with, head_hash } = await owner('GET', '/api/audit/verify');
  const page = await visitor(shared.url, { path: '/audit' });
  await page.getByRole('button', { name: 'Verify' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Every entry is as it was written.').waitFor();
  await dialog.getByText(/\d+ entries checked, numbers 1 to \d+\./).waitFor();
  await dialog.getByLabel('Compare with a stored head').fill(`${ends_with}:${head_hash}`);
  await dialog.getByRole('button', { name: 'Compare' }).click();
  await dialog.getByText('The trail contains the stored head.').waitFor();
  await isFine(page, 'audit-verify');
  await dialog.getByLabel('Compare with a stored head').fill(`${ends_with}:${'0'.repeat(64)}`);
  await dialog.getByRole('button', { name: 'Compare' }).click();
  await dialog.getByText('entries were cut off or replaced').waitFor();
  await leave(page);
});

test('an altered trail shows where it breaks, and leads there', async () => {
  const page = await visitor(shared.url, { path: '/audit' });
  await page.route('**/api/audit/verify*', (route) =>
    route.fulfill({
      json: {
        sound: false,
        first_altered: 2,
        begins_after: 0,
        ends_with: 9,
        head_hash: 'a'.repeat(64),
        keyed_from: 1,
        head: null,
      },
    }),
  );
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('Entry 2 was altered or is missing.').waitFor();
  await page.getByRole('button', { name: 'Show the entries around it' }).click();
  await page.getByRole('heading', { name: 'Audit entry 2' }).waitFor();
  await leave(page);
});

test('every page of the filtered entries is exported, as CSV and JSON, and the export can be canceled', async () => {
  const owner = await as(shared.url);
  const page = await visitor(shared.url, { path: '/audit?action=FIREWALL_POLICIES%3ACREATE_POLICY' });
  const { entries } = await owner('GET', '/api/audit?action=FIREWALL_POLICIES:CREATE_POLICY');
  // Small pages, as if there were many entries.
  await page.route('**/api/audit?*limit=500*', (route) =>
    route.continue({ url: route.request().url().replace('limit=500', 'limit=1') }),
  );
  const exported = async (format) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: format }).click(),
    ]);
    return readFile(await file.path(), 'utf8');
  };
  const records = JSON.parse(await exported(/JSON/));
  assert.deepEqual(
    records.map(({ hash }) => hash),
    entries.map(({ hash }) => hash),
  );
  const csv = await exported(/CSV/);
  assert.equal(csv.trim().split('\r\n').length, entries.length + 1);
  await page.getByText(`${entries.length} entries exported.`).first().waitFor();
  await page.unroute('**/api/audit?*limit=500*');
  let second;
  await page.route('**/api/audit?*limit=500*', async (route) => {
    if (route.request().url().includes('cursor=')) return new Promise((done) => (second = done));
    return route.continue({ url: route.request().url().replace('limit=500', 'limit=1') });
  });
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /JSON/ }).click();
  await page.getByText('1 entry loaded').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Export canceled.').waitFor();
  await page.unroute('**/api/audit?*limit=500*', { behavior: 'ignoreErrors' });
  second?.();
  await leave(page);
});
