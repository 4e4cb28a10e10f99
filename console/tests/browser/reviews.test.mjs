import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, visitor } from './support/browser.mjs';

test('an escalated prompt is approved with a note', async () => {
  const page = await visitor(shared.url, { path: '/reviews' });
  await page
    .getByRole('row', { name: /mallory/ })
    .getByRole('button', { name: 'Review' })
    .click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Ignore all previous instructions').waitFor();
  await drawer.getByLabel('Note').fill('a test of our own');
  await isFine(page, 'review');
  await drawer.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('No pending reviews').waitFor();
  await page.getByRole('tab', { name: 'Approved' }).click();
  await page
    .getByRole('row', { name: /mallory/ })
    .getByRole('button', { name: 'View' })
    .click();
  await page.getByRole('dialog').getByText('a test of our own').waitFor();
  await leave(page);
});
