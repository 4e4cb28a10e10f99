import { expect, test } from 'vitest';
import { piiTypes } from '@/messages/pii';

const PAGES = import.meta.glob<string>('../../../docs/reference/pii-types.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

test('every documented PII type has a name', () => {
  const rows = Object.values(PAGES)
    .join('')
    .matchAll(/^\| `(\w+)` \|/gm);
  expect(Object.keys(piiTypes)).toEqual([...rows].map(([, name]) => name));
});
