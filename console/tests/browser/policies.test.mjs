import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './shared.mjs';
import { isFine, leave, visitor } from './support/browser.mjs';
import { as } from './support/service.mjs';

/** A separate policy for a test. */
async function policy(name, fields = {}) {
  const owner = await as(shared.url);
  const made = await owner('POST', '/api/policy/create', {
    policyName: name,
    guardrails: [{ guardrail: 'toxicity' }],
    ...fields,
  });
  return { owner, id: made.policyId, path: `/policies/${made.policyId}` };
}

test('a policy is drafted, compared, published and rolled back', async () => {
  const { owner, id, path } = await policy('Drafted');
  const page = await visitor(shared.url, { path });
  const card = page.getByRole('article', { name: 'Toxicity' });
  const measured = await card.getByText(/Measured at this threshold/).textContent();
  await card.getByLabel('Threshold of Toxicity as a number').fill('0.3');
  assert.notEqual(await card.getByText(/Measured at this threshold/).textContent(), measured);
  await card.getByLabel('Action').selectOption('Challenge');
  await page.getByRole('article', { name: 'Prompt injection' }).getByRole('switch').click();
  await page.getByText('Draft: 3 changes since version 1').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Compare and publish' }).click();
  await page.getByRole('cell', { name: 'Toxicity: Action' }).waitFor();
  await page.getByRole('cell', { name: 'On, Block' }).waitFor();
  await isFine(page, 'policy-compare');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Version 2, published').waitFor();
  const stored = await owner('GET', `/api/policy/${id}`);
  assert.deepEqual(
    stored.guardrails.map(({ guardrail, threshold, action }) => [guardrail, threshold, action]),
    [
      ['toxicity', 0.3, 'Challenge'],
      ['prompt_injection', 0.7, 'Block'],
    ],
  );

  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('button', { name: 'Compare version 1' }).click();
  await page.getByRole('button', { name: 'Roll back to version 1' }).click();
  await page.getByText('Version 3, published').waitFor();
  assert.equal((await owner('GET', `/api/policy/${id}`)).guardrails[0].action, 'Block');
  await leave(page);
});

test('keywords are typed and imported without duplicates', async () => {
  const { owner, id, path } = await policy('Worded', { blocked_keywords: ['aurora'] });
  const page = await visitor(shared.url, { path: `${path}?tab=keywords` });
  await page.getByLabel('Import keywords into the block list').setInputFiles({
    name: 'words.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('borealis\n\n aurora \ncorona\n'),
  });
  await page.getByText('3 of 10,000').waitFor();
  await page.getByLabel('Allow list, one keyword per line').fill('hello world\nhello world\n');
  await page.getByRole('button', { name: 'Compare and publish' }).click();
  await page.getByRole('cell', { name: 'borealis, corona' }).waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Version 2, published').waitFor();
  const stored = await owner('GET', `/api/policy/${id}`);
  assert.deepEqual(
    [stored.blocked_keywords, stored.allowed_keywords],
    [['aurora', 'borealis', 'corona'], ['hello world']],
  );
  await leave(page);
});

test('a pattern shows its matches while it is typed, and an invalid one is refused', async () => {
  const { path } = await policy('Patterned');
  const page = await visitor(shared.url, { path });
  const card = page.getByRole('article', { name: 'Custom regex' });
  await card.getByRole('switch').click();
  await card.getByRole('button', { name: 'Add pattern' }).click();
  await card.getByText('1 match in').waitFor();
  assert.equal(await card.locator('mark').textContent(), 'ACME-12345');
  await card.getByLabel('Regular expression').fill('(?i)acme-\\d+');
  await card.getByText('2 matches in').waitFor();
  await isFine(page, 'policy-pattern');
  await card.getByLabel('Regular expression').fill('acme-(');
  await card.getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'Compare and publish' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('alert').getByText('guardrails.1.patterns.0').waitFor();
  await isFine(page, 'policy-refused');
  await leave(page);
});

