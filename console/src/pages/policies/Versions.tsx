import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { queries } from '@/api/queries';
import { changes } from '@/lib/diff';
import { moment } from '@/lib/format';
import { type Policy, type StoredPolicy, writable } from '@/lib/policy';
import { messages } from '@/messages/policies';
import { Button } from '@/ui/Button';
import { Caller } from '@/ui/Caller';
import { ErrorNote } from '@/ui/ErrorNote';
import { Waiting } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { Pill } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { toast } from '@/ui/toasts';
import { Changes } from './Changes';

const text = messages.versions;

/** The versions of a policy, their differences to the current one, and roll back. */
export function Versions({ stored, locked }: { stored: StoredPolicy; locked: boolean }) {
  const [looked, setLooked] = useState<number | null>(null);
  const path = { policyId: stored.policyId };
  const query = useInfiniteQuery({
    queryKey: ['policies', stored.policyId, 'versions', stored.version],
    queryFn: ({ pageParam }) =>
      answer(api.GET('/api/policy/{policyId}/versions', { params: { path, query: { cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
  const restore = useMutation({
    meta: { shown: true },
    mutationFn: (policy: Policy) => answer(api.PUT('/api/policy/{policyId}', { params: { path }, body: policy })),
    onSuccess: () => {
      toast(text.rolledBack);
      return queries.invalidateQueries({ queryKey: ['policies'] });
    },
  });
  if (query.isError) return <ErrorNote error={query.error} />;
  if (query.isPending) return <Waiting />;
  const versions = query.data.pages.flatMap(({ versions }) => versions);
  const old = versions.find(({ version }) => version === looked);
  const oldPolicy = old && ({ ...writable(stored), ...strip(old.policy) } as Policy);
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Card title={text.title} note={text.count(query.data.pages[0]?.total ?? 0)}>
        <Table
          name={text.title}
          rows={versions}
          id={({ version }) => String(version)}
          more={query.hasNextPage}
          columns={[
            {
              head: messages.version,
              value: ({ version }) => version,
              cell: ({ version }) => (
                <span className="font-medium">
                  {version} {version === stored.version && <Pill tone="accent">{text.current}</Pill>}
                </span>
              ),
            },
            {
              head: text.author,
              value: ({ created_by }) => created_by,
              cell: ({ created_by }) => created_by && <Caller principal={created_by} />,
            },
            {
              head: text.published,
              value: ({ created_at }) => new Date(created_at),
              cell: ({ created_at }) => (
                <time dateTime={created_at} className="tabular whitespace-nowrap">
                  {moment(created_at)}
                </time>
              ),
            },
            {
              head: text.compare,
              cell: ({ version }) =>
                version !== stored.version && (
                  <Button small aria-pressed={version === looked} onClick={() => setLooked(version)}>
                    {text.compare}
                    <span className="sr-only">{text.compareWith(version)}</span>
                  </Button>
                ),
            },
          ]}
        />
        {query.hasNextPage && (
          <Button small className="mt-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {text.older}
          </Button>
        )}
      </Card>
      {oldPolicy && (
        <Card
          title={text.changes(looked ?? 0)}
          actions={
            !locked && (
              <Button kind="primary" small busy={restore.isPending} onClick={() => restore.mutate(oldPolicy)}>
                {text.rollBack(looked)}
              </Button>
            )
          }
        >
          {restore.error && <ErrorNote error={restore.error} />}
          <Changes of={changes(writable(stored), oldPolicy)} />
        </Card>
      )}
    </div>
  );
}

/** Returns the writable fields of a version. */
function strip(policy: unknown): Partial<Policy> {
  const {
    policyId: _id,
    version: _version,
    created_at: _created,
    updated_at: _updated,
    ...fields
  } = policy as StoredPolicy;
  return fields;
}
