import { type AuditChange, auditChanges } from '@/lib/auditChanges';
import { fieldWords } from '@/lib/format';
import { messages } from '@/messages/audit';
import { common } from '@/messages/common';
import { Folded } from '@/ui/Folded';

/** The details of an audit entry: changed fields with their old and new values. At most `limit` are shown. */
export function Changes({ of, limit }: { of: Record<string, unknown>; limit?: number }) {
  const all = auditChanges(of);
  const shown = all.slice(0, limit);
  if (all.length === 0) return null;
  return (
    <div className="min-w-56 space-y-1 text-xs">
      <dl className="space-y-1">
        {shown.map((change, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an entry never change.
          <div key={index} className="grid gap-x-2 sm:grid-cols-[minmax(7rem,auto)_1fr]">
            <dt className="text-quiet">{change.path.map(fieldWords).join(' › ')}</dt>
            <dd className="flex min-w-0 flex-col items-start gap-0.5">
              <Values of={change} />
            </dd>
          </div>
        ))}
      </dl>
      {all.length > shown.length && <p className="text-quiet">{messages.moreChanges(all.length - shown.length)}</p>}
    </div>
  );
}

function Values({ of }: { of: AuditChange }) {
  if ('value' in of) return <Folded text={display(of.value)} />;
  return (
    <>
      {of.from !== null && (
        <del className="max-w-full rounded-sm bg-block-soft px-1 text-block no-underline">
          <span aria-hidden>− </span>
          <Folded text={display(of.from)} />
        </del>
      )}
      {of.to !== null && (
        <ins className="max-w-full rounded-sm bg-allow-soft px-1 text-allow no-underline">
          <span aria-hidden>+ </span>
          <Folded text={display(of.to)} />
        </ins>
      )}
    </>
  );
}

const isPlain = (value: unknown) => value === null || typeof value !== 'object';

/** Returns a value as text: plain values and lists of them in words, others as JSON. */
function display(value: unknown): string {
  if (value === null || value === '') return common.none;
  if (typeof value === 'boolean') return value ? common.yes : common.no;
  if (isPlain(value)) return String(value);
  if (Array.isArray(value) && value.every(isPlain)) return value.map(String).join(', ') || common.none;
  return JSON.stringify(value, null, 2);
}
