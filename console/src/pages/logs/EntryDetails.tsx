import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { inSentence, milliseconds, words } from '@/lib/format';
import { common } from '@/messages/common';
import { messages } from '@/messages/logs';
import { Caller } from '@/ui/Caller';
import { Copy } from '@/ui/Copy';
import type { LogEntry } from './useTail';

/** Lists the metadata of a log entry. */
export function EntryDetails({ entry }: { entry: LogEntry }) {
  const policy =
    entry.policyId == null ? (
      common.defaultPolicy
    ) : (
      <Link to="/policies/$policyId" params={{ policyId: entry.policyId }} className="text-accent hover:underline">
        {messages.policyVersion(entry.policy_version)}
      </Link>
    );
  const { fields } = messages;
  const details: [string, ReactNode][] = [
    [fields.project, entry.projectName ?? common.none],
    [fields.policy, policy],
    [fields.endpoint, messages.endpointAndDirection(entry.endpoint, inSentence(words(entry.direction)))],
    [fields.outcome, words(entry.outcome)],
    [fields.shadowPolicy, entry.shadow_decision && words(entry.shadow_decision)],
    [fields.caller, <Caller key="" principal={entry.principal} />],
    [fields.endUser, entry.username],
    [fields.application, entry.source_app],
    [fields.device, entry.device_id],
    [fields.context, entry.context],
    [fields.surface, entry.surface === 'native' ? null : words(entry.surface)],
    [fields.foreignId, entry.foreign_id],
    [fields.conversation, entry.conversation_id && <ConversationLink key="" id={entry.conversation_id} />],
    [fields.language, entry.lang_code],
    [fields.processingTime, milliseconds(entry.processing_time_ms)],
    [fields.modelTime, entry.upstream_time_ms == null ? null : milliseconds(entry.upstream_time_ms)],
    [fields.promptTokens, entry.prompt_tokens],
    [fields.completionTokens, entry.completion_tokens],
    [fields.credits, entry.credits],
    [
      fields.model,
      <code key="" className="font-mono text-xs break-all">
        {entry.model_version}
      </code>,
    ],
    [common.correlationId, <Id key="" id={entry.correlation_id} label={common.copyCorrelationId} />],
    [fields.logId, <Id key="" id={entry.log_id} label={messages.copyLogId} />],
  ];
  return (
    <section aria-label={messages.entry.details}>
      <h3 className="mb-2 text-xs font-semibold text-quiet">{messages.entry.details}</h3>
      <dl className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-body">
        {details
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

const ConversationLink = ({ id }: { id: string }) => (
  <Link to="/conversation" search={{ id }} className="text-accent break-all hover:underline">
    {id}
  </Link>
);

const Id = ({ id, label }: { id: string; label: string }) => (
  <span className="inline-flex items-center gap-1">
    <code className="font-mono text-xs break-all">{id}</code>
    <Copy text={id} label={label} />
  </span>
);
