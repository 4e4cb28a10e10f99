import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, PHONE, visitor } from './support/browser.mjs';
import { as } from './support/service.mjs';

const TILES = ['Requests', 'Allowed', 'Blocked', 'Masked'];

/** Counts the log entries of an address of the live logs. */
async function entriesAt(address) {
  const owner = await as(new URL(address).origin);
  const query = new URL(address).searchParams;
  query.set('limit', '500');
  const { logs, next_cursor } = await owner('GET', `/api/logs?${query}`);
  assert.equal(next_cursor, null);
  return logs;
}

const numberOf = (text) => Number(text.replaceAll(',', ''));

test('the list opens a project, whose numbers are those of the log', async () => {
  const page = await visitor(shared.url, { path: '/projects' });
  await page.getByRole('link', { name: 'Support chat', exact: true }).click();
  await page.getByRole('heading', { name: 'Support chat', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Support desk' }).waitFor();
  await page
    .getByText(/^version \d+$/)
    .first()
    .waitFor();
  await page.getByText(shared.projectId).waitFor();
  const totals = page.getByRole('region', { name: 'Requests of the project' });
  for (const name of [...TILES, 'Credits']) {
    const tile = totals.getByRole('link', { name: new RegExp(`^${name}`) });
    const shown = numberOf(await tile.locator('.tabular').textContent());
    const entries = await entriesAt(await tile.evaluate((link) => link.href));
    const counted = name === 'Credits' ? entries.reduce((sum, { credits }) => sum + credits, 0) : entries.length;
    assert.equal(shown, counted, name);
  }
  await page.waitForLoadState('networkidle');
  await isFine(page, 'project');
  const blocked = totals.getByRole('link', { name: /^Blocked/ });
  const number = numberOf(await blocked.locator('.tabular').textContent());
  assert.ok(number > 0);
  await blocked.click();
  await page.getByText(`${number} entries loaded`).waitFor();
  await leave(page);
});

test('usage of a project by each property opens the entries that it counts', async () => {
  const page = await visitor(shared.url, { path: `/projects/${shared.projectId}` });
  const table = page.getByRole('region', { name: 'Usage', exact: true });
  for (const property of ['Application', 'User', 'API key']) {
    await page.getByLabel('Usage by').selectOption({ label: property });
    await table.getByRole('columnheader', { name: property }).waitFor();
    await page.waitForLoadState('networkidle');
    const links = await table
      .locator('a[href^="/logs?"]')
      .evaluateAll((all) => all.map((link) => [link.href, link.textContent]));
    assert.ok(property === 'API key' || links.length > 8, `${property}: ${links.length} links`);
    for (const [address, text] of links)
      assert.equal(numberOf(text), (await entriesAt(address)).length, `${property}: ${address}`);
  }
  await page.getByRole('row', { name: /Without an API key/ }).waitFor();
  await leave(page);
});

test('members are added and removed on the page of a project', async () => {
  const page = await visitor(shared.url, { path: `/projects/${shared.projectId}?tab=members` });
  await page.getByLabel('Username').fill('vera');
  await page.getByRole('button', { name: 'Add member' }).click();
  await page.getByRole('cell', { name: 'vera', exact: true }).waitFor();
  await isFine(page, 'project-page-members');
  await page.getByRole('button', { name: 'Remove vera' }).click();
  await page.getByRole('cell', { name: 'vera', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Gateway' }).click();
  await page.getByText('No routes yet').waitFor();
  await page.getByRole('tab', { name: 'Connect' }).click();
  await page.getByText(`"projectId":"${shared.projectId}"`).waitFor();
  await isFine(page, 'project-page-connect');
  await leave(page);
});

test('a project is edited and deleted on its page, and an unknown one is not found', async () => {
  const owner = await as(shared.url);
  const { projectId } = await owner('POST', '/api/project/create', { projectName: 'Pilot', policyId: shared.policyId });
  const page = await visitor(shared.url, { path: `/projects/${projectId}` });
  await page.getByText('No request was blocked in this period').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Name').fill('Second pilot');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Second pilot', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  assert.equal(await page.getByText('Second pilot').count(), 0);
  await page.goto(`/projects/${projectId}`);
  await page.getByText('Project not found').waitFor();
  await isFine(page, 'project-missing');
  await leave(page);
});

test('on a phone the sections of a project fit the width', async () => {
  const page = await visitor(shared.url, { viewport: PHONE, path: `/projects/${shared.projectId}` });
  for (const name of ['Overview', 'Members', 'Gateway', 'Connect']) {
    await page.getByRole('tab', { name }).click();
    await page.getByRole('tabpanel', { name }).waitFor();
    await page.waitForLoadState('networkidle');
    const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.ok(wide <= shown, `${name} is ${wide} wide on a screen of ${shown}`);
    await isFine(page, `phone-project-${name.toLowerCase()}`);
  }
  await leave(page);
});
