import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, visit, visitor } from './support/browser.mjs';
import { as, OWNER } from './support/service.mjs';

test('signing in, opening a page and opening a log entry work without a mouse', async () => {
  const page = await visit(shared.url);
  await page.goto('/');
  await page.locator('[name=username]:focus').waitFor();
  await page.keyboard.type(OWNER.username);
  await page.keyboard.press('Tab');
  await page.keyboard.type(OWNER.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Page or command' }).waitFor();
  await isFine(page, 'palette');
  await page.keyboard.type('live');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Live logs' }).waitFor();
  await page.getByRole('row').nth(1).getByRole('link').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await leave(page);
});

test('the first tab stop skips the navigation', async () => {
  const page = await visitor(shared.url);
  await page.reload();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to content');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'content');
  await leave(page);
});

test('the selected theme survives a reload', async () => {
  const page = await visitor(shared.url);
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await ground(), 'rgb(13, 15, 19)');
  await page.reload();
  assert.equal(await ground(), 'rgb(13, 15, 19)');
  await leave(page);
});

test('the palette finds policies, projects, users, and log entries by identifier', async () => {
  const owner = await as(shared.url);
  const {
    logs: [entry],
  } = await owner('GET', '/api/logs?username=eve&limit=1');
  const page = await visitor(shared.url);
  const find = async (text, option) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page or command' }).fill(text);
    await page.getByRole('option', { name: option, selected: true }).waitFor();
    if (option.includes('Policy')) await isFine(page, 'palette-found');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Page or command' }).waitFor({ state: 'detached' });
  };
  await find('support policy', 'Support desk Policy');
  await page.getByRole('heading', { name: 'Support desk', level: 1 }).waitFor();
  await find(shared.projectId, 'Support chat Project');
  await page.getByRole('heading', { name: 'Support chat', level: 1 }).waitFor();
  await find('vera', 'vera User');
  await page.getByRole('dialog', { name: 'Edit vera' }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(/users$/);
  await find(entry.log_id, `Open log entry ${entry.log_id}`);
  await page.getByRole('dialog').getByText('Correlation ID').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Page or command' }).fill('nothing like this');
  await page.getByRole('option', { name: 'Search the log for “nothing like this”' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/logs\?q=nothing/);
  await leave(page);
});

test('keys search, move through entries and list themselves', async () => {
  const page = await visitor(shared.url, { path: '/logs' });
  const focused = () =>
    page.evaluate(() => document.activeElement.closest('[role=row]')?.getAttribute('aria-rowindex'));
  await page.getByRole('row').nth(1).waitFor();
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement.type), 'search');
  await page.keyboard.type('jk?');
  assert.equal(await page.getByLabel('Filter', { exact: true }).inputValue(), 'jk?');
  await page.getByLabel('Filter', { exact: true }).fill('');
  await page.getByRole('heading', { name: 'Live logs' }).click();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await isFine(page, 'shortcuts');
  await page.keyboard.press('Escape');
  const rows = [];
  for (const key of ['j', 'j', 'j', 'k']) {
    await page.keyboard.press(key);
    rows.push(await focused());
  }
  assert.deepEqual(rows, ['2', '3', '4', '3']);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('Correlation ID').waitFor();
  const opened = page.url();
  await page.keyboard.press('j');
  await page.waitForFunction((before) => location.href !== before, opened);
  await page.keyboard.press('k');
  await page.waitForURL(opened);
  await leave(page);
});
