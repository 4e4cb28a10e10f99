import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { send } from '@/api/client';
import { toApiError } from '@/api/error';
import { duplicateKeys } from '@/editor/duplicates';
import { JsonEditor } from '@/editor/JsonEditor';
import { problems, type Schemas } from '@/editor/schema';
import { at } from '@/lib/base';
import { type Policy, type StoredPolicy, writable } from '@/lib/policy';
import { messages } from '@/messages/policies';
import { Copy } from '@/ui/Copy';
import { Toggle } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import type { Draft } from './useDraft';

const text = messages.json;

const SCHEMA = { $ref: '#/components/schemas/WrittenPolicy' };

/** The schemas of the API, by which a policy is completed and checked. */
const apiSchemas = queryOptions({
  queryKey: ['openapi', 'schemas'],
  queryFn: async () => {
    const response = await send(new Request(at('/openapi.json')));
    if (!response.ok) throw toApiError(response, null);
    return ((await response.json()) as { components: { schemas: Schemas } }).components.schemas;
  },
  staleTime: Infinity,
});

const written = (policy: Policy) => JSON.stringify(policy, null, 2);

/** The draft as JSON. What is typed becomes the draft while it is a policy. */
export function PolicyJson({ stored, draft, locked }: { stored: StoredPolicy; draft: Draft; locked: boolean }) {
  const query = useQuery(apiSchemas);
  const [edited, setEdited] = useState(() => ({
    json: draft.unread ?? written(draft.policy),
    policy: draft.policy,
    opened: 0,
  }));
  const [showsChanges, setShowsChanges] = useState(false);
  // The draft was discarded or restored elsewhere: the text follows.
  if (edited.policy !== draft.policy)
    setEdited({ json: written(draft.policy), policy: draft.policy, opened: edited.opened + 1 });
  const original = useMemo(() => written(writable(stored)), [stored]);
  return (
    <Card
      title={text.title}
      note={text.note}
      actions={
        <>
          <Toggle label={text.changes} checked={showsChanges} onChange={setShowsChanges} />
          <Copy text={edited.json} label={text.copy} />
        </>
      }
    >
      <Loaded query={query} lines={12}>
        {(schemas) => (
          <div className="space-y-2">
            <JsonEditor
              key={edited.opened}
              label={text.title}
              text={edited.json}
              schemas={schemas}
              schema={SCHEMA}
              isLocked={locked}
              original={showsChanges ? original : null}
              onChange={(next) => {
                const policy = read(next, schemas);
                setEdited({ ...edited, json: next, policy: policy ?? edited.policy });
                if (policy) draft.replace(policy);
                else draft.keepUnread(next);
              }}
            />
            <State of={edited.json} schemas={schemas} />
          </div>
        )}
      </Loaded>
    </Card>
  );
}

/** Returns the policy that a text is; null if it is none. */
function read(json: string, schemas: Schemas): Policy | null {
  try {
    const value: unknown = JSON.parse(json);
    const isPolicy = problems(schemas, SCHEMA, value).length === 0 && duplicateKeys(json).length === 0;
    return isPolicy ? (value as Policy) : null;
  } catch {
    return null;
  }
}

/** Shows whether the text is applied to the draft. */
function State({ of: json, schemas }: { of: string; schemas: Schemas }) {
  const isApplied = read(json, schemas) !== null;
  return (
    <p role="status" className={isApplied ? 'text-xs text-quiet' : 'text-xs text-block'}>
      {isApplied ? text.applied : text.notApplied}
    </p>
  );
}
