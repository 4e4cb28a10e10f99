import { useMutation } from '@tanstack/react-query';
import { answer, api, type Schema } from '@/api/client';
import { ApiError, fieldError } from '@/api/error';
import { common } from '@/messages/common';
import { messages } from '@/messages/users';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select } from '@/ui/Field';
import { toast } from '@/ui/toasts';
import { useFocusFirstError } from '@/ui/useFocusFirstError';
import { useRoleNames } from './roleNames';

type Props = { user: Schema<'UserRecord'> | null; onClose: () => void; onDone: () => void };

/** Creates a user, or changes their role or password. */
export function UserDialog({ user, onClose, onDone }: Props) {
  const names = useRoleNames(user?.role);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async (form: FormData): Promise<unknown> => {
      const [role, password] = [String(form.get('role')), String(form.get('password'))];
      if (user === null)
        return answer(api.POST('/api/users', { body: { username: String(form.get('username')), password, role } }));
      const body = { role, password: password === '' ? undefined : password };
      return answer(api.PUT('/api/users/{user_id}', { params: { path: { user_id: user.user_id } }, body }));
    },
    onSuccess: () => {
      onDone();
      onClose();
    },
  });
  const errors = fieldErrors(run.error);
  const isElsewhere = Object.values(errors).every((error) => error === null);
  const form = useFocusFirstError(run.error);
  return (
    <Dialog
      title={user === null ? messages.newTitle : common.editNamed(user.username)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="user" busy={run.isPending}>
            {user === null ? common.create : common.save}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id="user"
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          run.mutate(new FormData(event.currentTarget));
        }}
      >
        {user === null && (
          <Input label={common.username} name="username" required autoComplete="off" error={errors.username} />
        )}
        <Select
          label={common.role}
          name="role"
          defaultValue={user?.role ?? 'viewer'}
          options={names}
          error={errors.role}
        />
        <Input
          label={user === null ? messages.password : messages.newPassword}
          name="password"
          type="password"
          required={user === null}
          autoComplete="new-password"
          hint={common.passwordRules}
          error={errors.password}
        />
        {run.error && isElsewhere && <ErrorNote error={run.error} />}
      </form>
      {user?.last_active_at && <EndSessions user={user} onDone={onDone} />}
    </Dialog>
  );
}

/** Returns what an error says about each field; null if it is about something else. */
function fieldErrors(error: unknown): Record<'username' | 'role' | 'password', string | null> {
  const [status, detail] = error instanceof ApiError ? [error.status, error.detail] : [null, null];
  const isTaken = status === 409 && detail === 'a user with that name already exists';
  return {
    username: isTaken ? messages.usernameTaken : fieldError(error, 'username'),
    role: fieldError(error, 'role'),
    password: fieldError(error, 'password'),
  };
}

/** Signs a user out everywhere in this organization. */
function EndSessions({ user, onDone }: { user: Schema<'UserRecord'>; onDone: () => void }) {
  const run = useMutation({
    mutationFn: () =>
      answer(api.DELETE('/api/users/{user_id}/sessions', { params: { path: { user_id: user.user_id } } })),
    onSuccess: () => {
      toast(messages.sessionsEnded);
      onDone();
    },
  });
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3 border-t border-line pt-3">
      <p className="min-w-0 flex-1 text-xs text-quiet">{messages.endSessionsNote}</p>
      <Button small kind="danger" busy={run.isPending} onClick={() => run.mutate()}>
        {messages.endSessions}
      </Button>
    </div>
  );
}
