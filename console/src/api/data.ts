import { queryOptions } from '@tanstack/react-query';
import type { StoredPolicy } from '@/lib/policy';
import { answer, api } from './client';

// Queries that several pages use.

/** The policies of the organization. */
export const policies = queryOptions({
  queryKey: ['policies'],
  queryFn: async () => (await answer(api.GET('/api/policy/list'))).policies as StoredPolicy[],
});

/** The policy for requests without a project. */
export const defaultPolicy = queryOptions({
  queryKey: ['policies', 'default'],
  queryFn: () => answer(api.GET('/api/policy/default')),
  staleTime: Infinity,
});

/** The policy templates. */
export const templates = queryOptions({
  queryKey: ['policies', 'templates'],
  queryFn: async () => (await answer(api.GET('/api/policy/templates'))).templates,
  staleTime: Infinity,
});

/** The projects that the caller belongs to. */
export const projects = queryOptions({
  queryKey: ['projects'],
  queryFn: async () => (await answer(api.GET('/api/project/list'))).projects,
});

/** All guardrails with their measured operating points. */
export const guardrails = queryOptions({
  queryKey: ['guardrails'],
  queryFn: () => answer(api.GET('/api/guardrails')),
  staleTime: Infinity,
});

/** All permissions of the catalogue. */
export const permissions = queryOptions({
  queryKey: ['permissions'],
  queryFn: async () => (await answer(api.GET('/api/permissions'))).permissions,
  staleTime: Infinity,
});

/** The caller's organization. */
export const organization = queryOptions({
  queryKey: ['organization'],
  queryFn: () => answer(api.GET('/api/organization')),
});

/** The API keys that the caller sees. */
export const keys = queryOptions({
  queryKey: ['keys'],
  queryFn: async () => (await answer(api.GET('/api-keys/list'))).api_keys,
});

/** The connectors of the organization. */
export const connectors = queryOptions({
  queryKey: ['connectors'],
  queryFn: async () => (await answer(api.GET('/api/connectors/list'))).connectors,
});

/** The alert rules of the organization. */
export const alerts = queryOptions({
  queryKey: ['alerts'],
  queryFn: async () => (await answer(api.GET('/api/alerts'))).alerts,
});

/** The roles of the organization, built-in ones first. */
export const roles = queryOptions({
  queryKey: ['roles'],
  queryFn: async () => {
    const { roles: all } = await answer(api.GET('/api/roles', { params: { query: { limit: 500 } } }));
    return all.toSorted((one, other) => Number(other.built_in) - Number(one.built_in));
  },
});

/** The first 500 users of the organization. */
export const userNames = queryOptions({
  queryKey: ['users', 'names'],
  queryFn: async () => (await answer(api.GET('/api/users', { params: { query: { limit: 500 } } }))).users,
});
