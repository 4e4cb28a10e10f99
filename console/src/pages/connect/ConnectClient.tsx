import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Schema } from '@/api/client';
import { projects } from '@/api/data';
import { basePath } from '@/lib/base';
import { common } from '@/messages/common';
import { messages as text } from '@/messages/connect';
import type { LogEntry } from '@/pages/logs/useTail';
import { usePermission } from '@/session/me';
import { Code } from '@/ui/Code';
import { classes } from '@/ui/classes';
import { Input, Select } from '@/ui/Field';
import { Arrivals } from './Arrivals';
import { ClientKey } from './ClientKey';
import { modelOf, SETUPS, type Setup, VARIABLE } from './setups';
import { TestCall } from './TestCall';

type Props = { project?: string; onArrived?: (entries: LogEntry[]) => void };
type Key = Schema<'NewKey'>;

/** Connects an application: the client, its key, its code, and the first calls that arrive. */
export function ConnectClient({ project: fixed, onArrived }: Props) {
  const may = usePermission();
  const known = useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') }).data ?? [];
  const [setup, setSetup] = useState<Setup>(SETUPS[0] as Setup);
  const [picked, setPicked] = useState<string | null>(null);
  const [model, setModel] = useState<string | null>(null);
  const [key, setKey] = useState<Key | null>(null);
  const [since] = useState(() => new Date().toISOString());
  const project = fixed ?? picked ?? known[0]?.projectId ?? '';
  const gateway = known.find(({ projectId }) => projectId === project)?.gateway;
  const target = { origin: location.origin + basePath, project, model: model ?? modelOf(gateway) };
  const lacksRoute = setup.isGateway && !gateway?.routes.length;
  const choose = (next: Setup) => {
    // A key holds only what its client needs.
    setSetup(next);
    setKey(null);
  };
  return (
    <ol className="space-y-5">
      <Step title={text.where}>
        <Clients current={setup} onPick={choose} />
        <div className="grid gap-3 empty:hidden sm:grid-cols-2">
          {fixed === undefined && (
            <Select
              label={common.project}
              value={project}
              options={[
                ...known.map(({ projectId, projectName }) => [projectId, projectName] as const),
                ['', text.noProject],
              ]}
              onChange={(event) => {
                setPicked(event.target.value);
                setKey(null);
              }}
            />
          )}
          {setup.isGateway && (
            <Input
              label={text.model}
              maxLength={200}
              spellCheck={false}
              value={target.model}
              onChange={(event) => setModel(event.target.value)}
            />
          )}
        </div>
        {lacksRoute && <p className="text-body text-challenge">{text.noRoute}</p>}
      </Step>
      <Step title={text.key}>
        <ClientKey key={`${setup.id} ${project}`} setup={setup} project={project} created={key} onCreate={setKey} />
      </Step>
      <Step title={text.code}>
        {key && <Code piece={{ code: `export ${VARIABLE}='${key.api_key}'\n` }} />}
        {setup.write(target).map((piece) => (
          <Code key={piece.file ?? setup.id} piece={piece} />
        ))}
      </Step>
      <Step title={text.watch}>
        <TestCall setup={setup} target={target} apiKey={key?.api_key ?? null} isOff={lacksRoute} />
        <Arrivals
          filter={
            key
              ? { principal: [`api_key:${key.key_id}`] }
              : { surface: [setup.surface], project: project || undefined, from: since }
          }
          onArrived={onArrived}
        />
      </Step>
    </ol>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="min-w-0 space-y-3">
      <h3 className="text-body font-semibold">{title}</h3>
      {children}
    </li>
  );
}

function Clients({ current, onPick }: { current: Setup; onPick: (setup: Setup) => void }) {
  return (
    <fieldset className="grid gap-2 sm:grid-cols-2 xl:grid-cols-4">
      <legend className="sr-only">{text.client}</legend>
      {SETUPS.map((setup) => (
        <button
          key={setup.id}
          type="button"
          aria-pressed={setup.id === current.id}
          onClick={() => onPick(setup)}
          className={classes(
            'flex flex-col rounded-md border px-3 py-2 text-left',
            setup.id === current.id ? 'border-accent bg-accent-soft' : 'border-line hover:bg-sunken',
          )}
        >
          <span className="block text-body font-medium">{setup.label}</span>
          <span className="block text-xs text-quiet">{setup.help}</span>
        </button>
      ))}
    </fieldset>
  );
}
