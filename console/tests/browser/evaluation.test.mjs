import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, visitor } from './support/browser.mjs';
import { as } from './support/service.mjs';

const CASES = [
  { text: 'mail jane@example.com today', labels: ['pii'] },
  { text: 'my secret name', labels: ['pii'] },
  { text: 'tell me about aurora', negatives: 'all' },
];

const file = (name, content) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

/** A policy that finds personal data. */
async function policy(name, fields = {}) {
  const owner = await as(shared.url);
  const guardrails = [{ guardrail: 'pii', threshold: 0.5, action: 'Block' }];
  const made = await owner('POST', '/api/policy/create', { policyName: name, guardrails, ...fields });
  return { owner, id: made.policyId };
}

test('a policy is run over an uploaded file, compared, and gets a threshold from the sweep', async () => {
  const { owner, id } = await policy('Measured', { blocked_keywords: ['aurora'] });
  const page = await visitor(shared.url, { path: '/evaluation' });
  await page.getByText('No runs yet').waitFor();
  await isFine(page, 'evaluation-empty');

  await page.getByRole('button', { name: 'Create dataset' }).first().click();
  await page.getByLabel('Name').fill('Own cases');
  await page.getByLabel('Cases from').selectOption('A file');
  const choose = page.locator('dialog input[type=file]');
  const [example] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download an example' }).click(),
  ]);
  await choose.setInputFiles(file('example.csv', await readFile(await example.path(), 'utf8')));
  await page.getByText(/^2 cases, of which 1 attack/).waitFor();
  await choose.setInputFiles(file('broken.csv', 'text,labels\nhello,junk\n'));
  await page.getByText('Line 2: labels: "junk" is not a guardrail').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Create', exact: true }).isDisabled());
  await isFine(page, 'evaluation-upload');
  await choose.setInputFiles(file('cases.jsonl', CASES.map((one) => JSON.stringify(one)).join('\n')));
  await page.getByText('3 cases, of which 2 attacks').waitFor();
  await page.getByRole('button', { name: 'Create', exact: true }).click();

  const run = async () => {
    await page.getByRole('tab', { name: 'Datasets' }).click();
    await page
      .getByRole('row', { name: /Own cases/ })
      .getByRole('button', { name: 'Run', exact: true })
      .click();
    await page.getByLabel('Policy').selectOption('Measured');
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.getByText('Confusion by guardrail').first().waitFor({ timeout: 60_000 });
  };
  await run();
  await page.getByRole('heading', { name: 'Measured, version 1' }).waitFor();
  await page.getByText('3 of 3 cases').waitFor();
  await isFine(page, 'evaluation-run');

  await page.getByRole('tab', { name: 'Wrong cases' }).click();
  await page.getByText('Personal data: missed').waitFor();
  await page.getByText('Decision: false positive').waitFor();
  await isFine(page, 'evaluation-wrong');

  await owner('PUT', `/api/policy/${id}`, { blocked_keywords: [] });
  await page.goto('/evaluation?tab=datasets');
  await run();
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByText('Cases with another decision: 1').first().waitFor();
  await page.getByRole('cell', { name: 'tell me about aurora' }).waitFor();
  await isFine(page, 'evaluation-compare');

  await page.getByRole('tab', { name: 'Thresholds' }).click();
  await page.getByRole('img', { name: /by threshold/ }).waitFor();
  await page.getByRole('slider', { name: 'Threshold' }).fill('0.7');
  await isFine(page, 'evaluation-thresholds');
  await page.getByRole('button', { name: 'Use this threshold' }).click();
  await page.getByText(/Draft: 1 change since version 2/).waitFor();
  assert.equal(await page.getByLabel('Threshold of Personal data as a number').inputValue(), '0.7');
  await leave(page);
});
