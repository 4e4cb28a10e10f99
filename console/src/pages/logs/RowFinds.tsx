import { useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { defaultPolicy } from '@/api/data';
import { words } from '@/lib/format';
import type { Policy, Triggered } from '@/lib/policy';
import { useMay } from '@/session/me';
import { Meter } from '@/ui/Meter';
import { Decision } from '@/ui/Pill';
import type { Row } from './useTail';

/** Each find as a bar against the threshold of the policy version that decided. */
export function RowFinds({ row }: { row: Row }) {
  const finds = row.triggered_guardrails as unknown as Triggered[];
  const policy = useDecidingPolicy(row);
  const quiet = policy?.guardrails.filter(({ guardrail, enabled }) => enabled && !finds.some(({ name }) => name === guardrail)) ?? [];
  return (
    <section aria-label="Guardrails" className="space-y-2">
      <h3 className="text-xs font-semibold text-quiet">Guardrails, confidence against threshold</h3>
      {finds.map(({ name, confidence, action, evidence }) => {
        const threshold = policy?.guardrails.find(({ guardrail }) => guardrail === name)?.threshold ?? null;
        return (
          <div key={name} className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-1 text-[13px] sm:grid-cols-[11rem_1fr_3rem_6rem]">
            <span className="truncate font-medium">{words(name)}</span>
            <div className="order-last col-span-full sm:order-none sm:col-span-1"><Meter label={words(name)} value={confidence} threshold={threshold} /></div>
            <span className="tabular text-right">{confidence.toFixed(2)}</span>
            <span><Decision of={action} /></span>
            {evidence.length > 0 && <p className="order-last col-span-full text-xs text-quiet">{evidence.join('; ')}</p>}
          </div>
        );
      })}
      {finds.length === 0 && <p className="text-[13px] text-quiet">Nothing triggered.</p>}
      {quiet.length > 0 && <p className="text-xs text-quiet">Below their thresholds: {quiet.map(({ guardrail }) => words(guardrail)).join(', ')}.</p>}
    </section>
  );
}

/** The version of the policy that decided, the default one where the request named no project. */
function useDecidingPolicy(row: Row): Policy | undefined {
  const may = useMay();
  const enabled = may('FIREWALL_POLICIES:VIEW_POLICY');
  const { policyId, policy_version: version } = row;
  const named = useQuery({
    queryKey: ['policies', policyId, 'version', version],
    queryFn: async () => (await answer(api.GET('/api/policy/{policyId}/versions/{version}', { params: { path: { policyId: policyId ?? '', version: version ?? 0 } } }))).policy as unknown as Policy,
    enabled: enabled && policyId != null && version != null,
    staleTime: Infinity,
    retry: false,
  });
  const fallback = useQuery({ ...defaultPolicy, enabled: enabled && policyId == null });
  return policyId == null ? fallback.data : named.data;
}
