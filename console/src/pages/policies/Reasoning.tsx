import { useQuery } from '@tanstack/react-query';
import { connectors } from '@/api/data';
import { decimal } from '@/lib/format';
import type { Policy } from '@/lib/policy';
import { messages } from '@/messages/policies';
import { usePermission } from '@/session/me';
import { Field, Select } from '@/ui/Field';

type Value = NonNullable<Policy['llm_reasoning']>;

const AI = ['openai', 'anthropic', 'azure_openai', 'gemini', 'openai_compatible'];

/** The language model for requests with `enable_llm_reasoning`, and how far it may lower a confidence. */
export function Reasoning({
  reasoning,
  onChange,
}: {
  reasoning: Value | null;
  onChange: (reasoning: Value | null) => void;
}) {
  const may = usePermission();
  const models =
    useQuery({ ...connectors, enabled: may('CONNECTORS:VIEW_CONNECTOR') }).data?.filter(({ connector_type }) =>
      AI.includes(connector_type),
    ) ?? [];
  const value: Value = reasoning ?? { connector_id: null, may_lower: 0 };
  const set = (change: Partial<Value>) => {
    const next = { ...value, ...change };
    onChange(next.connector_id === null && next.may_lower === 0 ? null : next);
  };
  const known = models.map(({ id, name }) => [id, name] as const);
  const other =
    value.connector_id !== null && !known.some(([id]) => id === value.connector_id)
      ? [[value.connector_id, messages.general.otherModel] as const]
      : [];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label={messages.general.model}
        value={value.connector_id ?? ''}
        options={[['', messages.general.oldestModel], ...known, ...other]}
        hint={messages.general.modelHint}
        onChange={(event) => set({ connector_id: event.target.value || null })}
      />
      <Field label={messages.general.mayLower(decimal(value.may_lower))} hint={messages.general.mayLowerHint}>
        {(wiring) => (
          <input
            {...wiring}
            type="range"
            min={0}
            max={0.2}
            step={0.01}
            value={value.may_lower}
            onChange={(event) => set({ may_lower: Number(event.target.value) })}
            className="w-full"
          />
        )}
      </Field>
    </div>
  );
}
