import { afterEach, expect, test, vi } from 'vitest';
import { type common, wireLabels } from '@/messages/common';
import { dictionary as german } from '@/messages/de';
import type { Dictionary } from '@/messages/dictionary';
import { dictionary as spanish } from '@/messages/es';

const LANGUAGES = { de: german, es: spanish };

// Commands, examples that are sent to the service, formats.
const IS_CODE =
  /\.(command|actionPlaceholder|principalPlaceholder|priorityPlaceholder|labelsPlaceholder|null|or|json)$|^playground\.samples\.|^connect\.(attack|personal|exampleModel)$/;
// Products, standards and what is made of values and names alone.
const NAMES = new Set([
  '11 · guardengine',
  'Anthropic SDK',
  'Base32',
  'Base64',
  'Claude Code',
  'Codex',
  'IBAN',
  'LiteLLM',
  'Lakera',
  'Leetspeak',
  'OpenAI SDK',
  'PostgreSQL',
  'Presidio',
  'ROT13',
  'Redis',
  'SHA-256 11',
  'UTC',
  'Webhook',
  'Webhooks',
  'guardengine',
]);
// Words that are the same in English and the other language.
const SAME_WORDS: Record<string, string> = {
  de: ` · in Name 11|{guardrail} in {project}|11 (optional)|Audio|Build|Client|Compliance|Credits|Dashboard|Definition|
    Enter|Esc|Filter|Gateway|Labels|Live|My Number (Japan)|Name|Playground|Prompt|Prompts|Region|Sandbox|Status|System|
    Text|Ticket|Tickets|Version|Version 11`,
  es: `Audio|Ctrl|Ctrl K|Error|Esc|General|Local: 11|Morse|PAN (India)|Prompt|Prompts|Roles|Tokens|prompts`,
};

// The English sections by their names, as `dictionary.ts` lists them.
const FILES = import.meta.glob<Record<string, object>>('../../src/messages/*.ts', { eager: true });
const sectionOf = (path: string, name: string) =>
  name === 'messages'
    ? path.replace(/^.*\/(.*)\.ts$/, '$1').replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())
    : name;
const ENGLISH = Object.fromEntries(
  Object.entries(FILES).flatMap(([path, module]) =>
    Object.entries(module)
      .filter(([, value]) => typeof value === 'object')
      .map(([name, value]) => [sectionOf(path, name), value]),
  ),
) as unknown as Dictionary;

type Text = string | ((...values: unknown[]) => string);

/** Every text of an object with its path, such as `logs.search.label`. */
function texts(value: unknown, path: string[] = []): [path: string, text: Text][] {
  if (typeof value === 'string' || typeof value === 'function') return [[path.join('.'), value as Text]];
  return Object.entries(value as object).flatMap(([key, inner]) => texts(inner, [...path, key]));
}

// By wire names, for which English shows their own words or the texts of the API.
const isByWireName = (path: string) => /^(wireLabels|descriptions)\./.test(path);
const english = new Map(texts(ENGLISH).filter(([path]) => !isByWireName(path)));

// Values for messages with values: numbers, texts, lists.
const VALUES = [
  (first: number) => [first, 12, 13, 14, 15],
  (first: number) => [first, 12, 13, 14, 15].map((value) => `Name ${value}`),
  (first: number) => [first, 12, 13, 14, 15].map((value) => [`Name ${value}`]),
];

