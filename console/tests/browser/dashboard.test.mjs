import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, visitor } from './support/browser.mjs';
import { seed } from './support/seed.mjs';
import { as, start } from './support/service.mjs';

/** Counts the log entries of an address of the live logs. */
async function entriesAt(address) {
  const owner = await as(new URL(address).origin);
  let [all, cursor] = [0, null];
  do {
    const query = new URL(address).searchParams;
    query.set('limit', '500');
    if (cursor !== null) query.set('cursor', cursor);
    const { logs, next_cursor } = await owner('GET', `/api/logs?${query}`);
    all += logs.length;
    cursor = next_cursor;
  } while (cursor !== null);
  return all;
}

/** Returns the address and the first number of each link. */
const numbersOf = (links) =>
  links.evaluateAll((all) =>
    all.map((link) => {
      const number = (link.querySelector('.tabular') ?? link.closest('li')?.querySelector('.tabular'))?.textContent;
      return { address: link.href, text: link.textContent, number: Number(number?.replaceAll(',', '')) };
    }),
  );

for (const timezoneId of ['America/New_York', 'Asia/Kolkata']) {
  test(`every number opens exactly the entries that it counts, in ${timezoneId}`, { timeout: 120_000 }, async () => {
    const service = await start();
    const { projectId } = await seed(service.url);
    service.operate('fill-log', '--rows', '1500', '--days', '9');
    for (const path of ['/', '/?days=7', `/?days=7&project=${projectId}`]) {
      const page = await visitor(service.url, { timezoneId, path });
      const bars = page.getByRole('figure', { name: 'Threats over time' }).getByRole('button');
      await bars.last().click();
      const content = page.locator('#content');
      await content
        .getByRole('region', { name: /: \d+ requests?$/ })
        .getByRole('link')
        .first()
        .waitFor();
      await page.waitForLoadState('networkidle');
      const links = await numbersOf(content.locator('a[href^="/logs?"]'));
      assert.ok(links.length > 12, `${links.length} links`);
      for (const { address, text, number } of links) {
        const without =
          address === links[0].address || address.includes('outcome=not_') ? await unlogged(content, address) : 0;
        assert.equal(number - without, await entriesAt(address), `${path}: ${text} ${address}`);
      }
      await leave(page);
    }
    await service.stop();
  });
}

/** Returns the requests of a tile that have no log entry. */
async function unlogged(content, address) {
  const tile = content
    .locator('a')
    .filter({ hasText: address.includes('outcome') ? 'Not evaluated' : 'Requests' })
    .first();
  return Number((await tile.textContent()).match(/([\d,]+) without a log entry/)?.[1].replaceAll(',', '') ?? 0);
}

test('a bar shows what triggered, and its numbers link to the log entries', async () => {
  const page = await visitor(shared.url);
  await page.getByRole('figure', { name: 'Threats over time' }).getByRole('button').last().click();
  const selected = page.getByRole('region', { name: /: \d+ requests$/ });
  await isFine(page, 'dashboard-bar');
  await selected.getByRole('link', { name: 'Toxicity 2' }).click();
  await page.getByText('2 entries loaded').waitFor();
  assert.match(page.url(), /guardrail=toxicity.*from=.*to=/);
  // The entries are from this hour, so new ones still arrive.
  await page.getByText('Live', { exact: true }).waitFor();
  await leave(page);
});

test('periods are local days, and filters name their time zone', async () => {
  const page = await visitor(shared.url, { timezoneId: 'Asia/Kolkata', path: '/?days=7' });
  await page.getByRole('link', { name: /^Requests/ }).click();
  const filter = page.getByLabel('Filter', { exact: true });
  await page.waitForURL(/from=/);
  assert.match(await filter.inputValue(), /^from:"\d{4}-\d\d-\d\d 00:00" to:"\d{4}-\d\d-\d\d \d\d:30"$/);
  await page
    .getByText(/Times in Asia\/(Kolkata|Calcutta) \(GMT\+5:30\)/)
    .first()
    .waitFor();
  const before = page.url();
  await filter.press('Enter');
  await page.waitForTimeout(300);
  assert.equal(page.url(), before);
  await leave(page);
});

