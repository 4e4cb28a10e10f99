import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { projects } from '@/api/data';
import type { StoredPolicy } from '@/lib/policy';
import { common } from '@/messages/common';
import { messages } from '@/messages/policies';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select } from '@/ui/Field';
import { Card } from '@/ui/Page';
import type { Draft } from '../useDraft';
import { Result } from './Result';
import { useReplay } from './useReplay';

const text = messages.replay;

// Requests of the projects that use this policy.
const OWN = 'own';
const EVERY = '';

/** Shows how the draft would have decided about earlier requests. */
export function Replay({ stored, draft }: { stored: StoredPolicy; draft: Draft }) {
  const may = usePermission();
  const made = useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') }).data ?? [];
  const own = made.filter(({ policyId }) => policyId === stored.policyId).map(({ projectId }) => projectId);
  const [project, setProject] = useState(OWN);
  const [days, setDays] = useState('7');
  const [limit, setLimit] = useState('200');
  const scope = { projects: project === OWN ? own : [project], days: Number(days), limit: Number(limit) };
  const { result, run, cancel } = useReplay(stored, draft, scope);
  const visited = result.replayed + result.skipped;
  if (!may('LOGS:VIEW_LOG')) return <p className="text-body text-quiet">{text.denied}</p>;
  return (
    <Card title={text.title} note={draft.changed > 0 ? text.ofDraft : text.ofPublished}>
      <div className="space-y-4">
        <p className="max-w-3xl text-body text-quiet">{text.before(scope.limit, scope.days)}</p>
        <Scope
          project={project}
          options={made.map(({ projectId, projectName }) => [projectId, projectName] as const)}
          onProject={setProject}
          days={[days, setDays]}
          limit={[limit, setLimit]}
        >
          <Button
            kind="primary"
            busy={run.isPending}
            disabled={project === OWN && own.length === 0}
            onClick={() => run.mutate(false)}
          >
            {text.run}
          </Button>
          {!run.isPending && Object.keys(result.cursors).length > 0 && (
            <Button onClick={() => run.mutate(true)}>{text.older}</Button>
          )}
        </Scope>
        {project === OWN && own.length === 0 && <p className="text-body text-quiet">{text.noProject}</p>}
        {run.isPending && <Progress visited={visited} limit={scope.limit} onCancel={cancel} />}
        {run.error && <ErrorNote error={run.error} />}
        {(run.isSuccess || visited > 0) && <Result of={result} isRunning={run.isPending} />}
      </div>
    </Card>
  );
}

type ScopeProps = {
  project: string;
  options: (readonly [string, string])[];
  onProject: (project: string) => void;
  days: [string, (days: string) => void];
  limit: [string, (limit: string) => void];
  children: ReactNode;
};

/** Selects the requests that are replayed. */
function Scope({ project, options, onProject, days, limit, children }: ScopeProps) {
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select
        label={common.project}
        boxClass="w-64"
        value={project}
        options={[[OWN, text.ownProjects], [EVERY, common.allProjects], ...options]}
        onChange={(event) => onProject(event.target.value)}
      />
      <Input
        label={text.days}
        boxClass="w-28"
        type="number"
        min={1}
        max={400}
        value={days[0]}
        onChange={(event) => days[1](event.target.value)}
      />
      <Input
        label={text.limit}
        boxClass="w-32"
        type="number"
        min={1}
        max={1000}
        value={limit[0]}
        onChange={(event) => limit[1](event.target.value)}
      />
      {children}
    </div>
  );
}

function Progress({ visited, limit, onCancel }: { visited: number; limit: number; onCancel: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3 text-body">
      <progress aria-label={text.progressLabel} max={limit} value={visited} className="h-2 w-64 accent-accent" />
      <span role="status">{text.progress(visited, limit)}</span>
      <Button small onClick={onCancel}>
        {text.stop}
      </Button>
    </div>
  );
}
