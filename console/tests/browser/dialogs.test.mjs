import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { leave, PHONE, visitor } from './support/browser.mjs';

const focused = (page) => page.evaluate(() => document.activeElement?.tagName);

test('Escape closes only the dialog on top, and notes survive', async () => {
  const page = await visitor(shared.url, { path: '/logs?username=eve' });
  await page.getByRole('row').nth(1).getByRole('link').click();
  const drawer = page.getByRole('dialog', { name: /Request/ });
  await drawer.getByText('Reason:').waitFor();
  for (let round = 0; round < 2; round++) {
    await drawer.getByRole('button', { name: 'False positive' }).click();
    const note = page.getByRole('dialog', { name: 'Report as false positive' });
    await note.getByLabel('Note').fill('typed');
    // A click on text takes the focus away from every control.
    await note.getByRole('heading').click();
    await page.keyboard.press('Escape');
    await note.waitFor({ state: 'detached' });
    assert.ok(await drawer.isVisible());
    assert.match(page.url(), /entry=/);
    assert.equal(
      await drawer.getByRole('button', { name: 'False positive' }).evaluate((it) => it === document.activeElement),
      true,
    );
  }
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'A');
  await leave(page);
});

test('an open menu takes Escape before the dialog below it', async () => {
  const page = await visitor(shared.url);
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await leave(page);
});

test('the focus returns to what opened a dialog, and never to the document', async () => {
  const page = await visitor(shared.url, { path: '/users' });
  const open = page.getByRole('button', { name: 'Create user' }).first();
  for (const close of ['Escape', 'Cancel', 'Close']) {
    await open.click();
    await page.getByRole('dialog').waitFor();
    if (close === 'Escape') await page.keyboard.press('Escape');
    else await page.getByRole('dialog').getByRole('button', { name: close, exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await open.evaluate((it) => it === document.activeElement), true, close);
  }
  // Opened by its address, a drawer has no opener: the focus goes to the content.
  await page.goto('/logs?username=eve');
  await page.getByRole('row').nth(1).getByRole('link').click();
  await page.getByRole('dialog').getByText('Reason:').waitFor();
  await page.reload();
  await page.getByRole('dialog').getByText('Reason:').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'MAIN');
  await leave(page);
});

test('the menu of a phone gives the focus back to its button', async () => {
  const page = await visitor(shared.url, { viewport: PHONE });
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await menu.evaluate((it) => it === document.activeElement), true);
  await leave(page);
});
