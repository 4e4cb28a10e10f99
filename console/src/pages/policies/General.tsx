import type { Policy } from '@/lib/policy';
import { Input, Select, TextArea } from '@/ui/Field';
import { Card } from '@/ui/Page';
import { Budget } from './Budget';
import { Reasoning } from './Reasoning';
import type { Draft } from './useDraft';

/** Name, direction, length, and what holds for all guardrails. */
export function General({ draft: { policy, set }, locked }: { draft: Draft; locked: boolean }) {
  return (
    <Card className="max-w-2xl">
      <fieldset disabled={locked} className="space-y-4">
        <Input
          label="Name"
          maxLength={100}
          required
          value={policy.policyName}
          hint={`${policy.policyName.length} of 100 characters`}
          onChange={(event) => set({ policyName: event.target.value })}
        />
        <TextArea
          label="Description"
          rows={3}
          maxLength={5000}
          value={policy.policyDescription}
          onChange={(event) => set({ policyDescription: event.target.value })}
        />
        <Select
          label="What it guards"
          value={policy.policyMode}
          options={[
            ['unified', 'Prompts and responses'],
            ['input', 'Prompts, before the model'],
            ['output', 'Responses, before the user'],
          ]}
          onChange={(event) => set({ policyMode: event.target.value as Policy['policyMode'] })}
        />
        <Input
          label="Longest prompt, in characters"
          type="number"
          min={1}
          max={1_000_000}
          value={policy.max_prompt_length}
          hint="Longer prompts are blocked."
          onChange={(event) => set({ max_prompt_length: Number(event.target.value) })}
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
