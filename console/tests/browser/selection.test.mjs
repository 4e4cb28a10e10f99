import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, visitor } from './support/browser.mjs';
import { as } from './support/service.mjs';

test('a range of log entries gets feedback at once, with a way back that keeps earlier notes', async () => {
  const owner = await as(shared.url);
  const { logs } = await owner('GET', '/api/logs?limit=5');
  const [, noted] = logs;
  const note = 'a word of our trade';
  await owner('PUT', `/api/logs/${noted.log_id}/mark`, { mark: 'false_positive', note });
  const marks = async () => (await owner('GET', '/api/logs?limit=5')).logs.map(({ mark }) => mark ?? null);
  const page = await visitor(shared.url, { path: '/logs' });
  const boxes = page.getByRole('cell').getByRole('checkbox');
  await boxes.nth(0).click();
  await boxes.nth(2).click({ modifiers: ['Shift'] });
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByText('3 entries selected').waitFor();
  await isFine(page, 'logs-selected');
  await bar.getByRole('button', { name: 'Missed attack' }).click();
  await page.getByText('Feedback saved for 3 entries.').waitFor();
  assert.deepEqual(await marks(), ['missed_attack', 'missed_attack', 'missed_attack', null, null]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Feedback restored.').waitFor();
  assert.deepEqual(await marks(), [null, 'false_positive', null, null, null]);
  assert.equal((await owner('GET', `/api/logs/${noted.log_id}`)).mark_note, note);
  await bar.getByRole('button', { name: 'Correct' }).click();
  await page.getByText('Feedback saved for 1 entry.').waitFor();
  assert.deepEqual(await marks(), [null, null, null, null, null]);
  await leave(page);
});

test('all loaded entries are selected, downloaded and deselected', async () => {
  const page = await visitor(shared.url, { path: '/logs?username=eve' });
  await page.getByText('4 entries loaded').waitFor();
  await page.getByRole('checkbox', { name: 'Select all loaded entries' }).click();
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByText('4 entries selected').waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    bar.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  assert.match(lines[0], /^Log ID,Time,Decision/);
  assert.equal(lines.filter((line) => line.includes(',eve,')).length, 4);
  await bar.getByRole('button', { name: 'Clear selection' }).click();
  await bar.waitFor({ state: 'detached' });
  // The checkbox does not open the entry; the rest of its line does.
  assert.equal(await page.getByRole('dialog').count(), 0);
  await leave(page);
});

test('feedback that fails for some entries says which and why', async () => {
  const page = await visitor(shared.url, { path: '/logs?username=ben' });
  await page.getByRole('checkbox', { name: 'Select all loaded entries' }).click();
  let calls = 0;
  await page.route('**/mark', (route) =>
    ++calls === 1 ? route.fulfill({ status: 404, json: { detail: 'log entry not found' } }) : route.continue(),
  );
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'False positive' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 entry could not be changed.').waitFor();
  await dialog.getByText('log entry not found').waitFor();
  await page.getByText('Feedback saved for 3 entries.').waitFor();
  await leave(page);
});
