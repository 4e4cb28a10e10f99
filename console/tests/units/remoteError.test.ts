import { expect, test } from 'vitest';
import { remoteErrorKind } from '@/lib/remoteError';

test('errors of connected systems are recognized by their status and words', () => {
  const kinds = [
    'it answered 401',
    'it answered 403: no permission to create issues',
    'it answered 404',
    'it answered 422: fields.priority',
    'it answered 429',
    'it answered 503',
    'no response within 10000 ms',
    'it cannot be reached: dns error: failed to lookup address information',
    'it cannot be reached: invalid peer certificate: UnknownIssuer',
    'it cannot be reached: Connection refused (os error 111)',
    'not sent: the address leads to a private network, which is not allowed',
    'not sent: repeated failures; next attempt in 30 s',
    'the response does not have the documented format',
    'the moon is full',
  ].map(remoteErrorKind);
  expect(kinds).toEqual([
    'credentials',
    'forbidden',
    'missing',
    'refused',
    'busy',
    'broken',
    'timeout',
    'name',
    'certificate',
    'unreachable',
    'blocked',
    'paused',
    'unreadable',
    null,
  ]);
});
