import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { toApiError } from '@/api/error';
import { at } from '@/lib/base';
import { messages as text } from '@/messages/connect';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import type { Setup, Target } from './setups';

type Props = { setup: Setup; target: Target; apiKey: string | null; isOff: boolean };

/** Sends one call as the client does, with its key. */
export function TestCall({ setup, target, apiKey, isOff }: Props) {
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async (key: string) => {
      const { path, body } = setup.call(target);
      // As the application: with its key, and without the session of the user.
      const response = await fetch(at(path), {
        method: 'POST',
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      // A blocked call may have the status of an error; its entry arrives all the same.
      if (response.status >= 500 || [401, 403, 404, 422].includes(response.status))
        throw toApiError(response, await response.json().catch(() => null));
      return response.status;
    },
  });
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          disabled={apiKey === null || isOff}
          busy={run.isPending}
          onClick={() => apiKey !== null && run.mutate(apiKey)}
        >
          <Send aria-hidden size={14} />
          {text.send}
        </Button>
        <p className="text-body text-quiet">
          {run.data !== undefined ? text.sent(run.data) : apiKey === null ? text.needsKey : text.sendHelp}
        </p>
      </div>
      {run.error && <ErrorNote error={run.error} />}
    </div>
  );
}
