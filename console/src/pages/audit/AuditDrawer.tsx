import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { count, moment } from '@/lib/format';
import { hasDialogAbove, useKeys } from '@/lib/shortcuts';
import { messages } from '@/messages/audit';
import { IconButton } from '@/ui/Button';
import { Caller } from '@/ui/Caller';
import { Copy } from '@/ui/Copy';
import { Dialog } from '@/ui/Dialog';
import { Loaded } from '@/ui/Loaded';
import { CodeBlock } from '@/ui/ScrollArea';
import { Changes } from './Changes';
import { type AuditEntry, actionName, auditEntry } from './data';
import { Target } from './Target';

type Props = {
  sequence: number;
  nameOf: (entry: AuditEntry) => string | undefined;
  onPick: (sequence: number | undefined) => void;
};

/** Shows one audit entry: who did what, what changed, and the entry as it is stored. */
export function AuditDrawer({ sequence, nameOf, onPick }: Props) {
  const query = useQuery(auditEntry(sequence));
  const step = (by: number) => (sequence + by < 1 || hasDialogAbove() ? false : onPick(sequence + by));
  useKeys({ j: () => step(-1), k: () => step(1) });
  return (
    <Dialog
      side
      onClose={() => onPick(undefined)}
      title={
        <span className="flex items-center gap-2">
          <span className="flex-1">{messages.entry(count(sequence))}</span>
          <IconButton small label={messages.newer} onClick={() => step(1)}>
            <ChevronUp size={15} />
          </IconButton>
          <IconButton small label={messages.olderEntry} disabled={sequence <= 1} onClick={() => step(-1)}>
            <ChevronDown size={15} />
          </IconButton>
        </span>
      }
    >
      <Loaded query={query}>
        {(entry) =>
          entry === null ? (
            <p className="text-body text-quiet">{messages.missing}</p>
          ) : (
            <Content entry={entry} name={nameOf(entry)} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Content({ entry, name }: { entry: AuditEntry; name: string | undefined }) {
  const { action, principal, address, created_at } = entry;
  const details = entry.details as Record<string, unknown>;
  const raw = JSON.stringify(entry, null, 2);
  const facts: [string, ReactNode][] = [
    [messages.time, moment(created_at)],
    [messages.principal, <Caller key="" principal={principal} />],
    [messages.address, address || messages.noAddress],
    [messages.target, <Target key="" entry={entry} name={name} />],
  ];
  return (
    <div className="space-y-5">
      <div>
        <p className="font-medium">{actionName(action)}</p>
        <code className="font-mono text-xs text-quiet">{action}</code>
      </div>
      <dl className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-body">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-quiet">{label}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <section aria-label={messages.changes} className="space-y-2">
        <h3 className="text-xs font-semibold text-quiet">{messages.changes}</h3>
        {Object.keys(details).length === 0 ? (
          <p className="text-body text-quiet">{messages.noChanges}</p>
        ) : (
          <Changes of={details} />
        )}
      </section>
      <details className="space-y-2">
        <summary className="text-xs font-semibold text-quiet">{messages.raw}</summary>
        <div className="relative">
          <div className="absolute top-1 right-1 rounded bg-canvas">
            <Copy text={raw} label={messages.copyRaw} />
          </div>
          <CodeBlock className="max-h-96 overflow-auto rounded-md border border-line bg-canvas p-3 pr-10 font-mono text-xs">
            {raw}
          </CodeBlock>
        </div>
      </details>
      <div className="flex flex-wrap gap-x-4 gap-y-2 border-t border-line pt-4 text-body">
        <Link to="/audit" search={{ action }} className="text-accent hover:underline">
          {messages.same}
        </Link>
        <Link to="/audit" search={{ principal }} className="text-accent hover:underline">
          {messages.samePrincipal}
        </Link>
      </div>
    </div>
  );
}
