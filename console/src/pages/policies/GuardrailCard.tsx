import type { Schema } from '@/api/client';
import { described, words } from '@/lib/format';
import { ACTIONS, type Action, type Item } from '@/lib/policy';
import { common } from '@/messages/common';
import { messages } from '@/messages/policies';
import { classes } from '@/ui/classes';
import { Select, Toggle } from '@/ui/Field';
import { Pill } from '@/ui/Pill';
import { AppliesTo } from './AppliesTo';
import { Exceptions } from './Exceptions';
import { Masking } from './Masking';
import { Patterns } from './Patterns';
import { ReferenceDocuments } from './ReferenceDocuments';
import { Terms } from './Terms';
import { Threshold } from './Threshold';
import { TicketText } from './TicketText';
import { Topics } from './Topics';

const text = messages.guardrail;

export type Known = Schema<'GuardrailRecord'>;
type Props = {
  known: Known;
  item: Item;
  systems: Schema<'ListedConnector'>[];
  locked: boolean;
  onChange: (item: Item) => void;
};

/** The settings of one guardrail. */
export function GuardrailCard({ known, item, systems, locked, onChange }: Props) {
  const set = (change: Partial<Item>) => onChange({ ...item, ...change });
  const name = words(item.guardrail);
  const has = (setting: string) => known.settings.includes(setting);
  return (
    <article
      aria-label={name}
      className={classes(
        'card p-4',
        !item.enabled && 'bg-transparent!',
        item.enabled && (has('patterns') || has('custom_pii') || has('topics')) && 'md:col-span-2',
      )}
    >
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h3 className="text-body font-semibold">
            {name} {known.directions.length === 1 && <Pill>{text.only[known.directions[0] ?? '']}</Pill>}
          </h3>
          <p className="mt-0.5 text-xs text-quiet">{described(item.guardrail, known.description)}</p>
        </div>
        <Toggle
          hidden
          label={text.enable(name)}
          checked={item.enabled}
          disabled={locked}
          onChange={(enabled) => set({ enabled })}
        />
      </div>
      {item.enabled && (
        <fieldset disabled={locked} className="mt-3 space-y-3 border-t border-line pt-3">
          <div className="grid grid-cols-2 gap-3">
            {item.pii_masking_enabled ? (
              <p className="self-end text-xs text-quiet">{messages.masking.action}</p>
            ) : (
              <Select
                label={text.action}
                value={item.action}
                options={ACTIONS.map((action) => [action, words(action)] as const)}
                onChange={(event) => set({ action: event.target.value as Action })}
              />
            )}
            <Select
              label={text.ticket}
              value={item.ticket?.connector_id ?? ''}
              options={[
                ['', systems.length > 0 ? common.none : text.noConnector],
                ...systems.map(({ id, name }) => [id, name] as const),
              ]}
              disabled={locked || systems.length === 0}
              onChange={(event) =>
                set({ ticket: event.target.value ? { ...item.ticket, connector_id: event.target.value } : null })
              }
            />
          </div>
          {item.ticket && <TicketText ticket={item.ticket} onChange={(ticket) => set({ ticket })} />}
          {has('threshold') && (
            <Threshold
              name={name}
              value={item.threshold}
              points={known.operating_points}
              onChange={(threshold) => set({ threshold })}
            />
          )}
          {has('pii_masking_enabled') && <Masking item={item} onChange={set} />}
          {has('terms') && <Terms label={text.terms} values={item.terms ?? []} onChange={(terms) => set({ terms })} />}
          {has('documents') && (
            <ReferenceDocuments texts={item.documents ?? []} onChange={(documents) => set({ documents })} />
          )}
          {has('patterns') && <Patterns patterns={item.patterns ?? []} onChange={(patterns) => set({ patterns })} />}
          {has('topics') && <Topics topics={item.topics ?? []} onChange={(topics) => set({ topics })} />}
          <AppliesTo
            of={name}
            usual={known.applies_to}
            value={item.applies_to}
            onChange={(applies_to) => set({ applies_to })}
          />
          {item.guardrail !== 'pii' && (
            <Exceptions
              of={name}
              values={item.exceptions ?? []}
              onChange={(exceptions) => set({ exceptions: exceptions.length > 0 ? exceptions : undefined })}
            />
          )}
        </fieldset>
      )}
    </article>
  );
}
