import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, PHONE, visitor } from './support/browser.mjs';

test('on a phone every page fits the width, and the menu links to all pages', async () => {
  const page = await visitor(shared.url, { viewport: PHONE });
  await page.getByRole('button', { name: 'Menu' }).click();
  await isFine(page, 'phone-menu');
  const names = await page.getByRole('dialog').getByRole('navigation').getByRole('link').allTextContents();
  assert.equal(names.length, 18);
  await page.getByRole('button', { name: 'Close' }).click();
  for (const name of names) {
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.ok(wide <= shown, `${name} is ${wide} wide on a screen of ${shown}`);
    await isFine(page, `phone-${name.toLowerCase().replaceAll(' ', '-')}`);
  }
  await leave(page);
});

test('on a phone a log entry opens and closes', async () => {
  const page = await visitor(shared.url, { viewport: PHONE, path: '/logs?username=eve' });
  await page.getByRole('row').nth(1).getByRole('link').click();
  await page.getByRole('dialog').getByText('Reason:').waitFor();
  await isFine(page, 'phone-entry');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await leave(page);
});
