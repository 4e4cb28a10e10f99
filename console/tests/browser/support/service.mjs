// A separate service for each run: the real binary, an empty data folder, a free port.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { front } from './front.mjs';

// A folder with a build of the console to test instead of the one in the binary.
const CONSOLE = process.env.CONSOLE_DIST;
const BINARY = process.env.GUARDENGINE_BINARY;
const MODELS = process.env.GUARDENGINE_TEST_MODELS;
const running = new Set();
export const OWNER = { username: 'admin', password: 'Correct-horse-9' };

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts the service; `settings` are configuration keys as the environment writes them. */
export async function start(settings = {}) {
  if (!BINARY) throw new Error('GUARDENGINE_BINARY is not set; run scripts/test-console');
  const dir = mkdtempSync(join(tmpdir(), 'guardengine-console-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const address = CONSOLE ? `http://127.0.0.1:${await freePort()}` : url;
  const env = {
    PATH: process.env.PATH,
    GUARDENGINE_DATA_DIR: dir,
    GUARDENGINE_LISTEN: address.slice('http://'.length),
    GUARDENGINE_ADMIN__USERNAME: OWNER.username,
    GUARDENGINE_ADMIN__PASSWORD: OWNER.password,
    GUARDENGINE_LIMITS__TOKEN: 'off',
    GUARDENGINE_LIMITS__LOGIN: 'off',
    GUARDENGINE_LIMITS__REFRESH: 'off',
    GUARDENGINE_LIMITS__ANALYZE: 'off',
    GUARDENGINE_LIMITS__AUTONOMOUS: 'off',
    GUARDENGINE_LIMITS__DEFAULT: 'off',
    GUARDENGINE_OUTGOING__ALLOW_PRIVATE: 'true',
    // The models that scripts/test fetched.
    ...(MODELS && { GUARDENGINE_MEDIA__MODELS: MODELS }),
    ...settings,
  };
  let process_;
  let closeFront;
  const launch = async () => {
    process_ = spawn(BINARY, ['serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    process_.stderr.on('data', (data) => (output += data));
    await ready(address, process_, () => output);
    if (CONSOLE) closeFront = await front(port, CONSOLE, address);
  };
  const end = async (signal) => {
    if (process_.exitCode !== null || process_.signalCode !== null) return;
    process_.kill(signal);
    await Promise.all([once(process_, 'exit'), closeFront?.()]);
  };
  await launch();
  const service = {
    url,
    /** Runs an operator command and returns its JSON. */
    operate: (...words) =>
      JSON.parse(
        execFileSync(BINARY, words, { env, input: OWNER.password, stdio: ['pipe', 'pipe', 'ignore'] }).toString(),
      ),
    /** Ends the service without notice; its address refuses connections until `recover`. */
    crash: () => end('SIGKILL'),
    recover: launch,
    stop: async () => {
      running.delete(service);
      await end('SIGTERM');
      rmSync(dir, { recursive: true, force: true });
    },
  };
  running.add(service);
  return service;
}

// Also stops services that failed tests left running.
after(() => Promise.all([...running].map(({ stop }) => stop())));

async function ready(url, process_, output) {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (process_.exitCode !== null) throw new Error(`the service ended: ${output()}`);
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`the service is not ready: ${output()}`);
}

/** Returns a function that calls the API as a user. */
export async function as(url, { username, password } = OWNER) {
  const { access_token: token } = await (
    await fetch(`${url}/token`, { method: 'POST', body: new URLSearchParams({ username, password }) })
  ).json();
  return async (method, path, body) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
}