test('the credit forecast follows the usage, and the ledger is not loaded', async () => {
  const ledger = [];
  const page = await visitor(shared.url, {
    before: (opened) => opened.on('request', (one) => /api\/credits(\?|$)/.test(one.url()) && ledger.push(one.url())),
  });
  const used = page.getByRole('img', { name: /^Credits used from .* to .*: \d+$/ });
  await used.waitFor();
  assert.match(await used.getAttribute('aria-label'), /: (2\d|3\d)$/);
  // Twenty calls in some seconds, of which a hundred thousand are left.
  await page.getByText(/^Lasts .*(minutes|hours|days?) at the rate of the last \d+ charges/).waitFor();
  assert.deepEqual(ledger, []);
  await page.getByRole('link', { name: 'Open ledger' }).click();
  await page.getByText('Balance after').first().waitFor();
  assert.equal(ledger.length, 1);
  await leave(page);
});

test('a bar opens the requests in which anything triggered', async () => {
  const page = await visitor(shared.url);
  await page.getByRole('figure', { name: 'Threats over time' }).getByRole('button').last().click();
  const any = page.getByRole('link', { name: /^Any guardrail \d+/ });
  const number = (await any.textContent()).match(/\d+/)[0];
  await any.click();
  await page.waitForURL(/triggered=true.*from=.*to=/);
  await page.getByText(`${number} entries loaded`).waitFor();
  await leave(page);
});

test('requests without a log entry are counted apart', async () => {
  const owner = await as(shared.url);
  await owner('POST', '/v2/guardengine/svc_firewall_analyze', { prompt: 5 }).catch(() => null);
  const page = await visitor(shared.url);
  await page.getByText('1 without a log entry').first().waitFor({ timeout: 40_000 });
  await leave(page);
});

test('a tile and a ranking link to the log entries that they count', async () => {
  const page = await visitor(shared.url);
  await page.getByRole('link', { name: /^Escalated/ }).click();
  await page.getByRole('cell', { name: 'mallory' }).waitFor();
  assert.equal(await page.getByRole('row').count(), 2);
  await page.goBack();
  await page.getByRole('link', { name: 'Toxicity' }).click();
  await page.getByRole('cell', { name: 'dora' }).first().waitFor();
  assert.match(page.url(), /guardrail=toxicity/);
  await leave(page);
});

test('project and period are in the address, and a policy change has a marker', async () => {
  const page = await visitor(shared.url);
  await page.getByRole('img', { name: /Policy changed by user:admin/ }).waitFor();
  await page.getByLabel('Period').selectOption({ label: 'Last 7 days' });
  await page.getByLabel('Project').selectOption({ label: 'Internal assistant' });
  await page.waitForURL(/days=7/);
  await page.waitForURL(/project=/);
  await page.getByRole('link', { name: /^Requests 1/ }).waitFor();
  await leave(page);
});

test('the histogram counts every request, and shows how many reach a threshold', async () => {
  const page = await visitor(shared.url);
  await page.getByLabel('Guardrail').selectOption({ label: 'Toxicity' });
  const reaching = async (threshold) => {
    await page.getByLabel('Threshold to test').fill(threshold);
    const text = await page.getByText(new RegExp(`requests reach ${threshold}`)).textContent();
    return text
      .match(/(\d+) of (\d+)/)
      .slice(1)
      .map(Number);
  };
  const [high, all] = await reaching('0.95');
  const [low] = await reaching('0.05');
  assert.ok(high >= 1 && high <= low && low < all && all >= 18, `${high} ${low} ${all}`);
  await page.getByText(/\(dashed\): .*Support desk: 0\.75/).waitFor();
  await leave(page);
});
