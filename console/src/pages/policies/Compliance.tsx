import { useQuery } from '@tanstack/react-query';
import { Check, Minus } from 'lucide-react';
import { answer, api, type Schema } from '@/api/client';
import { guardrails } from '@/api/data';
import { words } from '@/lib/format';
import type { StoredPolicy } from '@/lib/policy';
import { messages } from '@/messages/policies';
import { Input } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { isNamed } from './aliases';
import type { Draft } from './useDraft';

const text = messages.compliance;

/** The compliance frameworks of a policy, and the controls that it supports. */
export function Compliance({ stored, draft, locked }: { stored: StoredPolicy; draft: Draft; locked: boolean }) {
  const known = useQuery(guardrails).data?.frameworks ?? [];
  const query = useQuery({
    queryKey: ['policies', stored.policyId, 'compliance', stored.version],
    queryFn: () =>
      answer(api.GET('/api/policy/{policyId}/compliance', { params: { path: { policyId: stored.policyId } } })),
  });
  const chosen = draft.policy.compliance_frameworks;
  const names = (record: Schema<'KnownFramework'>) => (one: string) => isNamed(record, one);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[20rem_1fr]">
      <Card title={text.frameworks}>
        <fieldset disabled={locked} className="space-y-2 text-body">
          <legend className="sr-only">{text.legend}</legend>
          {known.map((one) => (
            <label key={one.framework} className="flex items-center gap-2">
              <input
                type="checkbox"
                checked={chosen.some(names(one))}
                onChange={(event) =>
                  draft.set({
                    compliance_frameworks: event.target.checked
                      ? [...chosen, one.framework]
                      : chosen.filter((named) => !names(one)(named)),
                  })
                }
              />
              {one.name}
            </label>
          ))}
          <Input
            label={text.region}
            maxLength={100}
            value={draft.policy.compliance_region ?? ''}
            placeholder={text.regionPlaceholder}
            onChange={(event) => draft.set({ compliance_region: event.target.value || null })}
          />
        </fieldset>
      </Card>
      <Card title={text.controls(stored.version)} note={text.note}>
        <Loaded query={query}>
          {({ frameworks, unknown_frameworks }) => (
            <div className="space-y-5">
              {frameworks.length === 0 && <p className="text-body text-quiet">{text.none}</p>}
              {frameworks.map((one) => (
                <Framework key={one.framework} of={one} />
              ))}
              {unknown_frameworks.length > 0 && (
                <p className="text-xs text-quiet">{text.unknown(unknown_frameworks.join(', '))}</p>
              )}
            </div>
          )}
        </Loaded>
      </Card>
    </div>
  );
}

function coveredBy(isSupported: boolean, by: string[]): string {
  const names = by.map(words).join(', ');
  if (isSupported) return text.by(names);
  return by.length > 0 ? text.requires(names) : text.outOfScope;
}

function Framework({ of }: { of: Schema<'FrameworkCoverage'> }) {
  return (
    <section aria-label={of.name}>
      <h3 className="mb-1.5 text-body font-semibold">
        {of.name}{' '}
        <span className="font-normal text-quiet">
          {text.supportedOf(of.served.length, of.served.length + of.unserved.length)}
        </span>
      </h3>
      <ul className="space-y-1 text-body">
        {[
          ...of.served.map((control) => [control, true] as const),
          ...of.unserved.map((control) => [control, false] as const),
        ].map(([{ control, title, guardrails: by }, isSupported]) => (
          <li key={control} className="flex items-start gap-2">
            {isSupported ? (
              <Check size={14} className="mt-0.5 shrink-0 text-allow" role="img" aria-label={text.supported} />
            ) : (
              <Minus size={14} className="mt-0.5 shrink-0 text-block" role="img" aria-label={text.notSupported} />
            )}
            <span>
              <span className="font-medium">{control}</span> {title}{' '}
              <span className="text-xs text-quiet">{coveredBy(isSupported, by)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
