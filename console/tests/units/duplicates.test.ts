import { expect, test } from 'vitest';
import { duplicateKeys } from '@/editor/duplicates';

test('keys that an object has twice are found, each object by itself', () => {
  const text = '{"a": 1, "b": {"a": 2}, "list": [{"a": 1}, {"a": 1}], "a": "a\\": {"}';
  expect(duplicateKeys(text)).toEqual([
    { name: '"a"', from: text.lastIndexOf('"a":'), to: text.lastIndexOf('"a":') + 3 },
  ]);
  expect(duplicateKeys('["a", "a"]')).toEqual([]);
  expect(duplicateKeys('{"a": "b", "b" : "b", "b"\n: 2}')).toHaveLength(1);
});
