import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { isFine, leave, visitor } from './support/browser.mjs';
import { as, start } from './support/service.mjs';

/** A chat with an incoming webhook, and the messages that it received. */
async function chat() {
  const texts = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      texts.push(JSON.parse(body).text);
      response.end('ok');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return { url: `http://127.0.0.1:${server.address().port}/services/T/B/x`, texts };
}

test('an alert is created, tested, fires, and is deleted', async () => {
  const service = await start();
  const owner = await as(service.url);
  const { url, texts } = await chat();
  await owner('POST', '/api/connectors/slack', { name: 'Security channel', url });
  const page = await visitor(service.url, { path: '/alerts' });
  await page.getByRole('button', { name: 'Create alert' }).first().click();
  await page.getByText(/Fires when 20% or more of the requests of the last 15 minutes are blocked/).waitFor();
  await page.getByLabel('Name').fill('Credits low');
  await page.getByLabel('Condition').selectOption('credits_low');
  await page.getByLabel('Balance in credits').fill('900000000000');
  await page.getByText('Fires when the balance is below 900,000,000,000 credits.').waitFor();
  await page.getByRole('checkbox', { name: 'Security channel' }).check();
  await isFine(page, 'alert-new');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Test Credits low' }).click();
  await page.getByText('Test message sent to 1 channel').waitFor();
  assert.ok(texts.some((text) => text.startsWith('Test: Credits low\n')));

  await page.getByText('Firing', { exact: true }).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Messages Credits low' }).click();
  await page.getByText('Sent', { exact: true }).waitFor({ timeout: 30_000 });
  assert.ok(texts.some((text) => text.startsWith('Alert: Credits low\n')));
  await isFine(page, 'alert-messages');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Delete Credits low' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No alerts yet').waitFor();

  await owner('POST', '/api/connectors/webhook', { name: 'Hook', url, secret: 'shared-by-both-sides' });
  await page.goto('/alerts?tab=webhooks');
  await page.getByRole('button', { name: 'Subscribe webhook' }).first().click();
  await page.getByRole('checkbox', { name: 'Text blocked' }).check();
  await isFine(page, 'webhook-new');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Pause Hook' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await leave(page);
  await service.stop();
});
