import { useMutation, useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { organization } from '@/api/data';
import { queries } from '@/api/queries';
import { messages } from '@/messages/organization';
import { usePermission } from '@/session/me';
import { ErrorNote } from '@/ui/ErrorNote';
import { Toggle } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';

/** Shows and changes whether guard requests must name a project. */
export function RequireProject() {
  const may = usePermission();
  const query = useQuery(organization);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: (require_project: boolean) => answer(api.PUT('/api/organization', { body: { require_project } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['organization'] }),
  });
  return (
    <Card title={messages.withoutProject}>
      <Loaded query={query} lines={1}>
        {({ require_project }) => (
          <div className="space-y-2">
            <Toggle
              label={messages.requireProject}
              checked={require_project}
              disabled={run.isPending || !may('ORGANIZATION:UPDATE_ORGANIZATION')}
              onChange={(on) => run.mutate(on)}
            />
            <p className="text-xs text-quiet">{require_project ? messages.refusesOthers : messages.acceptsOthers}</p>
            {run.error && <ErrorNote error={run.error} />}
          </div>
        )}
      </Loaded>
    </Card>
  );
}
