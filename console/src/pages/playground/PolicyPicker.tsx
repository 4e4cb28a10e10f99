import { useQuery } from '@tanstack/react-query';
import { policies, projects } from '@/api/data';
import { loadDraft } from '@/lib/drafts';
import type { StoredPolicy } from '@/lib/policy';
import { common } from '@/messages/common';
import { messages } from '@/messages/playground';
import { usePermission } from '@/session/me';
import { Choice, Field } from '@/ui/Field';
import { BY_DEFAULT, type PolicyChoice } from './evaluate';

/** The policies that the caller may choose: dry runs, and projects for live requests. */
export function usePolicyChoices(): {
  policies: readonly (readonly [PolicyChoice, string])[];
  projects: readonly (readonly [PolicyChoice, string])[];
} {
  const may = usePermission();
  const maySee = may('FIREWALL_POLICIES:VIEW_POLICY');
  const known = useQuery({ ...policies, enabled: maySee }).data ?? [];
  const made = useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') }).data ?? [];
  return {
    policies: maySee ? [...known.flatMap(dryRuns), [BY_DEFAULT, common.defaultPolicy] as const] : [],
    projects: may('FIREWALL:ANALYZE')
      ? [
          ...made.map(({ projectId, projectName }) => [`project:${projectId}`, projectName] as const),
          ['project:', messages.noProject] as const,
        ]
      : [],
  };
}

/** Returns a policy and its draft in this tab. */
function dryRuns(stored: StoredPolicy): (readonly [PolicyChoice, string])[] {
  const { policyId, policyName } = stored;
  const draft = loadDraft(stored) === null ? [] : [[`draft:${policyId}`, messages.draftOf(policyName)] as const];
  return [[`policy:${policyId}`, policyName] as const, ...draft];
}

type Props = {
  label: string;
  value: PolicyChoice | '';
  onChange: (choice: PolicyChoice | '') => void;
  liveOnly?: boolean;
  dryOnly?: boolean;
  optional?: string;
};

/** Selects the policy that evaluates. */
export function PolicyPicker({ label, value, onChange, liveOnly = false, dryOnly = false, optional }: Props) {
  const choices = usePolicyChoices();
  return (
    <Field label={label}>
      {(wiring) => (
        <Choice {...wiring} value={value} onChange={(event) => onChange(event.target.value as PolicyChoice | '')}>
          {optional !== undefined && <option value="">{optional}</option>}
          {!liveOnly && choices.policies.length > 0 && (
            <optgroup label={messages.dryRunGroup}>
              {choices.policies.map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
          {!dryOnly && choices.projects.length > 0 && (
            <optgroup label={messages.liveGroup}>
              {choices.projects.map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
        </Choice>
      )}
    </Field>
  );
}
