import { words } from '@/lib/format';
import { ACTIONS, type Action, type Policy } from '@/lib/policy';
import { common } from '@/messages/common';
import { messages } from '@/messages/policies';
import { Input, Select, TextArea } from '@/ui/Field';
import { Card } from '@/ui/Page';
import { Budget } from './Budget';
import { Reasoning } from './Reasoning';
import type { Draft } from './useDraft';

/** The name, direction, maximum length and settings for all guardrails. */
export function General({ draft: { policy, set }, locked }: { draft: Draft; locked: boolean }) {
  return (
    <Card className="max-w-2xl">
      <fieldset disabled={locked} className="space-y-4">
        <Input
          label={common.name}
          maxLength={100}
          required
          value={policy.policyName}
          hint={common.characters(policy.policyName.length, 100)}
          onChange={(event) => set({ policyName: event.target.value })}
        />
        <TextArea
          label={messages.general.description}
          rows={3}
          maxLength={5000}
          value={policy.policyDescription}
          onChange={(event) => set({ policyDescription: event.target.value })}
        />
        <Select
          label={messages.direction}
          value={policy.policyMode}
          options={[
            ['unified', messages.general.modes.unified],
            ['input', messages.general.modes.input],
            ['output', messages.general.modes.output],
          ]}
          onChange={(event) => set({ policyMode: event.target.value as Policy['policyMode'] })}
        />
        <Input
          label={messages.general.maxLength}
          type="number"
          min={1}
          max={1_000_000}
          value={policy.max_prompt_length}
          hint={messages.general.maxLengthHint}
          onChange={(event) => set({ max_prompt_length: Number(event.target.value) })}
        />
        <Select
          label={messages.general.incomplete}
          value={policy.incomplete_coverage?.action ?? 'Block'}
          hint={messages.general.incompleteHint}
          options={ACTIONS.map((action) => [action, words(action)] as const)}
          onChange={(event) => set({ incomplete_coverage: { action: event.target.value as Action } })}
        />
        <Budget
          budget={policy.false_positive_budget ?? null}
          onChange={(false_positive_budget) => set({ false_positive_budget })}
        />
        <Reasoning reasoning={policy.llm_reasoning ?? null} onChange={(llm_reasoning) => set({ llm_reasoning })} />
      </fieldset>
    </Card>
  );
}
