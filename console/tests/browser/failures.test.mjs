import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, visitor } from './support/browser.mjs';

test('a server error shows its correlation ID and can be retried', async () => {
  const page = await visitor(shared.url);
  let fails = true;
  await page.route('**/api/users?*', (route) =>
    fails
      ? route.fulfill({
          status: 500,
          headers: { 'X-Correlation-ID': 'abc-123' },
          json: { detail: 'internal error', correlation_id: 'abc-123' },
        })
      : route.continue(),
  );
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('alert').getByText('abc-123').waitFor({ timeout: 15_000 });
  await isFine(page, 'failure');
  fails = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('cell', { name: 'vera', exact: true }).waitFor();
  await leave(page);
});

test('a rate limit is explained', async () => {
  const page = await visitor(shared.url);
  const detail = {
    error: 'rate_limit_exceeded',
    message: '/api/audit allows 600 requests per 60 seconds',
    limit: 600,
    window: 60,
    reset_at: 0,
    retry_after: 7,
  };
  await page.route('**/api/audit?*', (route) =>
    route.fulfill({ status: 429, headers: { 'Retry-After': '7' }, json: { detail } }),
  );
  await page.getByRole('link', { name: 'Audit trail' }).click();
  await page.getByRole('alert').getByText('/api/audit allows 600 requests per 60 seconds').waitFor();
  await leave(page);
});

test('a session that ended on the server leads to the sign-in page, with the reason', async () => {
  const page = await visitor(shared.url);
  await page.route('**/api/users?*', (route) =>
    route.fulfill({ status: 401, json: { detail: 'session expired, log in again' } }),
  );
  await page.route('**/refresh', (route) =>
    route.fulfill({ status: 401, json: { detail: 'session expired, log in again' } }),
  );
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByText('session expired, log in again').waitFor();
  assert.match(page.url(), /sign-in\?next=%2Fusers/);
  await leave(page);
});

test('the page and its files have headers that block other origins', async () => {
  const page = await fetch(`${shared.url}/logs`, { headers: { Accept: 'text/html' } });
  const html = await page.text();
  assert.match(page.headers.get('content-security-policy'), /default-src 'none'; script-src 'self'; style-src 'self'/);
  assert.match(page.headers.get('content-security-policy'), /frame-ancestors 'none'/);
  assert.equal(page.headers.get('cache-control'), 'no-cache');
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
  const script = await fetch(new URL(html.match(/src="([^"]*assets\/[^"]+)"/)[1], `${shared.url}/`), {
    headers: { 'Accept-Encoding': 'gzip' },
  });
  assert.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal(script.headers.get('content-encoding'), 'gzip');
  const lost = await fetch(`${shared.url}/api/nothing`, { headers: { Accept: 'text/html' } });
  assert.deepEqual([lost.status, await lost.json()], [404, { detail: 'path not found' }]);
});
