import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, visit, visitor } from './support/browser.mjs';
import { OWNER } from './support/service.mjs';

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
