// One Chromium; a context of its own for each visitor.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { chromium } from 'playwright-core';
import { OWNER } from './service.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const SHOTS =
  process.env.CONSOLE_SCREENSHOTS ?? new URL('../../../../target/console-screenshots', import.meta.url).pathname;
const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

let launched;

function browser() {
  mkdirSync(SHOTS, { recursive: true });
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  // Root has no sandbox of its own; the pages are ours.
  launched ??= chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  return launched;
}

after(async () => (await launched)?.close());

/** A visitor; `page.complaints` collects what the browser objects to: errors, refused content, requests to elsewhere. */
export async function visit(url, { viewport = DESK, colorScheme = 'light' } = {}) {
  const context = await (await browser()).newContext({
    viewport,
    colorScheme,
    baseURL: url,
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  return watched(await context.newPage(), url);
}

/** Watches a page of a visitor, for instance a second tab. */
export function watched(page, url) {
  page.complaints = [];
  page.setDefaultTimeout(10_000);
  // What the server refuses is a part of some tests, and shown by the pages.
  page.on(
    'console',
    (said) =>
      said.type() === 'error' &&
      !said.text().startsWith('Failed to load resource') &&
      page.complaints.push(said.text()),
  );
  page.on('pageerror', (error) => page.complaints.push(error.message));
  page.on(
    'request',
    (request) =>
      /^(blob:|data:)/.test(request.url()) ||
      request.url().startsWith(url) ||
      page.complaints.push(`asked elsewhere: ${request.url()}`),
  );
  return page;
}

/** Signs in through the page. */
export async function signIn(page, { username, password } = OWNER, path = '/') {
  await page.goto(path);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** A signed-in visitor. */
export async function visitor(url, options = {}) {
  const page = await visit(url, options);
  await signIn(page, options.user, options.path);
  await page.locator('#content h1').first().waitFor();
  return page;
}

/** Axe finds nothing, in light and in dark, and a picture of both is kept. */
export async function isFine(page, name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    // The theme changes colours alone. Menus open at the end of the page, outside of its regions.
    const runOnly = colorScheme === 'light' ? TAGS : { type: 'rule', values: ['color-contrast'] };
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(
      (only) =>
        window.axe.run(document, { runOnly: only, resultTypes: ['violations'], rules: { region: { enabled: false } } }),
      runOnly,
    );
    const told = violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`)
          .join(' | ')}`,
    );
    assert.deepEqual(told, [], `${name} in ${colorScheme}`);
    await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}.png` });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Ends a visit; nothing may have been complained of. */
export async function leave(page) {
  const { complaints } = page;
  await page.context().close();
  assert.deepEqual(complaints, []);
}
