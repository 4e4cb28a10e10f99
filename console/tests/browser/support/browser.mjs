// One Chromium, with a separate context for each visitor.
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
  // Chromium refuses its sandbox to root. Only our own pages are opened.
  launched ??= chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  return launched;
}

after(async () => (await launched)?.close());

/** Opens a page. `page.complaints` collects errors, refused content and requests to other origins. */
export async function visit(url, { viewport = DESK, colorScheme = 'light', timezoneId, locale } = {}) {
  const context = await (await browser()).newContext({
    viewport,
    colorScheme,
    timezoneId,
    locale,
    baseURL: url,
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  return watched(await context.newPage(), url);
}

/** Collects the complaints of another page of a visitor, such as a second tab. */
export function watched(page, url) {
  page.complaints = [];
  page.setDefaultTimeout(10_000);
  // Some tests provoke refusals of the server, which the pages show.
  page.on(
    'console',
    (message) =>
      message.type() === 'error' &&
      !message.text().startsWith('Failed to load resource') &&
      page.complaints.push(message.text()),
  );
  page.on('pageerror', (error) => page.complaints.push(error.message));
  page.on(
    'request',
    (request) =>
      /^(blob:|data:)/.test(request.url()) ||
      request.url().startsWith(url) ||
      page.complaints.push(`request to another origin: ${request.url()}`),
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

/** Opens a page and signs in; `before` prepares the page. */
export async function visitor(url, options = {}) {
  const page = await visit(url, options);
  await options.before?.(page);
  await signIn(page, options.user, options.path);
  await page.locator('#content h1').first().waitFor();
  return page;
}

/** Checks the page with axe in light and dark, and saves a screenshot of both. */
export async function isFine(page, name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    // The theme changes only colors. Menus open at the end of the page, outside its regions.
    const runOnly = colorScheme === 'light' ? TAGS : { type: 'rule', values: ['color-contrast'] };
    await page.evaluate(AXE);
    // Targets beneath a sticky bar are partly covered until the user scrolls: their size is checked without the bar.
    await stick(page, 'static');
    const { violations } = await page.evaluate(
      (only) =>
        window.axe.run(document, { runOnly: only, resultTypes: ['violations'], rules: { region: { enabled: false } } }),
      runOnly,
    );
    await stick(page, '');
    const messages = violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`)
          .join(' | ')}`,
    );
    assert.deepEqual(messages, [], `${name} in ${colorScheme}`);
    // On wide screens the navigation stays, and the content scrolls.
    const beyond = await page.evaluate(() =>
      innerWidth < 1024 || document.getElementById('content') === null
        ? 0
        : document.documentElement.scrollHeight - innerHeight,
    );
    assert.ok(beyond <= 0, `${name}: only the content scrolls, not the document (${beyond} px)`);
    await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}.png` });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Sets the position of sticky bars, as the page's content security policy allows it. */
function stick(page, position) {
  return page.evaluate((position) => {
    for (const bar of document.querySelectorAll('.sticky')) bar.style.position = position;
  }, position);
}

/** Closes the page and checks that there were no complaints. */
export async function leave(page) {
  const { complaints } = page;
  await page.context().close();
  assert.deepEqual(complaints, []);
}
