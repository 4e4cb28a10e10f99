import { answer, api, type Schema } from '@/api/client';
import { policies } from '@/api/data';
import { queries } from '@/api/queries';
import { loadDraft } from '@/lib/drafts';
import { sent, type Triggered } from '@/lib/policy';

/**
 * Who choices, as a dry run: a stored policy, its draft in this tab, or the default policy; or a project, as an
 * application would ask, where the empty one is the default policy.
 */
export type PolicyChoice = `policy:${string}` | `draft:${string}` | `project:${string}`;
/** The default policy, as a dry run. */
export const BY_DEFAULT: PolicyChoice = 'policy:default';
export type Turn = Schema<'Turn'>;

/** What is to be judged. */
export type Subject = { direction: 'input' | 'output'; text: string; history?: Turn[]; documents?: string[] };

/** A decision as the playground shows it. */
export type ShownDecision = Omit<Schema<'GuardDecision'>, 'triggered_guardrails'> & {
  triggered_guardrails: Triggered[];
  masked: string | null;
  log_id: string | null;
};

/** Whether asking costs nothing and leaves no row, so that it may be done while somebody types. */
export const isDry = (choice: PolicyChoice): boolean => !choice.startsWith('project:');

/** Has a subject judged. */
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
    return toShown(decision, decision.masked_prompt ?? decision.masked_response, null);
  }
  const sender = senderOf(choice);
  if (direction === 'output') {
    const decision = await answer(
      api.POST('/v2/guardengine/svc_firewall_validate', {
        body: { response: text, ...sender } as Schema<'Response'>,
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

/** Where an application would send it from: the project, and this page. */
export const senderOf = (choice: PolicyChoice) => ({
  projectId: choice.slice(choice.indexOf(':') + 1) || undefined,
  source_app: 'playground',
});

/** The draft of a policy that this tab keeps; none where it was published or thrown away meanwhile. */
function draftOf(policyId: string): Record<string, unknown> | undefined {
  const stored = queries.getQueryData(policies.queryKey)?.find((one) => one.policyId === policyId);
  const draft = stored && loadDraft(stored);
  return draft ? sent(stored, draft) : undefined;
}

/** A decision as the playground shows it. */
export function toShown(
  decision: Schema<'GuardDecision'>,
  masked: string | null | undefined,
  log_id: string | null,
): ShownDecision {
  return {
    ...decision,
    triggered_guardrails: decision.triggered_guardrails as unknown as Triggered[],
    masked: masked ?? null,
    log_id,
  };
}