test('a topic is described by examples and shows its expected false positives once it is published', async () => {
  const { owner, id, path } = await policy('Topical');
  const page = await visitor(shared.url, { path });
  const card = page.getByRole('article', { name: 'Custom topics' });
  await card.getByRole('switch').click();
  await card.getByRole('button', { name: 'Add topic' }).click();
  await card.getByLabel('Topic name').fill('holidays');
  await card.getByLabel('Note for people').fill('Trips and hotels');
  await card
    .getByLabel('Examples (one per line')
    .fill('Plan a week in Lisbon for us\nFind me a hotel by the beach\nWhat can we do in Rome in three days?\n');
  await card.getByLabel('Similar texts').fill('What is the capital of Portugal?');
  await card.getByText('Publish to see the expected false positives.').waitFor();
  await isFine(page, 'policy-topic');
  await page.getByRole('button', { name: 'Compare and publish' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await card.getByText(/Expected false positives at the published threshold: \d+\.\d\d%/).waitFor();
  await page.getByText('Version 2, published').waitFor();
  const stored = await owner('GET', `/api/policy/${id}`);
  const [topic] = stored.guardrails.find(({ guardrail }) => guardrail === 'custom_topics').topics;
  assert.equal(topic.examples.length, 3);
  assert.ok(topic.expected_false_positives >= 0 && topic.expected_false_positives < 0.05);
  await isFine(page, 'policy-topic-published');

  await card.getByLabel('Examples (one per line').fill('too few');
  await page.getByRole('button', { name: 'Compare and publish' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('alert').getByText('topics.0.examples').waitFor();
  await leave(page);
});

test('a pattern that never finishes in the browser does not block the page', async () => {
  const { path } = await policy('Endless');
  const page = await visitor(shared.url, { path });
  const card = page.getByRole('article', { name: 'Custom regex' });
  await card.getByRole('switch').click();
  await card.getByRole('button', { name: 'Add pattern' }).click();
  await card.getByLabel('Sample text').fill(`${'a'.repeat(60)}!`);
  await card.getByLabel('Regular expression').fill('(a+)+$');
  await card.getByText('takes too long to match').waitFor();
  await leave(page);
});

test('a draft is replayed over stored requests before it is published', async () => {
  const page = await visitor(shared.url, { path: `/policies/${shared.policyId}?tab=keywords` });
  await page.getByLabel('Block list, one keyword per line').fill('opening hours');
  await page.getByRole('tab', { name: 'Replay' }).click();
  assert.equal(await page.getByLabel('Project').inputValue(), 'own');
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByText('Of 18 requests, 2 would be newly blocked, 0 newly allowed, and 0 decided').waitFor();
  const blocked = page.getByRole('region', { name: 'Newly blocked' });
  const row = blocked.getByRole('row', { name: /allow.*block.*No guardrail.*Blocked keyword/ }).first();
  await row.waitFor();
  await isFine(page, 'policy-replayed');
  await row.getByRole('button').click();
  const drawer = page.getByRole('dialog', { name: 'Both decisions' });
  await drawer.getByRole('region', { name: 'Decision then' }).getByText('allow').waitFor();
  await drawer.getByRole('region', { name: 'New decision' }).getByText('Blocked keyword').waitFor();
  await drawer.getByText('opening hours').waitFor();
  await isFine(page, 'policy-replay-compared');
  await page.keyboard.press('j');
  await drawer.getByRole('button', { name: 'Previous change' }).and(page.locator(':enabled')).waitFor();
  await drawer.getByRole('link', { name: 'Open the log entry' }).waitFor();
  await page.keyboard.press('Escape');
  await leave(page);
});

test('a replay says what it does, shows its progress, and stops', async () => {
  const page = await visitor(shared.url, { path: `/policies/${shared.policyId}?tab=replay` });
  await page.getByText('Evaluates up to 200 stored requests of the last 7 days again').waitFor();
  let calls = 0;
  let release;
  const held = new Promise((done) => (release = done));
  await page.route('**/replay', async (route) => {
    // Portions of two, and the second one waits.
    if (++calls === 2) await held;
    return route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), limit: 2 }) });
  });
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByText('2 of up to 200 requests').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  release();
  await page.getByText('Of 4 requests, none would be decided in another way.').waitFor();
  await page.unroute('**/replay');
  await page.getByRole('button', { name: 'Replay older entries' }).click();
  await page.getByText('Of 18 requests, none').waitFor();
  await page.getByLabel('Project').selectOption({ label: 'Internal assistant' });
  await leave(page);
});

