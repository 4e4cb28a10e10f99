import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schema } from '@/api/client';
import { ApiError, fieldError } from '@/api/error';
import { common } from '@/messages/common';
import { messages } from '@/messages/invitations';
import { forgetInvitation } from '@/session/invitationToken';
import { acceptInvitation } from '@/session/signIn';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input } from '@/ui/Field';
import { useFocusFirstError } from '@/ui/useFocusFirstError';

type Account = Schema<'InvitedAccount'>;

/** Accepts an invitation with a new or an existing account, and opens the console. */
export function AcceptForm({ token, onClosed }: { token: string; onClosed: () => void }) {
  const [account, setAccount] = useState<Account>('new');
  const navigate = useNavigate();
  const client = useQueryClient();
  const run = useMutation({
    meta: { shown: true },
    mutationFn: (form: FormData) => {
      const [username, password] = [String(form.get('username')), String(form.get('password'))];
      return acceptInvitation({ token, username, password, account });
    },
    onSuccess: async () => {
      forgetInvitation();
      await navigate({ to: '/' });
      // Another user may have been signed in.
      await client.resetQueries();
    },
    onError: (error) => error instanceof ApiError && error.status === 404 && onClosed(),
  });
  const errors = fieldErrors(run.error, account);
  const form = useFocusFirstError(run.error);
  const isNew = account === 'new';
  return (
    <form
      ref={form}
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        run.mutate(new FormData(event.currentTarget));
      }}
    >
      <Input
        label={common.username}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        required
        error={errors.username}
      />
      <Input
        key={account}
        label={isNew ? messages.newPassword : messages.password}
        name="password"
        type="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        required
        hint={isNew ? common.passwordRules : messages.existingHint}
        error={errors.password}
      />
      {run.error && !errors.username && !errors.password && <ErrorNote error={run.error} />}
      <Button type="submit" kind="primary" className="w-full" busy={run.isPending}>
        {isNew ? messages.createAndJoin : messages.join}
      </Button>
      <Button
        className="w-full"
        kind="quiet"
        onClick={() => {
          run.reset();
          setAccount(isNew ? 'existing' : 'new');
        }}
      >
        {isNew ? messages.useExisting : messages.useNew}
      </Button>
    </form>
  );
}

/** Returns what an error says about each field; null if it is about something else. */
function fieldErrors(error: unknown, account: Account): { username: string | null; password: string | null } {
  const status = error instanceof ApiError ? error.status : null;
  const conflict = account === 'new' ? messages.taken : messages.alreadyMember;
  return {
    username: status === 409 ? conflict : fieldError(error, 'username'),
    password: status === 401 ? messages.wrongPassword : fieldError(error, 'password'),
  };
}
