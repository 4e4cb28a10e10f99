import { words } from '@/lib/format';
import { type Item, STRATEGIES, type Strategy } from '@/lib/policy';
import { messages } from '@/messages/policies';
import { Select, Toggle } from '@/ui/Field';
import { CustomPii } from './CustomPii';
import { PiiRules } from './PiiRules';
import { PiiTypes } from './PiiTypes';

const PREVIEW: Record<Strategy, string> = {
  full: '[EMAIL_REDACTED]',
  partial: 'a***@example.com',
  format_preserving: 'kqm@example.com',
  hash: '[EMAIL_HASH_9f86d081884c7d65]',
  token: '[EMAIL_TOKEN_…]',
  synthetic: 'hanna.norden14@example.org',
};

/** Whether and how personal data is masked, and which PII types are included. */
export function Masking({ item, onChange }: { item: Item; onChange: (change: Partial<Item>) => void }) {
  const strategy = item.pii_masking_strategy ?? 'partial';
  return (
    <div className="space-y-3">
      <Toggle
        label={messages.masking.enable}
        checked={item.pii_masking_enabled ?? false}
        onChange={(pii_masking_enabled) => onChange({ pii_masking_enabled, pii_masking_strategy: strategy })}
      />
      {item.pii_masking_enabled && (
        <Select
          label={messages.masking.strategy}
          value={strategy}
          hint={
            <>
              <code className="font-mono">{PREVIEW[strategy]}</code>
              {strategy === 'token' && `, ${messages.masking.restorable}`}
            </>
          }
          options={STRATEGIES.map((one) => [one, words(one)] as const)}
          onChange={(event) => onChange({ pii_masking_strategy: event.target.value as Strategy })}
        />
      )}
      <PiiTypes
        values={item.pii_kinds ?? []}
        onChange={(types) => onChange({ pii_kinds: types.length > 0 ? types : undefined })}
      />
      <PiiRules
        rules={item.pii_types ?? []}
        custom={(item.custom_pii ?? []).map(({ name }) => name)}
        onChange={(rules) => onChange({ pii_types: rules.length > 0 ? rules : undefined })}
      />
      <CustomPii
        types={item.custom_pii ?? []}
        onChange={(types) => onChange({ custom_pii: types.length > 0 ? types : undefined })}
      />
    </div>
  );
}
