import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFine, leave, visitor } from './support/browser.mjs';
import { start } from './support/service.mjs';

test('a new owner gets from the first sign-in to the first blocked prompt', async () => {
  const service = await start();
  const page = await visitor(service.url);
  await page.getByText('0 of 4 done').waitFor();
  await isFine(page, 'first-steps');

  await page.getByRole('link', { name: /Make a policy/ }).click();
  await page.getByText('No policy yet').waitFor();
  await isFine(page, 'policies-empty');
  await page.getByRole('button', { name: 'New policy' }).first().click();
  await page.getByLabel('Name').fill('Support desk');
  await isFine(page, 'policy-new');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Support desk' }).waitFor();

  await page.getByRole('link', { name: 'Projects' }).click();
  await page.getByRole('button', { name: 'New project' }).first().click();
  await page.getByLabel('Name').fill('Chat');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('link', { name: 'Chat', exact: true }).waitFor();

  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'New API key' }).first().click();
  await page.getByLabel('Name').fill('chat');
  await page.getByRole('button', { name: 'Create' }).click();
  const key = await page.getByTestId('api-key').textContent();
  assert.match(key, /^ge_.{32}/);
  await page.getByRole('button', { name: 'Copy the API key' }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('cell', { name: 'active' }).waitFor();
  assert.equal((await page.content()).includes(key), false);

  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByText('3 of 4 done').waitFor();
  await page.getByRole('link', { name: /See an attack blocked/ }).click();
  await page.getByLabel('Judged by').selectOption({ label: 'Chat' });
  await page.getByRole('button', { name: 'Send as an application' }).click();
  await page.getByRole('link', { name: 'See its row in the log' }).click();
  await page.getByRole('dialog').getByText('Decided by').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('link', { name: /^Blocked 1/ }).waitFor();
  await page.getByText('First steps').waitFor({ state: 'detached' });
  await leave(page);
  await service.stop();
});
