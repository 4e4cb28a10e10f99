import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { answer, api } from '@/api/client';
import { common } from '@/messages/common';
import { messages } from '@/messages/profile';
import { me } from '@/session/me';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { toast } from '@/ui/toasts';
import { Sessions } from './Sessions';

/** Shows the user's roles, permissions and sessions, and changes the password. */
export function Profile() {
  const query = useQuery(me);
  return (
    <Page title={messages.title}>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title={messages.account}>
          <Loaded query={query}>
            {({ username, role, organizations, permissions }) => (
              <dl className="grid grid-cols-[8rem_1fr] gap-x-3 gap-y-2 text-body">
                <dt className="text-quiet">{common.username}</dt>
                <dd className="font-medium">{username}</dd>
                <dt className="text-quiet">{messages.role}</dt>
                <dd>{role}</dd>
                <dt className="text-quiet">{messages.organizations}</dt>
                <dd>{organizations.map(({ name, role: as }) => messages.organization(name, as)).join(', ')}</dd>
                <dt className="text-quiet">{messages.permissions}</dt>
                <dd>
                  <details>
                    <summary className="text-accent">{messages.permissionCount(permissions.length)}</summary>
                    <ul className="mt-1 font-mono text-xs leading-relaxed">
                      {permissions.map((one) => (
                        <li key={one}>{one}</li>
                      ))}
                    </ul>
                  </details>
                </dd>
              </dl>
            )}
          </Loaded>
        </Card>
        <Card title={messages.changePassword} note={messages.changePasswordNote}>
          <PasswordForm />
        </Card>
        <Sessions />
      </div>
    </Page>
  );
}

function PasswordForm() {
  const form = useRef<HTMLFormElement>(null);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async (fields: FormData) => {
      const [current_password, new_password, again] = ['current', 'new', 'again'].map((name) =>
        String(fields.get(name)),
      );
      if (new_password !== again) throw new Error(messages.mismatch);
      return answer(
        api.POST('/api/users/me/password', {
          body: { current_password: current_password ?? '', new_password: new_password ?? '' },
        }),
      );
    },
    onSuccess: () => {
      form.current?.reset();
      toast(messages.changed);
    },
  });
  return (
    <form
      ref={form}
      className="max-w-sm space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        run.mutate(new FormData(event.currentTarget));
      }}
    >
      <Input label={messages.current} name="current" type="password" autoComplete="current-password" required />
      <Input
        label={messages.new}
        name="new"
        type="password"
        autoComplete="new-password"
        required
        hint={common.passwordRules}
      />
      <Input label={messages.repeat} name="again" type="password" autoComplete="new-password" required />
      {run.error && <ErrorNote error={run.error} />}
      <Button type="submit" kind="primary" busy={run.isPending}>
        {messages.changePassword}
      </Button>
    </form>
  );
}
