import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { shared } from './shared.mjs';
import { isFine, leave, signIn, visit, visitor, watched } from './support/browser.mjs';
import { as, OWNER, start } from './support/service.mjs';

test('a wrong password shows the message of the server with its correlation ID', async () => {
  const page = await visit(shared.url);
  await signIn(page, { username: 'somebody', password: 'Wrong-horse-1' });
  const note = page.getByRole('alert');
  await note.getByText('invalid username or password').waitFor();
  await note.getByText('Correlation ID').waitFor();
  await isFine(page, 'sign-in-refused');
  await leave(page);
});

test('after five wrong passwords the lock is shown with the remaining time', async () => {
  const page = await visit(shared.url);
  for (let attempt = 0; attempt < 5; attempt++) {
    await fetch(`${shared.url}/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"username":"locked","password":"x"}',
    });
  }
  await signIn(page, { username: 'locked', password: 'Wrong-horse-1' });
  await page.getByText('too many failed attempts').waitFor();
  await page.getByText(/Try again in (10:00|9:\d\d)/).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Sign in' }).isDisabled(), true);
  await isFine(page, 'sign-in-locked');
  await leave(page);
});

test('a reload waits when others behind the same address have used up the rate limit', async () => {
  const page = await visitor(shared.url);
  let refused = 0;
  await page.route('**/refresh', async (route) => {
    if (refused++ > 0) return route.continue();
    await route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { detail: 'rate limit exceeded' } });
  });
  await page.reload();
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  await page.getByText('Top guardrails').waitFor();
  assert.equal(refused, 2);
  assert.equal(await page.getByText('rate limit exceeded').count(), 0);
  await leave(page);
});

test('a user of two organizations chooses one, and switches without a password', async () => {
  const owner = await as(shared.url);
  await owner('POST', '/api/users', { username: 'two', password: OWNER.password, role: 'viewer' });
  const { org_id } = shared.service.operate('admin', 'create-org', '--name', 'Second house');
  shared.service.operate('admin', 'add-member', '--username', 'two', '--org', org_id, '--role', 'admin');
  const page = await visit(shared.url);
  await signIn(page, { username: 'two', password: OWNER.password });
  await page.getByRole('heading', { name: 'Choose an organization' }).waitFor();
  await isFine(page, 'choose-organization');
  await page.getByRole('button', { name: 'Second house' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.getByRole('button', { name: 'Organization: Second house' }).click();
  await isFine(page, 'switch-organization');
  await page.getByRole('menuitem', { name: /default/ }).click();
  await page.getByRole('button', { name: 'Organization: default' }).waitFor();
  await page.getByRole('link', { name: 'Users' }).waitFor({ state: 'detached' });
  await leave(page);
});

test('a user sees open sessions and ends the others, and an owner ends those of a user', async () => {
  const owner = await as(shared.url);
  await owner('POST', '/api/users', { username: 'sam', password: OWNER.password, role: 'viewer' });
  const elsewhere = await as(shared.url, { username: 'sam', password: OWNER.password });
  const page = await visitor(shared.url, { user: { username: 'sam', password: OWNER.password }, path: '/profile' });
  const table = page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: 'Signed in' }) });
  await table.getByText('This session').waitFor();
  assert.equal(await table.getByRole('button', { name: 'End', exact: true }).count(), 1);
  await isFine(page, 'sessions');
  await page.getByRole('button', { name: 'End all others' }).click();
  await table.getByRole('button', { name: 'End', exact: true }).waitFor({ state: 'detached' });
  await assert.rejects(elsewhere('GET', '/api/users/me'), /401/);

  const users = await visitor(shared.url, { path: '/users' });
  await users.getByRole('button', { name: 'Edit sam' }).click();
  await users.getByRole('button', { name: 'End all sessions' }).click();
  await users.getByText('Sessions ended.').waitFor();
  await page.goto('/credits');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await leave(users);
  await leave(page);
});

test('signing in returns to the requested page, and never to another site', async () => {
  const page = await visitor(shared.url, { path: '/audit?principal=user%3Aadmin' });
  await page.getByRole('heading', { name: 'Audit trail' }).waitFor();
  assert.match(page.url(), /\/audit\?principal=/);
  const other = await visitor(shared.url, { path: '/sign-in?next=//evil.example/' });
  assert.equal(other.url(), `${shared.url}/`);
  await leave(page);
  await leave(other);
});

test('tabs share one session: a reload keeps it, a new tab joins it, signing out ends it in all tabs', async () => {
  const first = await visitor(shared.url);
  await first.reload();
  await first.getByRole('heading', { name: 'Dashboard' }).waitFor();
  const second = watched(await first.context().newPage(), shared.url);
  await second.goto('/profile');
  await second.getByRole('heading', { name: 'Profile' }).waitFor();
  await second.getByRole('button', { name: /Account:/ }).click();
  await second.getByRole('menuitem', { name: 'Sign out' }).click();
  await first.getByRole('heading', { name: 'Sign in to guardengine' }).waitFor();
  assert.equal(await first.evaluate(() => sessionStorage.getItem('guardengine.refresh')), null);
  await leave(first);
});

test('tokens are renewed in the background, and an idle user is warned and then signed out', async () => {
  // The console renews a token 30 seconds before it expires: here after one second.
  const service = await start({
    GUARDENGINE_SESSION__ACCESS_TOKEN_TTL: '31s',
    GUARDENGINE_SESSION__IDLE_TIMEOUT: '8s',
  });
  const page = await visitor(service.url);
  await pause(1_200);
  const renewed = page.waitForResponse((response) => response.url().endsWith('/refresh') && response.ok());
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('cell', { name: /admin/ }).first().waitFor();
  await renewed;
  await page.getByRole('heading', { name: 'Are you still there?' }).waitFor();
  await isFine(page, 'idle-warning');
  await page.getByRole('button', { name: 'Stay signed in' }).click();
  await page.getByRole('heading', { name: 'Are you still there?' }).waitFor({ state: 'detached' });
  await page.getByText('You were signed out because of inactivity.').waitFor({ timeout: 15_000 });
  await leave(page);
  await service.stop();
});
