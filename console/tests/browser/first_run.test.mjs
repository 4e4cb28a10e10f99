import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFine, leave, visitor } from './support/browser.mjs';
import { start } from './support/service.mjs';

test('a new owner goes from the first sign-in to the first blocked prompt', async () => {
  const service = await start();
  const page = await visitor(service.url);
  await page.getByText('0 of 4 done').waitFor();
  await isFine(page, 'getting-started');

  await page.getByRole('link', { name: /Create a policy/ }).click();
  await page.getByText('No policies yet').waitFor();
  await isFine(page, 'policies-empty');
  await page.getByRole('button', { name: 'Create policy' }).first().click();
  await page.getByLabel('Name').fill('Support desk');
  await isFine(page, 'policy-new');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: 'Support desk' }).waitFor();

  await page.getByRole('link', { name: 'Projects' }).click();
  await page.getByRole('button', { name: 'Create project' }).first().click();
  await page.getByLabel('Name').fill('Chat');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('link', { name: 'Chat', exact: true }).waitFor();

  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  await page.getByLabel('Name').fill('chat');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const key = await page.getByTestId('api-key').textContent();
  assert.match(key, /^ge_.{32}/);
  await page.getByRole('button', { name: 'Copy API key' }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('cell', { name: 'active' }).waitFor();
  assert.equal((await page.content()).includes(key), false);

  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByText('3 of 4 done').waitFor();
  await page.getByRole('link', { name: /Block an attack/ }).click();
  await page.getByLabel('Policy', { exact: true }).selectOption({ label: 'Chat' });
  await page.getByRole('button', { name: 'Send live (costs credits, logged)' }).click();
  await page.getByRole('link', { name: 'View log entry' }).click();
  await page.getByRole('dialog').getByText('Reason:').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('link', { name: /^Blocked 1/ }).waitFor();
  await page.getByText('Getting started').waitFor({ state: 'detached' });
  await leave(page);
  await service.stop();
});
