import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { milliseconds } from '@/lib/format';
import { Copy } from '@/ui/Copy';
import type { Row } from './useTail';

/** Who sent it, what judged it, and under which ids it is found again. */
export function EntryDetails({ row }: { row: Row }) {
  const policy =
    row.policyId == null ? (
      'the default policy'
    ) : (
      <Link to="/policies/$policyId" params={{ policyId: row.policyId }} className="text-accent hover:underline">
        version {row.policy_version}
      </Link>
    );
  const facts: [string, ReactNode][] = [
    ['Project', row.projectName ?? 'none'],
    ['Policy', policy],
    ['Endpoint', `${row.endpoint}, ${row.direction}`],
    ['Outcome', row.outcome.replaceAll('_', ' ')],
    ['Shadow policy', row.shadow_decision],
    ['Caller', row.principal],
    ['End user', row.username],
    ['Application', row.source_app],
    ['Device', row.device_id],
    ['Context', row.context],
    ['Conversation', row.conversation_id],
    ['Language', row.lang_code],
    ['Time in the service', milliseconds(row.processing_time_ms)],
    ['Credits', row.credits],
    [
      'Model',
      <code key="" className="font-mono text-xs break-all">
        {row.model_version}
      </code>,
    ],
    ['Correlation id', <Id key="" id={row.correlation_id} label="Copy the correlation id" />],
    ['Log id', <Id key="" id={row.log_id} label="Copy the log id" />],
  ];
  return (
    <section aria-label="Facts">
      <h3 className="mb-2 text-xs font-semibold text-quiet">Facts</h3>
      <dl className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-body">
        {facts
          .filter(([, value]) => value != null)
          .map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-quiet">{name}</dt>
              <dd className="min-w-0 break-words">{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

const Id = ({ id, label }: { id: string; label: string }) => (
  <span className="inline-flex items-center gap-1">
    <code className="font-mono text-xs break-all">{id}</code>
    <Copy text={id} label={label} />
  </span>
);
