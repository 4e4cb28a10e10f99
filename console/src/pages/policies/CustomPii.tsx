import { Plus, Trash2 } from 'lucide-react';
import type { Item } from '@/lib/policy';
import { messages } from '@/messages/policies';
import { Button, IconButton } from '@/ui/Button';
import { Input, Select } from '@/ui/Field';
import { type Column, Table } from '@/ui/Table';
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

type Row = { type: Custom; at: number; set: (change: Partial<Custom>) => void; remove: () => void };

const COLUMNS: Column<Row>[] = [
  {
    head: text.name,
    className: 'min-w-36',
    cell: ({ type, at, set }) => (
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
    cell: ({ type, at, set }) => (
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
    cell: ({ type, at, set }) => (
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
    cell: ({ type, at, set }) => (
      <Select
        hidden
        label={text.of(text.checksum, at + 1)}
        value={type.checksum ?? ''}
        options={CHECKSUMS}
        onChange={(event) => set({ checksum: (event.target.value || undefined) as Custom['checksum'] })}
      />
    ),
  },
  {
    head: text.removal,
    cell: ({ at, remove }) => (
      <IconButton label={text.remove(at + 1)} onClick={remove}>
        <Trash2 size={14} />
      </IconButton>
    ),
  },
];

/** The PII types that a policy defines, a row for each. */
export function CustomPii({ types, onChange }: Props) {
  const change = (at: number, change: Partial<Custom>) =>
    onChange(types.map((old, index) => (index === at ? { ...old, ...change } : old)));
  const rows = types.map((type, at) => ({
    type,
    at,
    set: (one: Partial<Custom>) => change(at, one),
    remove: () => onChange(types.filter((_, index) => index !== at)),
  }));
  return (
    <details open={types.length > 0}>
      <summary className="text-xs font-medium text-quiet">{text.summary(types.length)}</summary>
      <div className="mt-3 space-y-3">
        {rows.length > 0 && <Table name={text.table} rows={rows} id={({ at }) => String(at)} columns={COLUMNS} />}
        <Button
          small
          disabled={types.length >= MOST}
          onClick={() =>
            onChange([...types, { name: text.defaultName(types.length + 1), pattern: '\\bEMP-\\d{6}\\b' }])
          }
        >
          <Plus aria-hidden size={13} />
          {text.add}
        </Button>
        {rows.length > 0 && <p className="text-xs text-quiet">{text.note}</p>}
      </div>
    </details>
  );
}
