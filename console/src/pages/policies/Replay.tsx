import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { projects } from '@/api/data';
import { decimal, moment, words } from '@/lib/format';
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
import type { Draft } from './useDraft';

const text = messages.replay;

type ReplayResult = {
  replayed: number;
  skipped: number;
  certain: Schema<'ReplayedRow'>[];
  masked: Schema<'ReplayedRow'>[];
  // The position from which each project continues.
  cursors: Record<string, string>;
};
const NONE: ReplayResult = { replayed: 0, skipped: 0, certain: [], masked: [], cursors: {} };
// Requests of the projects that use this policy.
const OWN = 'own';
const EVERY = '';

/** Shows how the draft would have decided about earlier requests. */
export function Replay({ stored, draft }: { stored: StoredPolicy; draft: Draft }) {
  const may = usePermission();
  const made = useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') }).data ?? [];
  const own = made.filter(({ policyId }) => policyId === stored.policyId).map(({ projectId }) => projectId);
  const [project, setProject] = useState(OWN);
  const [days, setDays] = useState('7');
  const [limit, setLimit] = useState('200');
  const { result, run } = useReplay(stored, draft, {
    projects: project === OWN ? own : [project],
    days: Number(days),
    limit: Number(limit),
  });
  if (!may('LOGS:VIEW_LOG')) return <p className="text-body text-quiet">{text.denied}</p>;
  return (
    <Card title={text.title} note={draft.changed > 0 ? text.ofDraft : text.ofPublished}>
      <div className="space-y-4">
        <p className="max-w-3xl text-xs text-quiet">{text.help}</p>
        <div className="flex flex-wrap items-end gap-3">
          <Select
            label={common.project}
            boxClass="w-64"
            value={project}
            options={[
              [OWN, text.ownProjects],
              [EVERY, common.allProjects],
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
          <Button
            kind="primary"
            busy={run.isPending}
            disabled={project === OWN && own.length === 0}
            onClick={() => run.mutate(false)}
          >
            {text.run}
          </Button>
          {Object.keys(result.cursors).length > 0 && (
            <Button busy={run.isPending} onClick={() => run.mutate(true)}>
              {text.older}
            </Button>
          )}
        </div>
        {project === OWN && own.length === 0 && <p className="text-body text-quiet">{text.noProject}</p>}
        {run.error && <ErrorNote error={run.error} />}
        {run.isSuccess && <Result of={result} />}
      </div>
    </Card>
  );
}

/** The number of decisions that would change, and their list. Texts that were masked before are listed apart. */
function Result({ of: { certain, masked, replayed, skipped } }: { of: ReplayResult }) {
  return (
    <>
      <p role="status" className="text-body">
        <strong>{certain.length}</strong>
        {text.result(replayed)}
        <span className="text-quiet">
          {masked.length > 0 && text.uncertain(masked.length)}
          {skipped > 0 && text.skipped(skipped)}
        </span>
      </p>
      {certain.length > 0 && <Changed name={text.table} rows={certain} />}
      {masked.length > 0 && (
        <div className="space-y-2">
          <h3 className="text-body font-semibold">{text.masked}</h3>
          <p className="text-xs text-quiet">{text.maskedNote}</p>
          <Changed name={text.masked} rows={masked} />
        </div>
      )}
    </>
  );
}

function Changed({ name, rows }: { name: string; rows: Schema<'ReplayedRow'>[] }) {
  return (
    <Table
      name={name}
      rows={rows}
      id={({ log_id }) => log_id}
      columns={[
        {
          head: text.request,
          value: ({ log_id }) => log_id,
          cell: ({ log_id, created_at }) => (
            <Link to="/logs" search={{ entry: log_id }} className="text-accent hover:underline">
              <time dateTime={created_at} className="tabular whitespace-nowrap">
                {moment(created_at)}
              </time>
            </Link>
          ),
        },
        { head: text.decision, value: ({ decision }) => decision, cell: ({ decision }) => <Decision of={decision} /> },
        {
          head: text.newDecision,
          value: ({ new_decision }) => new_decision,
          cell: ({ new_decision }) => <Decision of={new_decision} />,
        },
        {
          head: text.triggered,
          value: (row) => namesOf(row),
          cell: (row) => namesOf(row) || text.nothing,
        },
      ]}
    />
  );
}

const namesOf = ({ triggered_guardrails }: Schema<'ReplayedRow'>) =>
  triggered_guardrails.map(({ name, confidence }) => `${words(name)} ${decimal(confidence)}`).join(', ');

type Scope = { projects: string[]; days: number; limit: number };

/** Replays a part of the stored requests of each project at a time and adds up the results. */
function useReplay(stored: StoredPolicy, draft: Draft, { projects: selected, days, limit }: Scope) {
  const [result, setResult] = useState(NONE);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async (resume: boolean) => {
      const total = resume ? { ...result, cursors: {} as Record<string, string> } : { ...NONE, cursors: {} };
      for (const project of selected) {
        const cursor = resume ? result.cursors[project] : undefined;
        if (resume && cursor === undefined) continue;
        const body = {
          from: new Date(Date.now() - days * 86_400_000).toISOString(),
          limit: Math.max(1, Math.floor(limit / selected.length)),
          project: project || undefined,
          policy: draft.changed > 0 ? sent(stored, draft.policy) : undefined,
          cursor,
        };
        const page = await answer(
          api.POST('/api/policy/{policyId}/replay', { params: { path: { policyId: stored.policyId } }, body }),
        );
        const changed = page.rows.filter((row) => row.changed);
        total.replayed += page.replayed;
        total.skipped += page.skipped;
        total.certain = [...total.certain, ...changed.filter(({ masked }) => !masked)];
        total.masked = [...total.masked, ...changed.filter(({ masked }) => masked)];
        if (page.next_cursor) total.cursors[project] = page.next_cursor;
      }
      setResult(total);
    },
  });
  return { result, run };
}
