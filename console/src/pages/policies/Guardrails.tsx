import { useQuery } from '@tanstack/react-query';
import { connectors, guardrails } from '@/api/data';
import { words } from '@/lib/format';
import type { Item } from '@/lib/policy';
import { messages } from '@/messages/policies';
import { usePermission } from '@/session/me';
import { Loaded } from '@/ui/Loaded';
import { GuardrailCard, type Known } from './GuardrailCard';
import type { Draft } from './useDraft';

const { groups, enabledOf } = messages.guardrail;
const TICKETS = ['jira', 'servicenow', 'webhook'];

/** All guardrails by group, with the settings of the draft. */
export function Guardrails({ draft, locked }: { draft: Draft; locked: boolean }) {
  const may = usePermission();
  const query = useQuery(guardrails);
  const systems =
    useQuery({ ...connectors, enabled: may('CONNECTORS:VIEW_CONNECTOR') }).data?.filter(({ connector_type }) =>
      TICKETS.includes(connector_type),
    ) ?? [];
  const items = draft.policy.guardrails;
  const put = (item: Item) =>
    draft.set({
      guardrails: items.some(({ guardrail }) => guardrail === item.guardrail)
        ? items.map((old) => (old.guardrail === item.guardrail ? item : old))
        : [...items, item],
    });
  return (
    <Loaded query={query} lines={10}>
      {({ guardrails: known }) => (
        <div className="space-y-6">
          {[...new Set(known.map(({ group }) => group))].map((group) => {
            const cards = known.filter((one) => one.group === group);
            const on = cards.filter(({ guardrail }) =>
              items.some((item) => item.guardrail === guardrail && item.enabled),
            ).length;
            return (
              <section key={group} aria-label={groups[group] ?? words(group)}>
                <h2 className="mb-2 text-body font-semibold">
                  {groups[group] ?? words(group)}{' '}
                  <span className="font-normal text-quiet">{enabledOf(on, cards.length)}</span>
                </h2>
                <div className="grid items-start gap-3 md:grid-cols-2 xl:grid-cols-3">
                  {cards.map((one) => (
                    <GuardrailCard
                      key={one.guardrail}
                      known={one}
                      item={items.find(({ guardrail }) => guardrail === one.guardrail) ?? fresh(one)}
                      systems={systems}
                      locked={locked}
                      onChange={put}
                    />
                  ))}
                </div>
              </section>
            );
          })}
        </div>
      )}
    </Loaded>
  );
}

/** Returns the settings of a guardrail that the policy does not contain yet. */
const fresh = ({ guardrail, default_threshold }: Known): Item => ({
  guardrail,
  description: '',
  threshold: default_threshold,
  enabled: false,
  action: 'Block',
  ticket: null,
});
