import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { guardrails } from '@/api/data';
import { piiTypes } from '@/messages/pii';
import { messages } from '@/messages/policies';
import { Button } from '@/ui/Button';
import { Input } from '@/ui/Field';
import { ScrollArea } from '@/ui/ScrollArea';

const text = messages.masking;

/** Selects PII types from a list that can be searched. Without any, all types are detected. */
export function PiiTypes({ values, onChange }: { values: string[]; onChange: (values: string[]) => void }) {
  const [search, setSearch] = useState('');
  const known = useQuery(guardrails).data?.pii_types ?? [];
  const descriptions = new Map(known.map(({ type, description }) => [type, description]));
  // A policy may name types that this version does not know.
  const all = [...new Set([...descriptions.keys(), ...values])];
  const words = search.trim().toLowerCase();
  const described = (type: string) => `${type} ${piiTypes[type] ?? ''} ${descriptions.get(type) ?? ''}`;
  const shown = all.filter((type) => described(type).toLowerCase().includes(words));
  return (
    <details>
      <summary className="text-xs font-medium text-quiet">{text.types(values.length, all.length)}</summary>
      <div className="mt-2 space-y-2">
        <div className="flex items-end gap-2">
          <Input
            label={text.search}
            hidden
            boxClass="flex-1"
            type="search"
            placeholder={text.search}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          {values.length > 0 && (
            <Button small onClick={() => onChange([])}>
              {text.all}
            </Button>
          )}
        </div>
        <ScrollArea label={text.list} className="max-h-48 overflow-y-auto rounded-md border border-line p-2 text-body">
          {shown.map((type) => (
            <label key={type} className="flex min-h-7 items-center gap-2" title={descriptions.get(type)}>
              <input
                type="checkbox"
                checked={values.includes(type)}
                onChange={(event) =>
                  onChange(event.target.checked ? [...values, type] : values.filter((one) => one !== type))
                }
              />
              {piiTypes[type] ?? type}
            </label>
          ))}
          {shown.length === 0 && <p className="text-quiet">{text.noType}</p>}
        </ScrollArea>
      </div>
    </details>
  );
}
