import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, visitor } from './support/browser.mjs';

const PAGES = {
  dashboard: ['/', 'Dashboard', 'Top guardrails'],
  logs: ['/logs', 'Live logs', 'entries loaded'],
  playground: ['/playground', 'Playground', 'characters read'],
  'playground-conversation': ['/playground?tab=conversation', 'Playground', 'characters read'],
  'playground-documents': ['/playground?tab=documents', 'Playground', 'in document 1'],
  'playground-images': ['/playground?tab=images', 'Playground', 'single-page PDF'],
  'playground-audio': ['/playground?tab=audio', 'Playground', 'MP3, FLAC'],
  policies: ['/policies', 'Policies', 'Support desk'],
  projects: ['/projects', 'Projects', 'Internal assistant'],
  keys: ['/keys', 'API keys', 'Support chat, production'],
  connectors: ['/connectors', 'Connectors', 'No connectors yet'],
  users: ['/users', 'Users', 'vera'],
  roles: ['/roles', 'Roles', 'Permissions by role'],
  credits: ['/credits', 'Credits', 'Balance after'],
  audit: ['/audit', 'Audit trail', 'FIREWALL_POLICIES:CREATE_POLICY'],
  reviews: ['/reviews', 'Review queue', 'mallory'],
  tickets: ['/tickets', 'Tickets', 'No tickets yet'],
  profile: ['/profile', 'Profile', 'Change password'],
  'not-found': ['/nowhere', 'Not found', 'This page does not exist'],
};

test('every page opens by its address and passes axe', async (t) => {
  const page = await visitor(shared.url);
  for (const [name, [path, title, content]] of Object.entries(PAGES)) {
    await t.test(name, async () => {
      await page.goto(path);
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await page.getByText(content).first().waitFor();
      await isFine(page, name);
    });
  }
  await leave(page);
});

test('every section of a policy passes axe', async (t) => {
  const page = await visitor(shared.url, { path: `/policies/${shared.policyId}` });
  for (const tab of ['Guardrails', 'Keywords', 'General', 'Compliance', 'Replay', 'Shadow', 'Versions']) {
    await t.test(tab, async () => {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel', { name: tab }).waitFor();
      await page.waitForLoadState('networkidle');
      await isFine(page, `policy-${tab.toLowerCase()}`);
    });
  }
  await leave(page);
});