/** Returns the text that a message has for its values, of the first type that it accepts. */
function written(text: Text, first: number): string {
  if (typeof text === 'string') return text;
  for (const values of VALUES) {
    try {
      return text(...values(first));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  throw new Error('the message accepts none of the values');
}

/** The placeholders and numbers in a text, in the order of the alphabet. */
function values(text: string): string[] {
  const plain = text.replace(/(?<=\d)[.,\s](?=\d{3}\b)/g, '');
  return [...plain.matchAll(/\{\w+\}|\d+/g)].map(([found]) => found).sort();
}

for (const [language, dictionary] of Object.entries(LANGUAGES)) {
  const translations = new Map(texts(dictionary).filter(([path]) => !isByWireName(path)));
  const sameWords = new Set((SAME_WORDS[language] ?? '').split(/\|\s*/));

  test(`every text has its translation in ${language}, and no other text is there`, () => {
    const missing = [...english.keys()].filter((path) => !translations.has(path));
    const superfluous = [...translations.keys()].filter((path) => !english.has(path));
    expect({ missing, superfluous }).toEqual({ missing: [], superfluous: [] });
  });

  test(`texts in ${language} have the placeholders, values and numbers of the English ones`, () => {
    // One word for each status, which agrees with its noun.
    const phrased = new Set(['reviews.empty']);
    const different = [...translations]
      .filter(([path]) => english.has(path) && !phrased.has(path))
      .map(([path, text]) => [path, english.get(path) as Text, text] as const)
      .filter(([, source, text]) => `${values(written(source, 11))}` !== `${values(written(text, 11))}`)
      .map(([path, , text]) => `${path}: ${written(text, 11)}`);
    expect(different).toEqual([]);
  });

  test(`texts in ${language} have a form for one wherever English has`, () => {
    const words = (text: Text, first: number) => written(text, first).replace(/\d+/g, '');
    const same = [...translations]
      .filter(([path]) => {
        const source = english.get(path);
        return typeof source === 'function' && words(source, 1) !== words(source, 11);
      })
      .filter(([, text]) => words(text, 1) === words(text, 11))
      .map(([path]) => path);
    // A German match is the same word as several.
    expect(same).toEqual(language === 'de' ? ['policies.patterns.matches'] : []);
  });

  test(`texts in ${language} are translated, except for names and words that are the same`, () => {
    const same = [...translations]
      .filter(([path, text]) => /\p{L}{3,}/u.test(written(text, 11).replace('Name', '')) && english.has(path))
      .filter(([path, text]) => written(text, 11) === written(english.get(path) as Text, 11))
      .filter(
        ([path, text]) => !IS_CODE.test(path) && !NAMES.has(written(text, 11)) && !sameWords.has(written(text, 11)),
      )
      .map(([path, text]) => `${path}: ${written(text, 11)}`);
    expect(same).toEqual([]);
  });
}

// The closed sets of wire values that the console shows as words.
const SHOWN_AS_WORDS = `Decision|LogOutcome|RiskLevel|FeedbackMark|MaskingStrategy|LogContent|WrittenAction|Direction|
  GuardrailName`.split(/\|\s*/);
const DOCUMENTS = import.meta.glob<string>('../../../openapi.json', { query: '?raw', import: 'default', eager: true });
const API = JSON.parse(Object.values(DOCUMENTS)[0] ?? '') as {
  components: { schemas: Record<string, { enum?: string[] }> };
};

test('every wire value that is shown as words has a name in each language', () => {
  const known = SHOWN_AS_WORDS.flatMap((name) => API.components.schemas[name]?.enum ?? []);
  expect(known.length).toBeGreaterThan(40);
  for (const { wireLabels: names } of Object.values(LANGUAGES))
    expect(known.filter((value) => !(names[value] ?? names[value.toLowerCase()]))).toEqual([]);
  expect(Object.keys(german.wireLabels).sort()).toEqual(Object.keys(spanish.wireLabels).sort());
  expect(Object.keys(wireLabels).filter((value) => !(value in german.wireLabels))).toEqual([]);
});

test('every guardrail and permission has a description in each language', () => {
  const names = ['GuardrailName', 'PermissionName'].flatMap((name) => API.components.schemas[name]?.enum ?? []).sort();
  expect(names.length).toBeGreaterThan(50);
  for (const { descriptions } of Object.values(LANGUAGES)) expect(Object.keys(descriptions).sort()).toEqual(names);
});

afterEach(() => {
  vi.doUnmock('@/lib/language');
  vi.resetModules();
});

/** Imports the formats and plurals as they are in another language. */
async function inLanguage(language: 'de' | 'es') {
  vi.resetModules();
  vi.doMock('@/lib/language', () => ({ language, locale: language }));
  return {
    ...(await import('@/lib/format')),
    ...(await import('@/lib/table')),
    entries: (await import(`@/messages/${language}/common.ts`)).common.entries as typeof common.entries,
  };
}

test('numbers, plurals and times follow the language', async () => {
  const spaces = (text: string) => text.replace(/\s/g, ' ');
  const de = await inLanguage('de');
  expect([0, 1, 12_345].map(de.entries)).toEqual(['0 Einträge', '1 Eintrag', '12.345 Einträge']);
  expect([spaces(de.percent(0.1234)), de.decimal(0.5), de.milliseconds(1_234)]).toEqual(['12,3 %', '0,50', '1.234 ms']);
  expect(de.since('2026-01-01T00:00:00Z', Date.parse('2026-01-01T02:00:00Z'))).toBe('vor 2 Stunden');
  expect(de.duration(86_400_000 + 3_600_000)).toBe('1 Tag 1 Stunde');
  expect(de.day('2026-03-31T12:00:00Z')).toBe('31. März 2026');
  expect(de.inSentence('Kein Risiko')).toBe('Kein Risiko');
  expect(['z', 'ä', 'a'].sort(de.collator.compare)).toEqual(['a', 'ä', 'z']);
  expect(de.fileName('API-Schlüssel')).toBe('guardengine-api-schlussel.csv');
  const es = await inLanguage('es');
  expect([1, 2, 12_345].map(es.entries)).toEqual(['1 entrada', '2 entradas', '12.345 entradas']);
  expect(es.duration(86_400_000 + 3_600_000)).toBe('1 día 1 hora');
  expect(es.inSentence('Sin riesgo')).toBe('sin riesgo');
});

test('a language is chosen by the first one of the browser that the console has', async () => {
  const { localeOf, preferred } = await import('@/lib/language');
  expect([['fr', 'de-AT', 'en'], ['EN-gb'], ['fr'], [], ['es-419', 'de']].map(preferred)).toEqual([
    'de',
    'en',
    'en',
    'en',
    'es',
  ]);
  expect([localeOf('de', ['en', 'de-AT', 'de']), localeOf('es', ['en'])]).toEqual(['de-AT', 'es']);
});
