import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, PHONE, visitor } from './support/browser.mjs';
import { as } from './support/service.mjs';

const column = (page, number) => page.getByRole('row').locator(`td:nth-child(${number})`).allTextContents();

async function download(page) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  return [
    file.suggestedFilename(),
    readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n'),
  ];
}

test('a table is sorted by its heads and downloaded as shown', async () => {
  const owner = await as(shared.url);
  for (const name of ['key 10', 'key 2', '=1+1'])
    await owner('POST', `/api-keys/create?name=${encodeURIComponent(name)}`);
  const page = await visitor(shared.url, { path: '/keys' });
  const head = page.getByRole('columnheader', { name: 'Name' });
  await head.getByRole('button').click();
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  const names = ['=1+1', 'key 2', 'key 10', 'Support chat, production'];
  assert.deepEqual(await column(page, 1), names);
  await isFine(page, 'table-sorted');
  await head.getByRole('button').click();
  assert.equal(await head.getAttribute('aria-sort'), 'descending');
  assert.deepEqual(await column(page, 1), names.toReversed());
  const [file, lines] = await download(page);
  assert.equal(file, 'guardengine-api-keys.csv');
  assert.match(lines[0], /^Name,Starts with,Status,/);
  assert.deepEqual(
    lines.slice(1).map((line) => line.match(/^(?:"[^"]*"|[^,]*)/)[0].replaceAll('"', '')),
    ['Support chat, production', 'key 10', 'key 2', "'=1+1"],
  );
  await head.getByRole('button').click();
  assert.equal(await head.getAttribute('aria-sort'), null);
  await leave(page);
});

test('on a phone a table is sorted below it', async () => {
  const page = await visitor(shared.url, { path: '/users', viewport: PHONE });
  await page.getByText(/^\d entries$/).waitFor();
  await page.getByLabel('Sort by').selectOption('Username, descending');
  const shown = (await column(page, 1)).map((text) => text.split(' ')[0]);
  assert.deepEqual(shown, shown.toSorted().toReversed());
  await isFine(page, 'phone-table');
  await leave(page);
});

test('a table with more entries than are loaded reports it', async () => {
  const page = await visitor(shared.url, { path: '/users' });
  await page.route('**/api/users?*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), next_cursor: '019f0000-0000-7000-8000-000000000000' } });
  });
  await page.reload();
  await page.getByText('2 entries loaded. The order and the CSV file cover these.').waitFor();
  await leave(page);
});

test('the permissions by role are downloaded with a column for each role', async () => {
  const page = await visitor(shared.url, { path: '/roles' });
  await page.getByRole('table').getByText('View the dashboard').waitFor();
  const [file, lines] = await download(page);
  assert.equal(file, 'guardengine-permissions-by-role.csv');
  assert.match(lines[0], /^Permission,Description,owner,admin,.*,reviewer$/);
  const row = lines.find((line) => line.startsWith('USERS:DELETE_USER,'));
  assert.equal(row, 'USERS:DELETE_USER,Remove users,Yes,No,No,No,No,No');
  await leave(page);
});
