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

/** Selects the last bar of the threats with the keyboard. */
async function selectLastBar(page) {
  const chart = page.getByRole('slider', { name: 'Threats over time' });
  await chart.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
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
    for (const path of ['/', '/?last=7d', `/?last=7d&project=${projectId}`]) {
      const page = await visitor(service.url, { timezoneId, path });
      await selectLastBar(page);
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
  await selectLastBar(page);
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

test('the forecast of credits names why there is none yet, and the ledger is not loaded', async () => {
  const ledger = [];
  const page = await visitor(shared.url, {
    before: (opened) => opened.on('request', (one) => /api\/credits(\?|$)/.test(one.url()) && ledger.push(one.url())),
  });
  const used = page.getByRole('slider', { name: /^Credits used from .* to .*: \d+$/ });
  await used.waitFor();
  assert.match(await used.getAttribute('aria-label'), /: (2\d|3\d)$/);
  await page.getByText(/^Usage began .*\. A forecast needs 24 hours of usage/).waitFor();
  assert.deepEqual(ledger, []);
  await page.getByRole('link', { name: 'Open ledger' }).click();
  await page.getByText('Balance after').first().waitFor();
  assert.ok(ledger.length > 0);
  await leave(page);
});

test('a bar opens the requests in which anything triggered', async () => {
  const page = await visitor(shared.url);
  await selectLastBar(page);
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
  await page.getByRole('button', { name: /^Period: Last 24 hours/ }).click();
  await page.getByRole('button', { name: 'Last 7 days' }).click();
  await page.getByLabel('Project').selectOption({ label: 'Internal assistant' });
  await page.waitForURL(/last=7d/);
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

test('charts are zoomed by dragging and by keyboard, and have tables and series to hide', async () => {
  const page = await visitor(shared.url);
  const chart = page.getByRole('slider', { name: 'Threats over time' });
  await chart.locator('canvas').waitFor();
  await page.getByRole('button', { name: /^Toxicity \d+$/, pressed: true }).click();
  await page.getByRole('button', { name: /^Toxicity \d+$/, pressed: false }).waitFor();
  await page.getByRole('button', { name: /^Built-in types \d+$/, pressed: false }).click();
  await page.getByRole('button', { name: 'Show as table Threats over time' }).click();
  const table = page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: 'Built-in types' }) });
  await table.waitFor();
  assert.equal(await table.getByRole('columnheader', { name: 'Toxicity' }).count(), 0);
  await isFine(page, 'dashboard-chart-table');
  await page.getByRole('button', { name: 'Show as chart Threats over time' }).click();
  await chart.locator('canvas').waitFor();
  const { x, y, width, height } = await chart.boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width - 30, y + height / 2, { steps: 5 });
  await page.mouse.up();
  await page.waitForURL(/from=.*to=/);
  const zoomed = new URL(page.url()).searchParams;
  const hours = (Date.parse(zoomed.get('to')) - Date.parse(zoomed.get('from'))) / 3_600_000;
  assert.ok(hours >= 11 && hours <= 13, `${hours} hours`);
  await page.locator('[role=slider][aria-valuemax="11"], [role=slider][aria-valuemax="12"]').first().waitFor();
  await chart.focus();
  for (const key of ['End', 'Shift+ArrowLeft', 'Shift+ArrowLeft']) await page.keyboard.press(key);
  assert.match(await chart.getAttribute('aria-valuetext'), /to .*Enter zooms in/);
  const before = page.url();
  await page.keyboard.press('Enter');
  await page.waitForFunction((before) => location.href !== before, before);
  const closer = new URL(page.url()).searchParams;
  assert.equal((Date.parse(closer.get('to')) - Date.parse(closer.get('from'))) / 3_600_000, 3);
  await leave(page);
});

test('a period between two times is selected, and all times can be shown in UTC', async () => {
  const page = await visitor(shared.url, { timezoneId: 'Asia/Kolkata' });
  await page.getByRole('button', { name: /^Period: Last 24 hours, times in Asia/ }).click();
  const picker = page.getByRole('dialog', { name: 'Select a period' });
  await isFine(page, 'period');
  await picker.getByLabel('From').fill('2026-01-31T10:00');
  await picker.getByLabel('To', { exact: true }).fill('2026-01-31T09:00');
  await picker.getByRole('button', { name: 'Apply' }).click();
  await picker.getByText('The end must be after the start').waitFor();
  await picker.getByLabel('To', { exact: true }).fill('2026-01-31T12:00');
  await picker.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(/from=2026-01-31T04(:|%3A)30(:|%3A)00.000Z/);
  await page.getByRole('link', { name: /^Requests 0/ }).waitFor();
  await page.getByRole('button', { name: /^Period: Jan 31, 10:00 to Jan 31, 12:00/ }).click();
  await picker.getByLabel('Time zone').selectOption({ label: 'UTC' });
  await page.getByRole('button', { name: /^Period: Jan 31, 04:30 to Jan 31, 06:30, times in UTC/ }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: /times in UTC$/ }).waitFor();
  await leave(page);
});

test('users are ranked by blocked requests, with links to them', async () => {
  const page = await visitor(shared.url);
  await page.getByLabel('Top users: ranked by').selectOption({ label: 'By blocked' });
  await page.getByRole('link', { name: 'dora', exact: true }).click();
  await page.waitForURL(/outcome=blocked/);
  await page.getByRole('cell', { name: 'dora' }).first().waitFor();
  await leave(page);
});
