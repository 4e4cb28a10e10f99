import { useMutation } from '@tanstack/react-query';
import { answer, api, type Schema } from '@/api/client';
import { queries } from '@/api/queries';
import { fill } from '@/lib/fill';
import { messages as text } from '@/messages/connect';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { type Setup, VARIABLE } from './setups';

type Key = Schema<'NewKey'>;
type Props = { setup: Setup; project: string; created: Key | null; onCreate: (key: Key) => void };

const LIFETIME_DAYS = 90;

/** Creates the key of a client: for its project, with what it needs. */
export function ClientKey({ setup, project, created, onCreate }: Props) {
  const may = usePermission();
  const variable = <code className="font-mono text-xs">{VARIABLE}</code>;
  const run = useMutation({
    meta: { shown: true },
    // The key is forgotten with the page.
    gcTime: 0,
    mutationFn: () =>
      answer(
        api.POST('/api-keys/create', {
          params: {
            query: {
              name: text.keyName(setup.label),
              expires_days: LIFETIME_DAYS,
              projectId: project || undefined,
              permissions: setup.permissions.filter(may).join(','),
            },
          },
        }),
      ),
    onSuccess: (key) => {
      onCreate(key);
      return queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  if (!may('API_KEYS:CREATE_API_KEY'))
    return <p className="text-body text-quiet">{fill(text.mayNotCreate, { variable })}</p>;
  if (created) return <p className="text-body">{text.created}</p>;
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-3">
        <Button kind="primary" busy={run.isPending} onClick={() => run.mutate()}>
          {text.createKey}
        </Button>
        <p className="text-body text-quiet">
          {text.keyHelp} {fill(text.ownKey, { variable })}
        </p>
      </div>
      {run.error && <ErrorNote error={run.error} />}
    </div>
  );
}
