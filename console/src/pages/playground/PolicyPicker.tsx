import { useQuery } from '@tanstack/react-query';
import { policies, projects } from '@/api/data';
import { keptDraft } from '@/lib/drafts';
import type { StoredPolicy } from '@/lib/policy';
import { usePermission } from '@/session/me';
import { Choice, Field } from '@/ui/Field';
import { BY_DEFAULT, type PolicyChoice } from './evaluate';

/** What may judge here: dry runs of policies, and projects where the caller may have prompts judged. */
export function usePolicyChoices(): {
  policies: readonly (readonly [PolicyChoice, string])[];
  projects: readonly (readonly [PolicyChoice, string])[];
} {
  const may = usePermission();
  const maySee = may('FIREWALL_POLICIES:VIEW_POLICY');
  const known = useQuery({ ...policies, enabled: maySee }).data ?? [];
  const made = useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') }).data ?? [];
  return {
    policies: maySee ? [...known.flatMap(dryRuns), [BY_DEFAULT, 'the default policy'] as const] : [],
    projects: may('FIREWALL:ANALYZE')
      ? [
          ...made.map(({ projectId, projectName }) => [`project:${projectId}`, projectName] as const),
          ['project:', 'no project: the default policy'] as const,
        ]
      : [],
  };
}

/** A policy, and its draft where this tab keeps one. */
function dryRuns(stored: StoredPolicy): (readonly [PolicyChoice, string])[] {
  const { policyId, policyName } = stored;
  const draft = keptDraft(stored) === null ? [] : [[`draft:${policyId}`, `${policyName}, your draft`] as const];
  return [[`policy:${policyId}`, policyName] as const, ...draft];
}

type Props = {
  label: string;
  value: PolicyChoice | '';
  onChange: (judge: PolicyChoice | '') => void;
  liveOnly?: boolean;
  dryOnly?: boolean;
  optional?: string;
};

/** Chooses who judges. */
export function PolicyPicker({ label, value, onChange, liveOnly = false, dryOnly = false, optional }: Props) {
  const judges = usePolicyChoices();
  return (
    <Field label={label}>
      {(wiring) => (
        <Choice {...wiring} value={value} onChange={(event) => onChange(event.target.value as PolicyChoice | '')}>
          {optional !== undefined && <option value="">{optional}</option>}
          {!liveOnly && judges.policies.length > 0 && (
            <optgroup label="Dry run: free, no row in the log">
              {judges.policies.map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
          {!dryOnly && judges.projects.length > 0 && (
            <optgroup label="As an application: costs a credit, is logged">
              {judges.projects.map(([id, name]) => (
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
