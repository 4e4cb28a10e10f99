import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { answer, api } from '@/api/client';
import { me } from '@/session/me';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { toast } from '@/ui/toasts';

/** Who one is, what one may do, and one's password. */
export function Profile() {
  const query = useQuery(me);
  return (
    <Page title="Profile">
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title="You">
          <Loaded query={query}>
            {({ username, role, organizations, permissions }) => (
              <dl className="grid grid-cols-[8rem_1fr] gap-x-3 gap-y-2 text-body">
                <dt className="text-quiet">Username</dt>
                <dd className="font-medium">{username}</dd>
                <dt className="text-quiet">Role here</dt>
                <dd>{role}</dd>
                <dt className="text-quiet">Organisations</dt>
                <dd>{organizations.map(({ name, role: as }) => `${name} (${as})`).join(', ')}</dd>
                <dt className="text-quiet">Permissions</dt>
                <dd>
                  <details>
                    <summary className="text-accent">{permissions.length} of them</summary>
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
        <Card title="Change your password" note="your other sessions end">
          <PasswordForm />
        </Card>
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
      if (new_password !== again) throw new Error('The new password and its repetition differ.');
      return answer(
        api.POST('/api/users/me/password', {
          body: { current_password: current_password ?? '', new_password: new_password ?? '' },
        }),
      );
    },
    onSuccess: () => {
      form.current?.reset();
      toast('Your password is changed.');
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
      <Input label="Current password" name="current" type="password" autoComplete="current-password" required />
      <Input
        label="New password"
        name="new"
        type="password"
        autoComplete="new-password"
        required
        hint="At least 8 characters, with an upper-case letter, a lower-case letter and a digit."
      />
      <Input label="New password again" name="again" type="password" autoComplete="new-password" required />
      {run.error && <ErrorNote error={run.error} />}
      <Button type="submit" kind="primary" busy={run.isPending}>
        Change the password
      </Button>
    </form>
  );
}
