import type { Schema } from '@/api/client';
import { words } from '@/lib/format';
import { messages } from '@/messages/alerts';
import { Input, Select } from '@/ui/Field';
import type { Condition } from './condition';

type Props = {
  condition: Condition;
  guardrails: readonly string[];
  connectors: readonly Schema<'ListedConnector'>[];
  onChange: (condition: Condition) => void;
};

/** The fields of a condition, by its type. */
export function ConditionFields({ condition, guardrails, connectors, onChange }: Props) {
  switch (condition.type) {
    case 'block_rate':
      return (
        <>
          <Amount
            label={messages.share}
            min={1}
            max={100}
            step="any"
            value={Math.round(condition.share * 1000) / 10}
            onChange={(percent) => onChange({ ...condition, share: percent / 100 })}
          />
          <Period condition={condition} onChange={onChange} />
          <Amount
            label={messages.minRequests}
            min={1}
            max={1_000_000}
            value={condition.min_count}
            onChange={(min_count) => onChange({ ...condition, min_count })}
          />
        </>
      );
    case 'guardrail_spike':
      return <SpikeFields condition={condition} guardrails={guardrails} onChange={onChange} />;
    case 'credits_low':
      return (
        <Amount
          label={messages.balance}
          min={1}
          max={1_000_000_000_000}
          value={condition.balance}
          onChange={(balance) => onChange({ ...condition, balance })}
        />
      );
    case 'connector_down':
      return (
        <Select
          label={messages.connector}
          value={condition.connector_id ?? ''}
          options={[['', messages.anyConnector], ...connectors.map(({ id, name }) => [id, name] as const)]}
          onChange={(event) => onChange({ ...condition, connector_id: event.target.value || null })}
        />
      );
    case 'engine_degraded':
      return null;
  }
}

type SpikeProps = {
  condition: Extract<Condition, { type: 'guardrail_spike' }>;
  guardrails: readonly string[];
  onChange: (condition: Condition) => void;
};

function SpikeFields({ condition, guardrails, onChange }: SpikeProps) {
  return (
    <>
      <Select
        label={messages.guardrail}
        value={condition.guardrail}
        options={guardrails.map((name) => [name, words(name)] as const)}
        onChange={(event) => onChange({ ...condition, guardrail: event.target.value })}
      />
      <Amount
        label={messages.factor}
        min={1.1}
        max={100}
        step="any"
        value={condition.factor}
        onChange={(factor) => onChange({ ...condition, factor })}
      />
      <Period condition={condition} onChange={onChange} />
      <Amount
        label={messages.minBlocks}
        min={1}
        max={1_000_000}
        value={condition.min_count}
        onChange={(min_count) => onChange({ ...condition, min_count })}
      />
    </>
  );
}

type PeriodProps = {
  condition: Extract<Condition, { period_minutes: number }>;
  onChange: (condition: Condition) => void;
};

function Period({ condition, onChange }: PeriodProps) {
  return (
    <Amount
      label={messages.period}
      min={5}
      max={360}
      value={condition.period_minutes}
      onChange={(period_minutes) => onChange({ ...condition, period_minutes })}
    />
  );
}

type AmountProps = {
  label: string;
  min: number;
  max: number;
  step?: string;
  value: number;
  onChange: (value: number) => void;
};

/** A required number. */
export function Amount({ value, onChange, ...rest }: AmountProps) {
  return (
    <Input
      type="number"
      required
      defaultValue={value}
      onChange={({ target }) => {
        if (target.validity.valid) onChange(target.valueAsNumber);
      }}
      {...rest}
    />
  );
}
