import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { bytes, count, duration } from '@/lib/format';
import { messages as text } from '@/messages/engine';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Pill } from '@/ui/Pill';
import { Checks } from './Checks';
import { Queues } from './Queues';
import { Stages } from './Stages';

type Status = Schema<'EngineStatus'>;

/** Shows the state of the replica that answers: models, queues, latency, workers, database. */
export function Engine() {
  const query = useQuery({
    queryKey: ['engine'],
    queryFn: () => answer(api.GET('/api/engine/status')),
    refetchInterval: 5_000,
    staleTime: 0,
  });
  return (
    <Page title={text.title} intro={text.intro}>
      <Loaded query={query} lines={12}>
        {(status) => (
          <>
            <Summary of={status} />
            <div className="grid items-start gap-4 md:grid-cols-2">
              <div className="flex min-w-0 flex-col gap-4">
                <Stages of={status.stages} />
                <Queues of={status.queues} />
                <Models of={status.models} />
              </div>
              <div className="flex min-w-0 flex-col gap-4">
                <Checks of={status.checks} />
                <Store of={status} />
                <Media of={status.media} />
                <Caches of={status.caches} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Summary({ of: { checks, build, uptime_seconds, degraded_mode } }: { of: Status }) {
  const troubled = checks.filter(({ status }) => status !== 'ok').length;
  const hasFailed = checks.some(({ status }) => status === 'failed');
  const facts = [
    [text.version, build.version],
    [text.platform, build.platform],
    [text.profile, build.profile],
    [text.uptime, duration(uptime_seconds * 1000)],
  ] as const;
  return (
    <section aria-label={text.build} className="card flex flex-wrap items-center gap-x-8 gap-y-2 px-4 py-3">
      <span role="status">
        <Pill tone={troubled === 0 ? 'allow' : hasFailed ? 'block' : 'challenge'}>
          {troubled === 0 ? text.allWork : text.troubled(troubled)}
        </Pill>
      </span>
      {degraded_mode.is_active && <Pill tone="challenge">{text.degraded}</Pill>}
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-body">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-quiet">{name}</dt>
            <dd className="tabular font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Models({ of: models }: { of: string[] }) {
  return (
    <Card title={text.models} note={text.modelsNote}>
      <ol className="space-y-1 text-body">
        {models.map((model) => (
          <li key={model}>
            <code className="font-mono text-xs break-all">{model}</code>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Media({ of: { images, audio, sandbox } }: { of: Status['media'] }) {
  return (
    <Facts
      title={text.media}
      facts={[
        [text.images, images ?? text.notChecked],
        [text.audio, audio ?? text.notChecked],
        [text.sandbox, sandbox ?? text.notChecked],
      ]}
    />
  );
}

function Store({ of: { store, replica, degraded_mode: degraded } }: { of: Status }) {
  const redis = replica.is_redis_up == null ? text.noRedis : replica.is_redis_up ? text.redisUp : text.redisDown;
  const mode = !degraded.is_available ? 'none' : degraded.is_active ? 'active' : 'ready';
  return (
    <Facts
      title={text.store}
      facts={[
        [text.database, text.databases[store.kind] ?? store.kind],
        [text.size, store.bytes == null ? null : bytes(store.bytes)],
        [text.growth, store.bytes_per_day == null ? null : bytes(store.bytes_per_day)],
        [text.replicas, replica.can_be_several ? text.severalReplicas : text.oneReplica],
        [text.redis, redis],
        [text.degradedMode, text.degradedStates[mode]],
      ]}
    />
  );
}

function Caches({ of: caches }: { of: Status['caches'] }) {
  return (
    <Facts
      title={text.caches}
      facts={caches.map(({ name, entries, max_entries }) => [
        text.cacheNames[name] ?? name,
        text.cached(count(entries), max_entries == null ? null : count(max_entries)),
      ])}
    />
  );
}

/** A card of names with values. Facts without a value are left out. */
function Facts({ title, facts }: { title: string; facts: [name: string, value: ReactNode][] }) {
  return (
    <Card title={title}>
      <dl className="grid grid-cols-[10rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-body">
        {facts
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-quiet">{name}</dt>
              <dd className="tabular min-w-0 break-words">{value}</dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}
