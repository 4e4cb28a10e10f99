import { useQuery } from '@tanstack/react-query';
import { guardrails } from '@/api/data';
import { words } from '@/lib/format';
import { type Item, STRATEGIES } from '@/lib/policy';
import { piiTypes } from '@/messages/pii';
import { messages } from '@/messages/policies';
import { type EditableRow, EditableTable, editableRows } from '@/ui/EditableTable';
import { Input, Select } from '@/ui/Field';
import type { Column } from '@/ui/Table';
import { Terms } from './Terms';

const text = messages.piiRules;

type Rule = NonNullable<Item['pii_types']>[number];
type Props = { rules: Rule[]; custom: string[]; onChange: (rules: Rule[]) => void };

const DIRECTIONS = [
  ['', text.both],
  ['input', text.input],
  ['output', text.output],
] as const;

type Row = EditableRow<Rule> & { types: string[] };

const COLUMNS: Column<Row>[] = [
  {
    head: text.type,
    className: 'min-w-36',
    cell: ({ item: rule, at, set, types }) => (
      <Select
        hidden
        label={text.of(text.type, at + 1)}
        value={rule.type}
        options={types.map((type) => [type, piiTypes[type] ?? type] as const)}
        onChange={(event) => set({ type: event.target.value })}
      />
    ),
  },
  {
    head: text.direction,
    className: 'min-w-28',
    cell: ({ item: rule, at, set }) => (
      <Select
        hidden
        label={text.of(text.direction, at + 1)}
        value={rule.direction ?? ''}
        options={DIRECTIONS}
        onChange={(event) => set({ direction: (event.target.value || undefined) as Rule['direction'] })}
      />
    ),
  },
  {
    head: text.threshold,
    className: 'min-w-24',
    cell: ({ item: rule, at, set }) => (
      <Input
        hidden
        label={text.of(text.threshold, at + 1)}
        type="number"
        min={0}
        max={1}
        step={0.05}
        placeholder={text.same}
        value={rule.threshold ?? ''}
        onChange={({ target }) => set({ threshold: target.value === '' ? undefined : Number(target.value) })}
      />
    ),
  },
  {
    head: text.strategy,
    className: 'min-w-32',
    cell: ({ item: rule, at, set }) => (
      <Select
        hidden
        label={text.of(text.strategy, at + 1)}
        value={rule.strategy ?? ''}
        options={[['', text.same], ...STRATEGIES.map((one) => [one, words(one)] as const)]}
        onChange={(event) => set({ strategy: (event.target.value || undefined) as Rule['strategy'] })}
      />
    ),
  },
  {
    head: text.allow,
    className: 'min-w-40',
    cell: ({ item: rule, at, set }) => (
      <Terms
        hidden
        rows={2}
        label={text.of(text.allow, at + 1)}
        values={rule.allow ?? []}
        onChange={(allow) => set({ allow: allow.length > 0 ? allow : undefined })}
      />
    ),
  },
];

/** The settings of single PII types, a row for each. `custom` are the names of the policy's own types. */
export function PiiRules({ rules, custom, onChange }: Props) {
  const named = rules.map(({ type }) => type);
  // A policy may name types that this version does not know.
  const known = useQuery(guardrails).data?.pii_types.map(({ type }) => type) ?? [];
  const types = [...new Set([...custom, ...known, ...named])].filter(Boolean);
  const rows = editableRows(rules, onChange).map((row) => ({ ...row, types }));
  const add = () => onChange([...rules, { type: types.find((type) => !named.includes(type)) ?? 'email' }]);
  return (
    <EditableTable text={text} columns={COLUMNS} rows={rows} onAdd={add}>
      {rows.length > 0 && <p className="text-xs text-quiet">{text.note}</p>}
    </EditableTable>
  );
}
