import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { words } from '@/lib/format';
import { common } from '@/messages/common';
import { messages } from '@/messages/evaluation';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Select } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { Decision, Pill } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import type { Report, Run } from './data';

const text = messages.wrong;

/** The cases in which the decision or a guardrail is wrong. */
export function WrongCases({ run, report }: { run: Run; report: Report }) {
  const [guardrail, setGuardrail] = useState('');
  const query = useInfiniteQuery({
    queryKey: ['evaluation', 'runs', run.run_id, 'wrong', guardrail],
    queryFn: ({ pageParam }) => {
      const query = { guardrail: (guardrail || undefined) as Schema<'GuardrailName'> | undefined, cursor: pageParam };
      return answer(
        api.GET('/api/evaluation/runs/{run_id}/wrong', { params: { path: { run_id: run.run_id }, query } }),
      );
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
  const total = query.data?.pages[0]?.total;
  return (
    <Card
      title={text.title}
      note={total !== undefined && text.total(total)}
      actions={
        <Select
          label={messages.report.guardrail}
          hidden
          boxClass="w-64"
          value={guardrail}
          options={[['', text.all], ...report.guardrails.map((one) => [one.guardrail, words(one.guardrail)] as const)]}
          onChange={(event) => setGuardrail(event.target.value)}
        />
      }
    >
      <Loaded query={query}>
        {({ pages }) => (
          <Table
            name={text.title}
            rows={pages.flatMap(({ cases }) => cases)}
            id={({ position }) => String(position)}
            more={query.hasNextPage}
            empty={<Empty title={text.none}>{text.noneBody}</Empty>}
            columns={[
              {
                head: text.text,
                value: (one) => one.text,
                cell: (one) => <span className="line-clamp-3 max-w-xl break-words">{one.text}</span>,
              },
              {
                head: text.decision,
                value: ({ decision }) => decision,
                cell: ({ decision }) => <Decision of={decision} />,
              },
              { head: text.mistakes, cell: (one) => <Mistakes of={one} /> },
              {
                head: common.actions,
                cell: (one) => (
                  <Link
                    to="/playground"
                    search={{ text: one.text, policy: run.policyId }}
                    className="whitespace-nowrap text-accent hover:underline"
                  >
                    {text.playground}
                  </Link>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {query.hasNextPage && (
        <Button small className="mt-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {text.more}
        </Button>
      )}
    </Card>
  );
}

function Mistakes({ of: { mistake, guardrails } }: { of: Schema<'WrongCase'> }) {
  return (
    <ul className="space-y-1">
      {mistake && (
        <li>
          <Pill tone="block">{text.ofDecision(text.names[mistake] ?? mistake)}</Pill>
        </li>
      )}
      {guardrails.map((one) => (
        <li key={one.guardrail} className="text-xs">
          {text.ofGuardrail(
            words(one.guardrail),
            text.names[one.mistake] ?? one.mistake,
            one.confidence,
            one.threshold,
          )}
        </li>
      ))}
    </ul>
  );
}
