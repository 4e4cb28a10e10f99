import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, visitor } from './support/browser.mjs';
import { as } from './support/service.mjs';

test('a project is created, gets a member and is deleted', async () => {
  const page = await visitor(shared.url, { path: '/projects' });
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByLabel('Name').fill('Short-lived');
  await page.getByLabel('Log content').selectOption('none');
  await isFine(page, 'project-new');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const row = page.getByRole('row', { name: /Short-lived/ });
  await row.getByRole('cell', { name: 'None', exact: true }).waitFor();
  await row.getByRole('button', { name: 'Members' }).click();
  await page.getByLabel('Username').fill('nobody at all');
  await page.getByRole('button', { name: 'Add member' }).click();
  await page.getByRole('alert').getByText('user not found').waitFor();
  await page.getByLabel('Username').fill('vera');
  await page.getByRole('button', { name: 'Add member' }).click();
  await page.getByRole('cell', { name: 'vera', exact: true }).waitFor();
  await isFine(page, 'project-members');
  await page.getByRole('button', { name: 'Remove vera' }).click();
  await page.getByRole('cell', { name: 'vera', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Close' }).click();
  await row.getByRole('button', { name: /Delete/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await row.waitFor({ state: 'detached' });
  await leave(page);
});

test('a project is set to continue without the database, and back', async () => {
  const owner = await as(shared.url);
  const setting = async () => (await owner('GET', `/api/project/${shared.projectId}`)).on_store_failure;
  const page = await visitor(shared.url, { path: '/projects' });
  const row = page.getByRole('row', { name: /Support chat/ });
  const change = async (choice) => {
    await row.getByRole('button', { name: 'Edit Support chat' }).click();
    await page.getByLabel('If the database is unavailable').selectOption({ label: choice });
    await page.getByText('logged and charged later').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  assert.equal(await setting(), 'refuse');
  await change('Continue and log later');
  await row.getByText('Continues without the database').waitFor();
  assert.equal(await setting(), 'spool');
  await isFine(page, 'project-continues');
  await change('Refuse requests');
  await row.getByText('Continues without the database').waitFor({ state: 'detached' });
  assert.equal(await setting(), 'refuse');
  await leave(page);
});

test('models are routed to connectors, an error names the field, and a routed connector stays', async () => {
  const owner = await as(shared.url);
  const stored = async () => (await owner('GET', `/api/project/${shared.projectId}`)).gateway;
  const model = async (name) =>
    (await owner('POST', '/api/connectors/openai', { name, api_key: 'sk-none', model: 'gpt-5' })).id;
  const [first, spare] = [await model('First model'), await model('Spare model')];
  const page = await visitor(shared.url, { path: '/projects' });
  const open = () => page.getByRole('button', { name: 'Edit Support chat' }).click();
  const save = () => page.getByRole('button', { name: 'Save' }).click();
  await open();
  await page.getByText('Gateway', { exact: true }).click();
  await page.getByRole('button', { name: 'Add route' }).click();
  await page.getByRole('button', { name: 'Add route' }).click();
  await page.getByLabel('Model of route 1', { exact: true }).fill('');
  await page.getByLabel('Connector of route 1').selectOption('Spare model');
  await page.getByLabel('Upstream model of route 1').fill('gpt-5-mini');
  await page.getByLabel('Fallback of route 1').selectOption('First model');
  await page.getByLabel('Answer to blocked calls').selectOption({ label: 'Error with status 400' });
  await save();
  const field = page.getByRole('row').filter({ has: page.getByLabel('Model of route 1', { exact: true }) });
  await field.getByText('Must have 1 to 200 characters').waitFor();
  await isFine(page, 'project-gateway');
  await page.getByLabel('Model of route 1', { exact: true }).fill('gpt-*');
  await field.getByText('Must have 1 to 200 characters').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove route 2' }).click();
  await save();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const route = {
    model: 'gpt-*',
    connector_id: spare,
    upstream_model: 'gpt-5-mini',
    fallback_connector_id: first,
  };
  assert.deepEqual(await stored(), { routes: [route], on_block: 'error' });
  await assert.rejects(owner('DELETE', `/api/connectors/${first}`), /409.*connector in use by projects: Support chat/);

  // Other changes keep the routes.
  await open();
  await page.getByText('Gateway: 1 route').waitFor();
  await save();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.deepEqual((await stored()).routes, [route]);
  await open();
  await page.getByRole('button', { name: 'Remove route 1' }).click();
  await save();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await stored(), null);
  for (const id of [first, spare]) await owner('DELETE', `/api/connectors/${id}`);
  await leave(page);
});

test('an API key is revoked and shown as revoked', async () => {
  const owner = await as(shared.url);
  const { api_key } = await owner('POST', '/api-keys/create?name=to%20revoke');
  const page = await visitor(shared.url, { path: '/keys' });
  await page.getByRole('button', { name: 'Revoke to revoke' }).click();
  await isFine(page, 'key-revoke');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page
    .getByRole('row', { name: /to revoke/ })
    .getByText('revoked')
    .waitFor();
  const refused = await fetch(`${shared.url}/api/organization`, { headers: { 'X-API-Key': api_key } });
  assert.equal(refused.status, 401);
  await leave(page);
});

test('an API key is limited to a project and to chosen permissions', async () => {
  const page = await visitor(shared.url, { path: '/keys' });
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByLabel('Name').fill('chat only');
  await page.getByLabel('Project').selectOption({ label: 'Support chat' });
  await page.getByLabel('Permissions').selectOption({ label: 'Chosen permissions' });
  await page.getByLabel(/^Evaluate responses/i).uncheck();
  await isFine(page, 'key-scope');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const key = await page.getByTestId('api-key').textContent();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  const row = page.getByRole('row', { name: /chat only/ });
  await row.getByText('Support chat').waitFor();
  await row.getByText('2 permissions').waitFor();
  const ask = (path, body) =>
    fetch(`${shared.url}${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const asked = await ask('/v2/guardengine/svc_firewall_analyze', { prompt: 'Hello' });
  assert.equal(asked.status, 200);
  const refused = await ask('/v2/guardengine/svc_firewall_validate', { response: 'Hello' });
  assert.equal(refused.status, 403);
  await leave(page);
});

test('requests without a project are refused when the organization says so', async () => {
  const owner = await as(shared.url);
  const setting = async () => (await owner('GET', '/api/organization')).require_project;
  const page = await visitor(shared.url, { path: '/organization' });
  const toggle = page.getByRole('switch', { name: 'Refuse guard requests without a project' });
  await toggle.click();
  await page.getByText('They are refused with status 422.').waitFor();
  assert.equal(await setting(), true);
  await isFine(page, 'require-project');
  await toggle.click();
  await page.getByText('The built-in policy decides about them.').waitFor();
  assert.equal(await setting(), false);
  await leave(page);
});

test('the credits page shows what a call costs', async () => {
  const owner = await as(shared.url);
  const { unit } = await owner('GET', '/api/credits');
  const page = await visitor(shared.url, { path: '/credits' });
  await page.getByText(`for each started ${unit.toLocaleString('en')} characters`).waitFor();
  await isFine(page, 'credits-prices');
  await leave(page);
});

test('a user is created with a valid password, edited and removed', async () => {
  const page = await visitor(shared.url, { path: '/users' });
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByLabel('Username').fill('nina');
  await page.getByLabel('Password').fill('weak');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('Must have at least 8 characters').waitFor();
  assert.equal(await page.getByLabel('Password').evaluate((field) => field === document.activeElement), true);
  await isFine(page, 'user-refused');
  await page.getByLabel('Password').fill('Correct-horse-9');
  await page.getByLabel('Username').fill('VERA');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('This username is taken. Choose another one.').waitFor();
  assert.equal(await page.getByLabel('Username').evaluate((field) => field === document.activeElement), true);
  await page.getByLabel('Username').fill('nina');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const row = page.getByRole('row', { name: /nina/ });
  await row.getByRole('button', { name: /Edit/ }).click();
  await page.getByLabel('Role').selectOption('analyst');
  await page.getByRole('button', { name: 'Save' }).click();
  await row.getByRole('cell', { name: 'analyst' }).waitFor();
  await row.getByRole('button', { name: /Remove/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
  await leave(page);
});

test('a ledger entry links to its request', async () => {
  const page = await visitor(shared.url, { path: '/credits' });
  await page.getByRole('link', { name: 'View request' }).last().click();
  await page.getByRole('dialog').getByText('Correlation ID').waitFor();
  await leave(page);
});

test('a password is changed, and the old one no longer works', async () => {
  const owner = await as(shared.url);
  await owner('POST', '/api/users', { username: 'paul', password: 'Correct-horse-9', role: 'viewer' });
  const page = await visitor(shared.url, { user: { username: 'paul', password: 'Correct-horse-9' }, path: '/profile' });
  const fill = async (current, next, again) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password', { exact: true }).fill(next);
    await page.getByLabel('Repeat new password').fill(again);
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await fill('Correct-horse-9', 'Other-horse-10', 'Other-horse-11');
  await page.getByRole('alert').getByText('do not match').waitFor();
  await fill('Wrong-horse-9', 'Other-horse-10', 'Other-horse-10');
  await page.getByRole('alert').getByText('current_password: does not match').waitFor();
  await fill('Correct-horse-9', 'Other-horse-10', 'Other-horse-10');
  await page.getByText('Password changed.').waitFor();
  const old = await fetch(`${shared.url}/token`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'paul', password: 'Correct-horse-9' }),
  });
  assert.equal(old.status, 401);
  await leave(page);
});
