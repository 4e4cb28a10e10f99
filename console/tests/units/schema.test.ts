import { expect, test } from 'vitest';
import { problems, type Schemas, schemasAt } from '@/editor/schema';

const SCHEMAS: Schemas = {
  Policy: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 4 },
      rules: { type: 'array', maxItems: 2, items: { $ref: '#/components/schemas/Rule' } },
      budget: { type: ['number', 'null'], minimum: 0.1, maximum: 1 },
      reasoning: { oneOf: [{ $ref: '#/components/schemas/Reasoning' }, { type: 'null' }] },
    },
  },
  Rule: { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { on: { type: 'boolean' } } }] },
  Base: { type: 'object', required: ['kind'], properties: { kind: { $ref: '#/components/schemas/Kind' } } },
  Kind: { type: 'string', enum: ['a', 'b'] },
  Reasoning: { type: 'object', properties: { limit: { type: 'integer' } } },
};
const ROOT = { $ref: '#/components/schemas/Policy' };
const found = (value: unknown) => problems(SCHEMAS, ROOT, value).map(({ path, message }) => [path.join('.'), message]);

test('what fits the schema has no problems', () => {
  expect(found({ name: 'x', rules: [{ kind: 'a', on: true }], budget: 1, reasoning: null })).toEqual([]);
  expect(found({ name: 'x', budget: null, reasoning: { limit: 3 } })).toEqual([]);
});

test('each problem has its place', () => {
  expect(found({ title: 'x' })).toEqual([
    ['', 'The field name is missing.'],
    ['title', 'There is no field title.'],
  ]);
  expect(found({ name: 'abcde', budget: 2 })).toEqual([
    ['name', 'Expected 4 or fewer characters.'],
    ['budget', 'Expected 1 or less.'],
  ]);
  expect(found({ name: 'x', rules: [{}, { kind: 'c' }, { kind: 'a', on: 1 }] })).toEqual([
    ['rules', 'Expected 2 or fewer items.'],
    ['rules.0', 'The field kind is missing.'],
    ['rules.1.kind', 'Expected one of "a", "b".'],
    ['rules.2.on', 'Expected true or false.'],
  ]);
  expect(found({ name: 'x', reasoning: 7 })).toEqual([['reasoning', 'Expected an object or null.']]);
  expect(found({ name: 'x', reasoning: { limit: 1.5 } })).toEqual([['reasoning.limit', 'Expected a whole number.']]);
  expect(found([])).toEqual([['', 'Expected an object.']]);
});

test('a place leads to its schemas through references, lists and alternatives', () => {
  const at = (...path: (string | number)[]) => schemasAt(SCHEMAS, ROOT, path);
  expect(at('rules', 0).flatMap(({ properties }) => Object.keys(properties ?? {}))).toEqual(['kind', 'on']);
  expect(at('rules', 0, 'kind')[0]?.enum).toEqual(['a', 'b']);
  expect(at('reasoning', 'limit')[0]?.type).toBe('integer');
  expect(at('nothing', 3)).toEqual([]);
});
