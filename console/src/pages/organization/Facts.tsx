import { Fragment, type ReactNode } from 'react';
import type { Schema } from '@/api/client';
import { count, duration } from '@/lib/format';
import { common } from '@/messages/common';
import { messages } from '@/messages/organization';
import { Copy } from '@/ui/Copy';

/** Shows what only the operator of the service sets. */
export function Facts({ shown }: { shown: Schema<'Organization'> }) {
  const { service } = shown;
  const kept = (seconds: number | null | undefined) =>
    typeof seconds === 'number' ? duration(seconds * 1000) : messages.unlimited;
  const facts: [string, ReactNode][] = [
    [
      messages.id,
      <span key="id" className="flex items-center gap-1">
        <code className="min-w-0 font-mono text-xs break-all">{shown.org_id}</code>
        <Copy text={shown.org_id} label={messages.copyId} />
      </span>,
    ],
    [messages.balance, messages.credits(count(shown.credits))],
    [messages.logRetention, kept(service.log_retention)],
    [messages.auditRetention, kept(service.audit_retention)],
    [messages.creditRetention, kept(service.credit_retention)],
    [messages.session, messages.sessionRules(kept(service.idle_timeout), kept(service.session_lifetime))],
    [messages.lockout, messages.lockoutRules(service.lockout_attempts, kept(service.lockout_duration))],
    [messages.password, common.passwordRules],
  ];
  return (
    <dl className="grid gap-x-3 gap-y-2 text-body sm:grid-cols-[14rem_1fr]">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt className="text-quiet">{name}</dt>
          <dd className="min-w-0 max-sm:mb-2">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
