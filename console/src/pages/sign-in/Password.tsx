import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '@/api/error';
import { fill } from '@/lib/fill';
import { common } from '@/messages/common';
import { messages } from '@/messages/sign-in';
import { type Choice, signIn } from '@/session/signIn';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input } from '@/ui/Field';

/** The first step of a sign-in: username and password. */
export function Password({ onChoice }: { onChoice: (choice: Choice) => void }) {
  const [until, setUntil] = useState(0);
  const locked = useSecondsUntil(until);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: (form: FormData) => signIn(String(form.get('username')), String(form.get('password'))),
    onSuccess: (choice) => choice && onChoice(choice),
    onError: (error) => {
      if (error instanceof ApiError && error.retryAfter !== null) setUntil(Date.now() + error.retryAfter * 1000);
    },
  });
  return (
    <form
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
        required
        autoFocus
      />
      <Input label={messages.password} name="password" type="password" autoComplete="current-password" required />
      {run.error && !run.isPending && (locked === 0 && until > 0 ? null : <ErrorNote error={run.error} />)}
      {locked > 0 && (
        <p role="timer" className="text-body text-quiet">
          {fill(messages.tryAgainIn, { time: <strong className="tabular text-ink">{clock(locked)}</strong> })}
        </p>
      )}
      <Button type="submit" kind="primary" className="w-full" busy={run.isPending} disabled={locked > 0}>
        {messages.submit}
      </Button>
    </form>
  );
}

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Returns the seconds until a time (milliseconds since 1970), updated while they count down. */
function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (moment === 0) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [moment]);
  return Math.max(0, Math.ceil((moment - now) / 1000));
}
