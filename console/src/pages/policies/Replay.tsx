import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { projects } from '@/api/data';
import { words } from '@/lib/format';
import { type StoredPolicy, sent } from '@/lib/policy';
import { common } from '@/messages/common';
import { messages } from '@/messages/policies';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select } from '@/ui/Field';
import { Card } from '@/ui/Page';
import { Decision } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { Ago } from '@/ui/Time';
import type { Draft } from './useDraft';

const text = messages.replay;

type ReplayResult = {
  changed: number;
  replayed: number;
  skipped: number;
  rows: Schema<'ReplayedRow'>[];
  cursor: string | null;
};
const NONE: ReplayResult = { changed: 0, replayed: 0, skipped: 0, rows: [], cursor: null };

/** Shows how the draft would have decided about earlier requests. */
export function Replay({ stored, draft }: { stored: StoredPolicy; draft: Draft }) {
  const may = usePermission();
  const made = useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') }).data ?? [];
  const [project, setProject] = useState('');
  const [days, setDays] = useState('7');
  const [limit, setLimit] = useState('200');
  const { result, run } = useReplay(stored, draft, { project, days: Number(days), limit: Number(limit) });
  if (!may('LOGS:VIEW_LOG')) return <p className="text-body text-quiet">{text.denied}</p>;
  return (
    <Card title={text.title} note={draft.changed > 0 ? text.ofDraft : text.ofPublished}>
      <div className="space-y-4">
        <p className="max-w-3xl text-xs text-quiet">{text.help}</p>
        <div className="flex flex-wrap items-end gap-3">
          <Select
            label={common.project}
            boxClass="w-52"
            value={project}
            options={[
              ['', common.allProjects],
              ...made.map(({ projectId, projectName }) => [projectId, projectName] as const),
            ]}
            onChange={(event) => setProject(event.target.value)}
          />
          <Input
            label={text.days}
            boxClass="w-24"
            type="number"
            min={1}
            max={400}
            value={days}
            onChange={(event) => setDays(event.target.value)}
          />
          <Input
            label={text.limit}
            boxClass="w-28"
            type="number"
            min={1}
            max={1000}
            value={limit}
            onChange={(event) => setLimit(event.target.value)}
          />
          <Button kind="primary" busy={run.isPending} onClick={() => run.mutate(false)}>
            {text.run}
          </Button>
          {result.cursor && (
            <Button busy={run.isPending} onClick={() => run.mutate(true)}>
              {text.older}
            </Button>
          )}
        </div>
        {run.error && <ErrorNote error={run.error} />}
        {run.isSuccess && <Result of={result} />}
      </div>
    </Card>
  );
}

/** The number of decisions that would change, and their list. */
function Result({ of: result }: { of: ReplayResult }) {
  return (
    <>
      <p role="status" className="text-body">
        <strong>{result.changed}</strong>
        {text.result(result.replayed)}
        {result.skipped > 0 && <span className="text-quiet">{text.skipped(result.skipped)}</span>}
      </p>
      {result.rows.length > 0 && (
        <Table
          name={text.table}
          rows={result.rows}
          id={({ log_id }) => log_id}
          columns={[
            {
              head: text.request,
              cell: ({ log_id, created_at }) => (
                <Link to="/logs" search={{ entry: log_id }} className="text-accent hover:underline">
                  <Ago at={created_at} />
                </Link>
              ),
            },
            { head: text.decision, cell: ({ decision }) => <Decision of={decision} /> },
            { head: text.newDecision, cell: ({ new_decision }) => <Decision of={new_decision} /> },
            {
              head: text.triggered,
              cell: ({ triggered_guardrails }) =>
                triggered_guardrails
                  .map(({ name, confidence }) => `${words(name)} ${confidence.toFixed(2)}`)
                  .join(', ') || text.nothing,
            },
          ]}
        />
      )}
    </>
  );
}

/** Replays one page of stored requests at a time and adds up the results. */
function useReplay(
  stored: StoredPolicy,
  draft: Draft,
  { project, days, limit }: { project: string; days: number; limit: number },
) {
  const [result, setResult] = useState(NONE);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async (resume: boolean) => {
      const body = {
        from: new Date(Date.now() - days * 86_400_000).toISOString(),
        limit,
        project: project || undefined,
        policy: draft.changed > 0 ? sent(stored, draft.policy) : undefined,
        cursor: resume ? result.cursor : undefined,
      };
      const page = await answer(
        api.POST('/api/policy/{policyId}/replay', { params: { path: { policyId: stored.policyId } }, body }),
      );
      const before = resume ? result : NONE;
      setResult({
        changed: before.changed + page.changed,
        replayed: before.replayed + page.replayed,
        skipped: before.skipped + page.skipped,
        rows: [...before.rows, ...page.rows.filter(({ changed }) => changed)],
        cursor: page.next_cursor ?? null,
      });
    },
  });
  return { result, run };
}
