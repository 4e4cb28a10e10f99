import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { moment, words } from '@/lib/format';
import { messages } from '@/messages/evaluation';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Select } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { Decision } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { Rate, rate } from './Confusion';
import { type Run, runs } from './data';

const text = messages.compare;

/** Compares a run with an earlier one over the same dataset. */
export function Compare({ run }: { run: Run }) {
  const query = useQuery(runs);
  return (
    <Loaded query={query}>
      {(all) => {
        const others = all.filter(
          ({ run_id, dataset_id, status }) =>
            run_id !== run.run_id && dataset_id === run.dataset_id && status === 'done',
        );
        if (others.length === 0)
          return (
            <Card>
              <Empty title={text.none}>{text.noneBody}</Empty>
            </Card>
          );
        return <Comparison run={run} others={others} />;
      }}
    </Loaded>
  );
}

function Comparison({ run, others }: { run: Run; others: Run[] }) {
  const [base, setBase] = useState(others[0]?.run_id ?? '');
  const query = useInfiniteQuery({
    queryKey: ['evaluation', 'runs', run.run_id, 'comparison', base],
    queryFn: ({ pageParam }) =>
      answer(
        api.GET('/api/evaluation/runs/{run_id}/comparison', {
          params: { path: { run_id: run.run_id }, query: { base, cursor: pageParam } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
  return (
    <div className="flex flex-col gap-4">
      <Card title={text.title}>
        <Select
          label={text.base}
          boxClass="w-96 max-w-full"
          value={base}
          options={others.map(
            ({ run_id, policyName, policy_version, created_at }) =>
              [run_id, text.run(policyName, policy_version, moment(created_at))] as const,
          )}
          onChange={(event) => setBase(event.target.value)}
        />
      </Card>
      <Loaded query={query}>
        {({ pages }) => (
          <>
            {pages[0] && <Differences rows={pages[0].guardrails} />}
            {pages[0] && (
              <Flipped rows={pages.flatMap(({ flipped }) => flipped)} total={pages[0].total} more={query.hasNextPage} />
            )}
          </>
        )}
      </Loaded>
      {query.hasNextPage && (
        <Button small busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {messages.wrong.more}
        </Button>
      )}
    </div>
  );
}

function Differences({ rows }: { rows: Schema<'GuardrailDifference'>[] }) {
  const { recall, falsePositiveRate } = messages.report;
  return (
    <Card title={text.guardrails} note={messages.report.intervalNote}>
      <Table
        name={text.guardrails}
        rows={rows}
        id={({ guardrail }) => guardrail}
        columns={[
          { head: messages.report.guardrail, value: ({ guardrail }) => words(guardrail) },
          { head: text.before(recall), value: ({ base }) => rate(base?.recall), number: true },
          {
            head: text.after(recall),
            value: ({ run }) => rate(run?.recall),
            cell: ({ run }) => <Rate of={run?.recall} interval={run?.recall_interval} />,
            number: true,
          },
          {
            head: text.before(falsePositiveRate),
            value: ({ base }) => rate(base?.false_positive_rate),
            number: true,
          },
          {
            head: text.after(falsePositiveRate),
            value: ({ run }) => rate(run?.false_positive_rate),
            cell: ({ run }) => <Rate of={run?.false_positive_rate} interval={run?.false_positive_rate_interval} />,
            number: true,
          },
          { head: text.fixed, value: ({ fixed }) => fixed, number: true },
          { head: text.broken, value: ({ broken }) => broken, number: true },
        ]}
      />
    </Card>
  );
}

function Flipped({ rows, total, more }: { rows: Schema<'FlippedCase'>[]; total: number; more: boolean }) {
  return (
    <Card title={text.flipped(total)}>
      <Table
        name={text.flipped(total)}
        rows={rows}
        id={({ position }) => String(position)}
        more={more}
        empty={<Empty title={text.noFlips} />}
        columns={[
          {
            head: messages.wrong.text,
            value: (one) => one.text,
            cell: (one) => <span className="line-clamp-3 max-w-xl break-words">{one.text}</span>,
          },
          {
            head: text.from,
            value: ({ base_decision }) => base_decision,
            cell: ({ base_decision }) => <Decision of={base_decision} />,
          },
          { head: text.to, value: ({ decision }) => decision, cell: ({ decision }) => <Decision of={decision} /> },
          {
            head: messages.wrong.mistakes,
            value: ({ mistake }) => (mistake ? (messages.wrong.names[mistake] ?? mistake) : undefined),
          },
        ]}
      />
    </Card>
  );
}
