import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, PHONE, visit } from './support/browser.mjs';
import { OWNER } from './support/service.mjs';

const WIDTHS = [PHONE.width, 960, 1440];
const PAGES = {
  '/': 'Dashboard',
  '/logs': 'Live-Protokoll',
  '/reviews': 'Prüfungen',
  '/tickets': 'Tickets',
  '/engine': 'Engine-Status',
  '/policies': 'Richtlinien',
  '/playground': 'Playground',
  '/projects': 'Projekte',
  '/clients': 'Gateway und Clients',
  '/keys': 'API-Schlüssel',
  '/connectors': 'Konnektoren',
  '/users': 'Benutzer',
  '/roles': 'Rollen',
  '/organization': 'Organisationseinstellungen',
  '/credits': 'Credits',
  '/audit': 'Audit-Protokoll',
  '/start': 'Anwendung verbinden',
  '/profile': 'Profil',
  '/nowhere': 'Nicht gefunden',
};

const languageOf = (page) => page.locator('html').getAttribute('lang');

/** Selects a language in the menu, which loads the page again. */
async function choose(page, menu, name) {
  await page.getByRole('button', { name: menu }).click();
  await Promise.all([page.waitForEvent('load'), page.getByRole('menuitem', { name }).click()]);
}

test('a language chosen before signing in stays, and every page fits in German', async (t) => {
  const page = await visit(shared.url);
  await page.goto('/policies');
  await page.getByRole('heading', { name: 'Sign in to guardengine' }).waitFor();
  await choose(page, 'Language: English', 'Deutsch');
  await page.getByLabel('Benutzername').fill(OWNER.username);
  await page.getByLabel('Passwort').fill(OWNER.password);
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.getByRole('heading', { name: 'Richtlinien', level: 1 }).waitFor();
  assert.equal(await languageOf(page), 'de');
  for (const [path, title] of Object.entries({ ...PAGES, [`/policies/${shared.policyId}`]: 'Support desk' })) {
    await t.test(title, async () => {
      await page.goto(path);
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      for (const width of WIDTHS) {
        await page.setViewportSize({ ...PHONE, width });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${title} is ${wide} wide on a screen of ${width}`);
      }
    });
  }
  await isFine(page, 'german-policy');
  await leave(page);
});

test('the language of the browser comes first, and another keeps the address', async () => {
  const page = await visit(shared.url, { locale: 'es-MX' });
  await page.goto('/sign-in?next=%2Flogs%3Flast%3D7d');
  await page.getByRole('heading', { name: 'Iniciar sesión en guardengine' }).waitFor();
  assert.equal(await languageOf(page), 'es');
  await page.getByLabel('Nombre de usuario').fill(OWNER.username);
  await page.getByLabel('Contraseña').fill(OWNER.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await page.getByRole('heading', { name: 'Registro en vivo' }).waitFor();
  await page
    .getByText(/\d+ entradas cargadas/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Últimos 7 días' }).waitFor();
  await choose(page, 'Idioma: Español', 'English');
  await page.getByRole('heading', { name: 'Live logs' }).waitFor();
  assert.equal(new URL(page.url()).search, '?last=7d');
  assert.equal(await languageOf(page), 'en');
  await leave(page);
});

test('without the texts of a language, the page is in English', async () => {
  const page = await visit(shared.url, { locale: 'de' });
  await page.route(/\/assets\/de-[^/]*\.js$/, (route) => route.abort());
  await page.goto('/');
  await page.getByRole('heading', { name: 'Sign in to guardengine' }).waitFor();
  assert.equal(await languageOf(page), 'en');
  await leave(page);
});
