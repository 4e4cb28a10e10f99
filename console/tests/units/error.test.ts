import { expect, test } from 'vitest';
import { ApiError, fieldError } from '@/api/error';

const error = (detail: string) => new ApiError(422, detail, null, null);

test('an error about a field is shown beside that field alone', () => {
  const field = 'gateway.routes.0.model';
  expect(fieldError(error(`${field}: must have 1 to 200 characters`), field)).toBe('Must have 1 to 200 characters');
  expect(fieldError(error(`field required: ${field}`), field)).toBe('Field required');
  for (const other of ['gateway.routes.0.model_name', 'gateway.routes.1.model', 'model', 'gateway.routes.10.model'])
    expect(fieldError(error(`${field}: must have 1 to 200 characters`), other)).toBe(null);
  expect(fieldError(error('policy not found'), field)).toBe(null);
  expect(fieldError(new TypeError(`${field}: no`), field)).toBe(null);
  expect(fieldError(null, field)).toBe(null);
});
