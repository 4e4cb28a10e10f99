import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { shared } from './shared.mjs';
import { isFine, leave, PHONE, visitor } from './support/browser.mjs';
import { as, start } from './support/service.mjs';

const servers = [];
after(() => {
  for (const server of servers) server.close();
});

/** Serves JSON answers to posted JSON, and returns the address. */
async function fake(answer) {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = answer(JSON.parse(text || 'null'));
    response.writeHead(body === null ? 202 : 200, { 'Content-Type': 'application/json' });
    response.end(body === null ? '' : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return `http://127.0.0.1:${server.address().port}`;
}

test('a new owner connects an application, whose first prompt is blocked', { timeout: 120_000 }, async () => {
  const service = await start();
  const page = await visitor(service.url);
  await page.getByRole('link', { name: 'Connect your application' }).click();
  await page.getByRole('heading', { name: 'Connect your application' }).waitFor();
  await isFine(page, 'start');
  await page.getByLabel('Application').fill('Shop');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByText('Project: Shop').waitFor();
  await page.getByText('Create a key first.').waitFor();
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByText('Waiting for the first call').waitFor();
  const code = await page.locator('pre').allTextContents();
  assert.match(code[0], /^export GUARDENGINE_API_KEY='ge_.{32,}'$/m);
  // The code works as it is shown.
  const { stdout } = await promisify(execFile)('bash', ['-c', code.join('\n')]);
  assert.equal(JSON.parse(stdout).overall_decision, 'block');
  await page.getByText('Your first prompt was blocked').waitFor();
  await isFine(page, 'start-done');
  const key = code[0].match(/ge_\w+/)[0];
  await page.getByRole('link', { name: 'View the request' }).click();
  await page.getByRole('dialog').getByText('Reason:').waitFor();
  assert.equal((await page.content()).includes(key), false);
  await page.goto('/keys');
  await page.getByRole('cell', { name: 'HTTP API, first connection', exact: true }).waitFor();
  await page.getByText('3 permissions').waitFor();
  await leave(page);
  await service.stop();
});

test('the test call of every client arrives through its interface', { timeout: 120_000 }, async () => {
  const page = await visitor(shared.url, { path: '/clients' });
  await page.getByLabel('Project', { exact: true }).selectOption({ label: 'Support chat' });
  const clients = {
    'HTTP API': 'Native',
    LiteLLM: 'Litellm',
    'Claude Code': 'Claude code',
    'Presidio client': 'Presidio',
    'MCP client': 'Mcp',
  };
  for (const [client, name] of Object.entries(clients)) {
    await page.getByRole('group', { name: 'Client' }).getByRole('button', { name: client }).click();
    await page.getByText('Waiting for the first call').waitFor();
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('button', { name: 'Send a test call from here' }).click();
    const arrived = page.getByRole('list', { name: 'Calls that arrived' });
    await arrived.getByText(name, { exact: true }).waitFor();
    await arrived
      .getByText(client === 'Presidio client' ? /allow|mask|block/ : 'block')
      .first()
      .waitFor();
  }
  await page.getByRole('button', { name: 'OpenAI SDK' }).click();
  await page.getByText('The gateway of this project has no routes yet').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Send a test call from here' }).isDisabled());
  await leave(page);
});

test('the gateway page shows routes, and calls with tokens', async () => {
  const model = await fake((asked) => ({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    // Its health check lists the models.
    data: [{ id: 'house-1', object: 'model' }],
    model: asked?.model,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'At ten.' } }],
    usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
  }));
  const owner = await as(shared.url);
  const { id } = await owner('POST', '/api/connectors/openai_compatible', {
    name: 'House model',
    base_url: `${model}/v1`,
    model: 'house-1',
  });
  await owner('PUT', `/api/project/${shared.projectId}`, {
    gateway: { routes: [{ model: 'house-1', connector_id: id }] },
  });
  const page = await visitor(shared.url, { path: '/clients' });
  await page.getByRole('row', { name: /Support chat house-1 House model/ }).waitFor();
  await page.getByLabel('Project', { exact: true }).selectOption({ label: 'Support chat' });
  await page.getByRole('button', { name: 'OpenAI SDK' }).click();
  assert.equal(await page.getByLabel('Model', { exact: true }).inputValue(), 'house-1');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByRole('button', { name: 'Send a test call from here' }).click();
  await page.getByText('Connected, and the policy blocks.').waitFor();
  const key = (await page.locator('pre').first().textContent()).match(/ge_\w+/)[0];
  const answer = await fetch(`${shared.url}/p/${shared.projectId}/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'house-1', messages: [{ role: 'user', content: 'When do you open?' }] }),
  });
  assert.equal(answer.status, 200);
  await page.getByRole('row', { name: /allow Support chat .* 12 3 / }).waitFor();
  await isFine(page, 'gateway-calls');
  await page.setViewportSize(PHONE);
  const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(wide <= shown);
  await leave(page);
});

test('a changed tool of an MCP server is shown with both definitions, and accepted', async () => {
  let description = 'Finds a lamp.';
  const server = await fake(({ id, method }) => {
    if (id === undefined) return null;
    const tools = [{ name: 'find_lamp', description, inputSchema: { type: 'object' } }];
    const results = {
      initialize: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'lamps', version: '1' } },
      'tools/list': { tools },
    };
    return { jsonrpc: '2.0', id, result: results[method] ?? {} };
  });
  const owner = await as(shared.url);
  const { id } = await owner('POST', '/api/connectors/mcp_server', { name: 'Lamps', base_url: `${server}/mcp` });
  const list = () => owner('POST', `/mcp/${id}`, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  assert.equal((await list()).result.tools.length, 1);
  description = 'Finds a lamp in any shop.';
  assert.equal((await list()).result.tools.length, 0);
  const page = await visitor(shared.url, { path: '/connectors' });
  await page.getByRole('button', { name: 'Tools Lamps' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tools of Lamps' });
  await dialog.getByText('Changed', { exact: true }).waitFor();
  await dialog.getByText(/in any shop/).waitFor();
  await isFine(page, 'connector-tools');
  await dialog.getByRole('button', { name: 'Accept find_lamp' }).click();
  await page
    .getByRole('dialog', { name: 'Accept the changed definition?' })
    .getByRole('button', { name: 'Accept' })
    .click();
  await dialog.getByText('Pinned', { exact: true }).waitFor();
  assert.equal((await list()).result.tools.length, 1);
  await leave(page);
});
