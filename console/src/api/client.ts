import createClient from 'openapi-fetch';
import { basePath } from '@/lib/base';
import { access, expired, renew } from '@/session/session';
import { fetchNoted } from './connection';
import { toApiError } from './error';
import type { components, paths } from './schema';

/** A schema of the API by its name in `openapi.json`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** A typed client of every operation in `openapi.json`, as the signed-in user. */
export const api = createClient<paths>({ baseUrl: basePath, fetch: send });

type Outcome<T> = { data?: T; error?: unknown; response: Response };

/** Returns the body of a success; throws `ApiError` otherwise. */
export async function answer<T>(call: Promise<Outcome<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  if (!response.ok || data === undefined || data === null) throw toApiError(response, error);
  return data;
}

/** Sends a request with the access token, and again with a new token if the first one has expired. */
export async function send(request: Request): Promise<Response> {
  const token = await access();
  const first = await fetchNoted(signed(request.clone(), token));
  if (first.status !== 401) return first;
  const next = await renew(token);
  const second = next === null ? first : await fetchNoted(signed(request, next));
  if (second.status === 401) await expired(second.clone());
  return second;
}

function signed(request: Request, token: string | null): Request {
  if (token !== null) request.headers.set('Authorization', `Bearer ${token}`);
  return request;
}
