import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, PHONE, visit, visitor } from './support/browser.mjs';
import { as } from './support/service.mjs';

const PASSWORD = 'Correct-horse-9';

/** Invites through the API and returns the path of the link. */
async function linkOf(owner, role) {
  return (await owner('POST', '/api/invitations', { role })).link;
}

test('an invited person opens the link, joins and is signed in with the role', async () => {
  const page = await visitor(shared.url, { path: '/users' });
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByLabel('Role').selectOption('analyst');
  await page.getByLabel('Valid for').selectOption({ label: '7 days' });
  await page.getByLabel('Note (optional)').fill('for Ivy');
  await isFine(page, 'invite');
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByTestId('invitation-link').textContent();
  assert.match(link, /\/invitation#gi_[\w-]{43}$/);
  await page.getByRole('button', { name: 'Copy link' }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
  await isFine(page, 'invitation-link');
  // The link is shown once, so only the button closes it.
  await page.keyboard.press('Escape');
  await page.getByTestId('invitation-link').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page
    .getByRole('row', { name: /for Ivy/ })
    .getByText('admin')
    .waitFor();

  const guest = await visit(shared.url, { viewport: PHONE });
  await guest.goto(link);
  await guest.getByText('admin invites you to default. Your role will be analyst.').waitFor();
  assert.equal(await guest.evaluate(() => location.hash), '');
  await isFine(guest, 'invitation');
  // A reload, as after a change of the language, keeps the invitation.
  await guest.reload();
  await guest.getByLabel('Username').fill('vera');
  await guest.getByLabel('New password').fill(PASSWORD);
  await guest.getByRole('button', { name: 'Create account and join' }).click();
  await guest.getByText('This username is taken.').waitFor();
  await guest.getByLabel('Username').fill('ivy');
  await guest.getByLabel('New password').fill('weak');
  await guest.getByRole('button', { name: 'Create account and join' }).click();
  await guest.getByText('Must have at least 8 characters').waitFor();
  assert.equal(await guest.getByLabel('New password').evaluate((field) => field === document.activeElement), true);
  await isFine(guest, 'invitation-refused');
  await guest.getByLabel('New password').fill(PASSWORD);
  await guest.getByRole('button', { name: 'Create account and join' }).click();
  await guest.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  await guest.goto('/profile');
  await guest.locator('#content').getByText('analyst', { exact: true }).waitFor();
  await leave(guest);

  await page.reload();
  await page.getByRole('row', { name: /ivy/ }).getByRole('cell', { name: 'analyst' }).waitFor();
  assert.equal(await page.getByRole('row', { name: /for Ivy/ }).count(), 0);
  await leave(page);
});

test('a revoked or used link says so, also when it is opened in the same tab', async () => {
  const owner = await as(shared.url);
  const [first, second] = [await linkOf(owner, 'viewer'), await linkOf(owner, 'developer')];
  const page = await visitor(shared.url, { path: '/users' });
  const row = page.getByRole('row', { name: /developer/ }).filter({ hasText: 'Revoke' });
  await row.getByRole('button', { name: /Revoke/ }).click();
  await isFine(page, 'invitation-revoke');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row.waitFor({ state: 'detached' });
  const guest = await visit(shared.url);
  await guest.goto(second);
  await guest.getByText('This invitation is not valid').waitFor();
  await isFine(guest, 'invitation-closed');
  await guest.evaluate((hash) => (location.hash = hash), first.split('#')[1]);
  await guest.getByText('Your role will be viewer.').waitFor();
  await guest.getByRole('button', { name: 'Use an existing account' }).click();
  await guest.getByLabel('Username').fill('vera');
  await guest.getByLabel('Password').fill('Wrong-horse-9');
  await guest.getByRole('button', { name: 'Join', exact: true }).click();
  await guest.getByText('Wrong username or password.').waitFor();
  await guest.getByLabel('Password').fill(PASSWORD);
  await guest.getByRole('button', { name: 'Join', exact: true }).click();
  await guest.getByText('This account belongs to the organization already.').waitFor();
  await leave(guest);
  await leave(page);
});

test('the invitation page is in German and Spanish', async () => {
  const owner = await as(shared.url);
  for (const [locale, title] of [
    ['de-DE', 'Organisation beitreten'],
    ['es-ES', 'Unirse a una organización'],
  ]) {
    const guest = await visit(shared.url, { locale, viewport: PHONE });
    await guest.goto(await linkOf(owner, 'viewer'));
    await guest.getByRole('heading', { name: title }).waitFor();
    await isFine(guest, `invitation-${locale}`);
    await leave(guest);
  }
});

test('settings of the organization are saved, and a new project follows them', async () => {
  const owner = await as(shared.url);
  const before = await owner('GET', '/api/organization');
  const page = await visitor(shared.url, { path: '/organization' });
  await page.getByLabel('Log content of new projects').selectOption('none');
  await page.getByLabel('Name').fill('Renamed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved.').waitFor();
  await page.getByRole('button', { name: 'Copy organization ID' }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), before.org_id);
  await isFine(page, 'organization-saved');
  await page.goto('/projects');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByLabel('Name').fill('Follows');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const row = page.getByRole('row', { name: /Follows/ });
  await row.getByRole('cell', { name: 'None', exact: true }).waitFor();
  const { projects } = await owner('GET', '/api/project/list');
  const made = projects.find(({ projectName }) => projectName === 'Follows');
  await owner('DELETE', `/api/project/${made.projectId}`);
  await owner('PUT', '/api/organization', { name: before.name, default_log_content: null });
  await leave(page);
});

test('members without the permission see the settings but cannot change them', async () => {
  const page = await visitor(shared.url, { user: { username: 'vera', password: PASSWORD }, path: '/organization' });
  await page.getByText('Your role cannot change these settings.').waitFor();
  assert.equal(await page.getByLabel('Name').isDisabled(), true);
  await isFine(page, 'organization-read-only');
  await leave(page);
});
