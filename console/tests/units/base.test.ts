import { expect, test } from 'vitest';
import { at, pathOf } from '@/lib/base';

test('the base path has no slash at the end', () => {
  expect(pathOf('https://host.example/guard/')).toBe('/guard');
  expect(pathOf('https://host.example/')).toBe('');
  expect(at('/healthz')).toBe('/healthz');
});
