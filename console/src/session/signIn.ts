import type { Schema } from '@/api/client';
import { answer, api } from '@/api/client';
import { toApiError } from '@/api/error';
import { begin, post } from './session';

/** The organizations to choose from during a sign-in. */
export type Choice = Schema<'ChooseOrganization'>;

async function json(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toApiError(response, body);
  return body;
}

/** Signs in. Returns the organizations to choose from, or null if the session started. */
export async function signIn(username: string, password: string): Promise<Choice | null> {
  const signedIn = (await json(await post('/login', { username, password }))) as Schema<'SignedIn'>;
  if ('pre_auth_token' in signedIn) return signedIn;
  begin(signedIn);
  return null;
}

/** Completes a sign-in in one of the offered organizations. */
export async function choose(choice: Choice, organization: string): Promise<void> {
  const body = { pre_auth_token: choice.pre_auth_token, org_id: organization };
  begin((await json(await post('/auth/select-org', body))) as Schema<'TokenSet'>);
}

/** Returns the invitation of a token. */
export async function invitationOf(token: string): Promise<Schema<'OpenInvitation'>> {
  return (await json(await post('/auth/invitation', { token }))) as Schema<'OpenInvitation'>;
}

/** Accepts an invitation and starts a session in its organization. */
export async function acceptInvitation(request: Schema<'AcceptInvitationRequest'>): Promise<void> {
  begin((await json(await post('/auth/invitation/accept', request))) as Schema<'TokenSet'>);
}

/** Switches to another organization of the same user. */
export async function switchTo(organization: string): Promise<void> {
  begin(await answer(api.POST('/auth/switch-org', { body: { org_id: organization } })));
}
