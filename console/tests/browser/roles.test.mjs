import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, visitor } from './support/browser.mjs';
import { as } from './support/service.mjs';

const VERA = { username: 'vera', password: 'Correct-horse-9' };

test('a viewer sees the permitted pages, and which permission other pages need', async () => {
  const page = await visitor(shared.url, { user: VERA });
  const names = await page.getByRole('navigation').getByRole('link').allTextContents();
  assert.deepEqual(names, [
    'Dashboard',
    'Live logs',
    'Tickets',
    'Alerts',
    'Policies',
    'Evaluation',
    'Playground',
    'Projects',
    'Gateway and clients',
    'Connectors',
    'Organization settings',
    'Credits',
  ]);
  await page.goto('/users');
  await page.getByText('USERS:VIEW_USER').waitFor();
  await isFine(page, 'no-access');
  await page.goto('/policies');
  await page.getByRole('link', { name: 'Support desk' }).click();
  await page.getByText('Your role can view policies but not change them.').waitFor();
  assert.equal(await page.getByRole('article', { name: 'Toxicity' }).getByLabel('Action').isDisabled(), true);
  assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0);
  await page.goto('/playground');
  await page.getByRole('img', { name: /Safety score/ }).waitFor();
  assert.equal(await page.getByRole('tab', { name: 'Masking' }).count(), 0);
  await leave(page);
});

test('a custom role opens the pages that it permits, and is not deleted while in use', async () => {
  const page = await visitor(shared.url, { path: '/roles' });
  await page.getByRole('button', { name: 'Create role' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('auditor');
  await page.getByLabel(/the audit trail$/).check();
  await isFine(page, 'role-new');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('columnheader', { name: 'auditor' }).waitFor();
  const owner = await as(shared.url);
  await owner('POST', '/api/users', { username: 'otto', password: 'Correct-horse-9', role: 'auditor' });
  const otto = await visitor(shared.url, { user: { username: 'otto', password: 'Correct-horse-9' }, path: '/audit' });
  await otto.getByRole('row', { name: /Role created/ }).first().waitFor();
  assert.deepEqual(await otto.getByRole('navigation').getByRole('link').allTextContents(), [
    'Playground',
    'Organization settings',
    'Audit trail',
  ]);
  await leave(otto);
  await page.getByRole('button', { name: 'Delete auditor' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alert').waitFor();
  await leave(page);
});
