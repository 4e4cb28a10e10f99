import type { Item } from '@/lib/policy';
import { messages } from '@/messages/policies';
import { type EditableRow, EditableTable, editableRows } from '@/ui/EditableTable';
import { Input, Select } from '@/ui/Field';
import type { Column } from '@/ui/Table';
import { Terms } from './Terms';

const text = messages.customPii;

type Custom = NonNullable<Item['custom_pii']>[number];
type Props = { types: Custom[]; onChange: (types: Custom[]) => void };

/** The most types of a policy. */
const MOST = 20;
const CHECKSUMS = [
  ['', text.none],
  ['luhn', 'Luhn'],
  ['mod11_10', 'MOD 11,10'],
  ['mod97', 'MOD 97-10'],
  ['verhoeff', 'Verhoeff'],
] as const;

const COLUMNS: Column<EditableRow<Custom>>[] = [
  {
    head: text.name,
    className: 'min-w-36',
    cell: ({ item: type, at, set }) => (
      <Input
        hidden
        label={text.of(text.name, at + 1)}
        maxLength={40}
        spellCheck={false}
        className="font-mono text-xs"
        value={type.name}
        onChange={(event) => set({ name: event.target.value })}
      />
    ),
  },
  {
    head: text.pattern,
    className: 'min-w-48',
    cell: ({ item: type, at, set }) => (
      <Input
        hidden
        label={text.of(text.pattern, at + 1)}
        spellCheck={false}
        className="font-mono text-xs"
        value={type.pattern}
        onChange={(event) => set({ pattern: event.target.value })}
      />
    ),
  },
  {
    head: text.labels,
    className: 'min-w-40',
    cell: ({ item: type, at, set }) => (
      <Terms
        hidden
        rows={2}
        label={text.of(text.labels, at + 1)}
        values={type.labels ?? []}
        onChange={(labels) => set({ labels: labels.length > 0 ? labels : undefined })}
      />
    ),
  },
  {
    head: text.checksum,
    className: 'min-w-32',
    cell: ({ item: type, at, set }) => (
      <Select
        hidden
        label={text.of(text.checksum, at + 1)}
        value={type.checksum ?? ''}
        options={CHECKSUMS}
        onChange={(event) => set({ checksum: (event.target.value || undefined) as Custom['checksum'] })}
      />
    ),
  },
];

/** The PII types that a policy defines, a row for each. */
export function CustomPii({ types, onChange }: Props) {
  const rows = editableRows(types, onChange);
  const add = () => onChange([...types, { name: text.defaultName(types.length + 1), pattern: '\\bEMP-\\d{6}\\b' }]);
  return (
    <EditableTable text={text} columns={COLUMNS} rows={rows} mayAdd={types.length < MOST} onAdd={add}>
      {rows.length > 0 && <p className="text-xs text-quiet">{text.note}</p>}
    </EditableTable>
  );
}
