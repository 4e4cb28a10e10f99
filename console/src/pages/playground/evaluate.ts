import { answer, api, type Schema } from '@/api/client';
import { policies } from '@/api/data';
import { queries } from '@/api/queries';
import { loadDraft } from '@/lib/drafts';
import { noteBlocked } from '@/lib/firstBlock';
import { sent, type Triggered } from '@/lib/policy';
import { me } from '@/session/me';

/**
 * The policy that evaluates. `policy` and `draft` are dry runs of a stored policy or its draft in this tab, `project`
 * is a live request. An empty project ID uses the default policy.
 */
export type PolicyChoice = `policy:${string}` | `draft:${string}` | `project:${string}`;
/** A dry run of the default policy. */
export const BY_DEFAULT: PolicyChoice = 'policy:default';
export type Turn = Schema<'Turn'>;

/** A text to evaluate, with its history and documents. */
export type Subject = { direction: 'input' | 'output'; text: string; history?: Turn[]; documents?: string[] };

/** A decision in the form that the playground shows. */
export type ShownDecision = Omit<Schema<'GuardDecision'>, 'triggered_guardrails'> & {
  triggered_guardrails: Triggered[];
  masked: string | null;
  log_id: string | null;
};

/** Whether an evaluation is free and not logged, so that it can run while the user types. */
export const isDry = (choice: PolicyChoice): boolean => !choice.startsWith('project:');

/** Evaluates a subject. */
export async function evaluate(choice: PolicyChoice, subject: Subject, signal?: AbortSignal): Promise<ShownDecision> {
  const id = choice.slice(choice.indexOf(':') + 1);
  const { direction, text } = subject;
  if (isDry(choice)) {
    const policy = choice.startsWith('draft:') ? draftOf(id) : undefined;
    const body = { text, direction, policy, conversation_history: subject.history, documents: subject.documents };
    const asked =
      id === 'default'
        ? api.POST('/api/policy/default/test', { body, signal })
        : api.POST('/api/policy/{policyId}/test', { params: { path: { policyId: id } }, body, signal });
    const decision = await answer<Schema<'DryRun'>>(asked);
    noteDryRun(decision.overall_decision);
    return toShown(decision, decision.masked_prompt ?? decision.masked_response, null);
  }
  const sender = senderOf(choice);
  if (direction === 'output') {
    const decision = await answer(
      api.POST('/v2/guardengine/svc_firewall_validate', {
        body: { response: text, ...sender } as Schema<'ModelResponse'>,
        signal,
      }),
    );
    return toShown(decision, decision.masked_response, decision.log_id);
  }
  const body = {
    prompt: text,
    conversation_history: subject.history,
    documents: subject.documents,
    ...sender,
  } as unknown as Schema<'Prompt'>;
  const decision = await answer(api.POST('/v2/guardengine/svc_firewall_analyze', { body, signal }));
  return toShown(decision, decision.masked_prompt, decision.log_id);
}

/** Returns the project and application of a live request. */
export const senderOf = (choice: PolicyChoice) => ({
  projectId: choice.slice(choice.indexOf(':') + 1) || undefined,
  source_app: 'playground',
});

/** A blocked dry run completes the first steps, like a blocked request. */
function noteDryRun(decision: string): void {
  const organization = queries.getQueryData(me.queryKey)?.org_id;
  if (decision === 'block' && organization !== undefined) noteBlocked(organization);
}

/** Returns the draft of a policy in this tab; undefined if it was published or discarded meanwhile. */
function draftOf(policyId: string): Record<string, unknown> | undefined {
  const stored = queries.getQueryData(policies.queryKey)?.find((one) => one.policyId === policyId);
  const draft = stored && loadDraft(stored);
  return draft ? sent(stored, draft) : undefined;
}

/** Converts a decision to the form that the playground shows. */
export function toShown(
  decision: Schema<'GuardDecision'>,
  masked: string | null | undefined,
  log_id: string | null,
): ShownDecision {
  return {
    ...decision,
    triggered_guardrails: decision.triggered_guardrails,
    masked: masked ?? null,
    log_id,
  };
}