test('entries whose text was masked are listed apart in a replay', async () => {
  const page = await visitor(shared.url, { path: `/policies/${shared.policyId}?tab=keywords` });
  await page.getByLabel('Block list, one keyword per line').fill('mail me at\nopening hours');
  await page.getByRole('tab', { name: 'Replay' }).click();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByText('2 other changes may come from masked text.').waitFor();
  const apart = page.getByRole('region', { name: 'Entries with masked text' });
  await apart
    .getByRole('row', { name: /mask.*block/ })
    .first()
    .waitFor();
  await isFine(page, 'policy-replay-masked');
  await leave(page);
});

test('PII types are searched and selected, and masking hides the action', async () => {
  const { owner, id, path } = await policy('Types', { guardrails: [{ guardrail: 'pii', action: 'Block' }] });
  const page = await visitor(shared.url, { path });
  const card = page.getByRole('article', { name: 'Personal data' });
  await card.getByLabel('Action').waitFor();
  await card.getByText('PII types: all 45').click();
  await card.getByLabel('Search PII types').fill('germany');
  assert.equal(await card.getByRole('region', { name: 'PII types' }).getByRole('checkbox').count(), 2);
  await card.getByLabel('Tax ID (Germany)').check();
  await card.getByText('PII types: 1 of 45').waitFor();
  await card.getByRole('switch', { name: 'Mask personal data and allow the text' }).click();
  await card.getByText('Masking replaces the action.').waitFor();
  assert.equal(await card.getByLabel('Action').count(), 0);
  await isFine(page, 'policy-pii');
  await page.getByRole('button', { name: 'Compare and publish' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Version 2, published').waitFor();
  const [stored] = (await owner('GET', `/api/policy/${id}`)).guardrails;
  assert.deepEqual(stored.pii_kinds, ['de_tax_id']);
  await leave(page);
});

test('a type of your own and the settings of types are edited, and an error names the field', async () => {
  const { owner, id, path } = await policy('Own types', { guardrails: [{ guardrail: 'pii' }] });
  const page = await visitor(shared.url, { path });
  const card = page.getByRole('article', { name: 'Personal data' });
  await card.getByText('Custom PII types', { exact: true }).click();
  await card.getByRole('button', { name: 'Add custom type' }).click();
  await card.getByLabel('Name of custom type 1').fill('Employee');
  await card.getByLabel('Labels of custom type 1').fill('badge\nemployee number');
  await card.getByLabel('Checksum of custom type 1').selectOption('Luhn');
  await card.getByText('PII type settings', { exact: true }).click();
  await card.getByRole('button', { name: 'Add setting' }).click();
  await card.getByLabel('Type of setting 1').selectOption('Employee');
  await card.getByLabel('Direction of setting 1').selectOption('Responses');
  await card.getByLabel('Threshold of setting 1').fill('0.8');
  await card.getByLabel('Strategy of setting 1').selectOption('Hash');
  await card.getByLabel('Allowed values of setting 1').fill('EMP-000000');
  await isFine(page, 'policy-own-types');
  await page.getByRole('button', { name: 'Compare and publish' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('alert').getByText('guardrails.0.custom_pii.0.name').waitFor();
  await page.keyboard.press('Escape');
  await card.getByLabel('Name of custom type 1').fill('employee');
  await card.getByLabel('Type of setting 1').selectOption('employee');
  await page.getByRole('button', { name: 'Compare and publish' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Version 2, published').waitFor();
  const [stored] = (await owner('GET', `/api/policy/${id}`)).guardrails;
  assert.deepEqual(stored.custom_pii, [
    { name: 'employee', pattern: '\\bEMP-\\d{6}\\b', labels: ['badge', 'employee number'], checksum: 'luhn' },
  ]);
  assert.deepEqual(stored.pii_types, [
    { type: 'employee', direction: 'output', threshold: 0.8, strategy: 'hash', allow: ['EMP-000000'] },
  ]);
  await leave(page);
});

test('a framework that a policy names by another name is ticked', async () => {
  const { path } = await policy('Alias', { compliance_frameworks: ['OWASP LLM Top 10', 'house rules'] });
  const page = await visitor(shared.url, { path: `${path}?tab=compliance` });
  await page.getByText('house rules').waitFor();
  const ticked = page
    .getByRole('group', { name: 'Compliance frameworks of this policy' })
    .getByRole('checkbox', { checked: true });
  assert.equal(await ticked.count(), 1);
  await ticked.uncheck();
  await page.getByText('Draft: 1 change since version 1').waitFor();
  await leave(page);
});

test('a policy starts and stops shadowing a project', async () => {
  const { owner, id, path } = await policy('Shadowing');
  const page = await visitor(shared.url, { path: `${path}?tab=shadow` });
  await page.getByLabel('Shadow another project').selectOption({ label: 'Internal assistant' });
  await page.getByRole('button', { name: 'Start shadowing' }).click();
  await page.getByText(/\d+ of \d+ requests would also have been blocked/).waitFor();
  const shadows = async () =>
    (await owner('GET', '/api/project/list')).projects.filter(({ shadow_policy_id }) => shadow_policy_id === id).length;
  assert.equal(await shadows(), 1);
  await page.getByRole('button', { name: 'Stop shadowing' }).click();
  await page.getByText('This policy shadows no projects.').waitFor();
  assert.equal(await shadows(), 0);
  await leave(page);
});

test('the controls of a framework are shown after it is selected and published', async () => {
  const { path } = await policy('Compliant');
  const page = await visitor(shared.url, { path: `${path}?tab=compliance` });
  await page.getByLabel('GDPR').check();
  await page.getByRole('button', { name: 'Compare and publish' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('img', { name: 'Not supported' }).first().waitFor();
  await leave(page);
});

test('a policy in use is not deleted, and its projects are named', async () => {
  const page = await visitor(shared.url, { path: `/policies/${shared.policyId}` });
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alert').getByText('Support chat').waitFor();
  await leave(page);
});

test('a policy is created from a template', async () => {
  const page = await visitor(shared.url, { path: '/policies' });
  await page.getByRole('button', { name: 'Create policy' }).click();
  await page.getByLabel('Start from').selectOption('gdpr');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: /GDPR/, level: 1 }).waitFor();
  await leave(page);
});

test('a false positive budget, second opinions and a ticket text are saved', async () => {
  const { owner, id, path } = await policy('Written');
  await owner('POST', '/api/connectors/webhook', {
    name: 'desk',
    url: 'http://127.0.0.1:9/',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  });
  const page = await visitor(shared.url, { path });
  const card = page.getByRole('article', { name: 'Toxicity' });
  await card.getByLabel('Ticket').selectOption({ label: 'desk' });
  await card.getByText('Ticket text').click();
  await card.getByLabel('Title').fill('{guardrail} was rude');
  await card.getByLabel('Labels').fill('one two');
  const documents = page.getByRole('article', { name: 'Confidential terms' });
  await documents.getByRole('switch').click();
  await documents.getByRole('button', { name: 'Add reference document' }).click();
  await documents
    .getByLabel('Reference document 1', { exact: true })
    .fill('The recipe of our house sauce is known to three people and nobody else.');
  await isFine(page, 'policy-ticket');
  await page.getByRole('tab', { name: 'General' }).click();
  await page.getByRole('switch', { name: /false positive budget/ }).click();
  await page.getByLabel('False positives (% of harmless texts)').fill('1');
  await page.getByLabel(/May lower a confidence/).fill('0.1');
  await page.getByLabel('If a request was not read completely').selectOption('Escalate');
  await page.getByRole('button', { name: 'Compare and publish' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Version 2, published').waitFor();
  const stored = await owner('GET', `/api/policy/${id}`);
  assert.deepEqual([stored.false_positive_budget, stored.llm_reasoning.may_lower], [0.01, 0.1]);
  assert.equal(stored.incomplete_coverage.action, 'Escalate');
  // The draft left it unchanged, so the service set it for the budget.
  assert.notEqual(stored.guardrails[0].threshold, 0.7);
  const [toxicity, confidential] = stored.guardrails;
  assert.deepEqual([toxicity.ticket.title, toxicity.ticket.labels], ['{guardrail} was rude', ['one', 'two']]);
  assert.equal(confidential.documents.length, 1);
  await leave(page);
});

test('a policy is edited as JSON, with completion, errors and its differences', async () => {
  const page = await visitor(shared.url, { path: `/policies/${shared.strictId}?tab=json` });
  const editor = page.getByRole('textbox', { name: 'Policy as JSON' });
  await editor.waitFor();
  await page.getByText('Applied to the draft.').waitFor();
  await isFine(page, 'policy-json');
  const replaceAll = async (text) => {
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  };
  const owner = await as(shared.url);
  const { policies } = await owner('GET', '/api/policy/list');
  const { policyId, version, created_at, updated_at, ...policy } = policies.find(
    ({ policyId }) => policyId === shared.strictId,
  );
  await replaceAll(JSON.stringify({ ...policy, max_prompt_length: 0 }, null, 2));
  await page.getByText('Not applied to the draft').waitFor();
  await page.locator('.cm-lint-marker-error').first().hover();
  await page.getByText('Expected 1 or more.').first().waitFor();
  const problems = page.getByRole('region', { name: 'Problems' });
  await problems.getByText('1 problem').waitFor();
  await isFine(page, 'policy-json-problems');
  // Selecting a problem leads to its place.
  await problems.getByRole('button', { name: /Line \d+ Expected 1 or more/ }).click();
  await page.keyboard.type('9');
  await problems.waitFor({ state: 'detached' });
  await page.getByText('Applied to the draft.').waitFor();
  const written = JSON.stringify(policy);
  await replaceAll(`${written.slice(0, -1)}, "policyName": "Again"}`);
  await problems.getByText('The object already has the field "policyName".').waitFor();
  // Other sections leave the text as it is.
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await problems.getByText('The object already has the field "policyName".').waitFor();
  await page.getByText('Not applied to the draft').waitFor();
  await replaceAll(JSON.stringify({ ...policy, max_prompt_length: 4321 }, null, 2));
  await page.getByText('Applied to the draft.').waitFor();
  await page.getByText('Draft: 1 change since version').waitFor();
  await page.getByLabel('Show changes').click();
  await page.locator('.cm-deletedChunk').getByText('max_prompt_length').waitFor();
  await isFine(page, 'policy-json-changes');
  await page.getByLabel('Show changes').click();
  await replaceAll('{\n  "policyN');
  await page.keyboard.press('Control+Space');
  await page.getByRole('option', { name: '"policyName"' }).waitFor();
  await page.keyboard.press('Escape');
  // The draft is still the last policy that was one.
  await page.getByRole('tab', { name: 'General' }).click();
  assert.equal(await page.getByLabel('Maximum prompt length (characters)').inputValue(), '4321');
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Draft: 1 change since version').waitFor();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await editor.waitFor();
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await page.getByText('Version 1, published').waitFor();
  await page.getByLabel('Show changes').click();
  await page.waitForTimeout(300);
  assert.equal(await page.locator('.cm-deletedChunk').count(), 0);
  await leave(page);
});
