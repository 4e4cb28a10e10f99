import type { Schema } from '@/api/client';
import { decimal, percent, words } from '@/lib/format';
import { messages } from '@/messages/evaluation';
import { Card } from '@/ui/Page';
import { Decision } from '@/ui/Pill';
import { type Column, Table } from '@/ui/Table';
import type { Report } from './data';

const text = messages.report;

type Row = Schema<'Confusion'> &
  Partial<Pick<Schema<'GuardrailConfusion'>, 'threshold' | 'recall_interval' | 'false_positive_rate_interval'>> & {
    name: string;
  };
type Interval = Schema<'RateInterval'> | null | undefined;

/** Confusion of the decision and of each guardrail, and decisions by direction. */
export function Confusion({ report }: { report: Report }) {
  const rows: Row[] = [
    { ...report.decision, name: text.decision },
    ...report.guardrails.map((one) => ({ ...one, name: words(one.guardrail) })),
  ];
  return (
    <div className="flex flex-col gap-4">
      <Card title={text.confusion} note={`${text.decisionNote} ${text.intervalNote}`}>
        <Table name={text.confusion} rows={rows} id={({ name }) => name} columns={COLUMNS} />
      </Card>
      <Card title={text.decisions}>
        <Table
          name={text.decisions}
          rows={report.decisions}
          id={({ direction, decision }) => `${direction} ${decision}`}
          columns={[
            { head: text.direction, value: ({ direction }) => text.directions[direction] ?? direction },
            {
              head: messages.wrong.decision,
              value: ({ decision }) => decision,
              cell: ({ decision }) => <Decision of={decision} />,
            },
            { head: text.cases, value: ({ cases }) => cases, number: true },
          ]}
        />
      </Card>
    </div>
  );
}

/** Returns a rate as text; a dash without one. */
export const rate = (value: number | null | undefined): string => (value == null ? text.none : percent(value));

const COLUMNS: Column<Row>[] = [
  { head: text.guardrail, value: ({ name }) => name },
  {
    head: text.threshold,
    value: ({ threshold }) => threshold,
    cell: ({ threshold }) => threshold != null && decimal(threshold),
    number: true,
  },
  { head: text.truePositives, value: ({ true_positives }) => true_positives, number: true },
  { head: text.falseNegatives, value: ({ false_negatives }) => false_negatives, number: true },
  { head: text.falsePositives, value: ({ false_positives }) => false_positives, number: true },
  { head: text.trueNegatives, value: ({ true_negatives }) => true_negatives, number: true },
  { head: text.precision, value: ({ precision }) => precision, cell: ({ precision }) => rate(precision), number: true },
  {
    head: text.recall,
    value: ({ recall }) => recall,
    cell: ({ recall, recall_interval }) => <Rate of={recall} interval={recall_interval} />,
    number: true,
  },
  { head: text.f1, value: ({ f1 }) => f1, cell: ({ f1 }) => rate(f1), number: true },
  {
    head: text.falsePositiveRate,
    value: ({ false_positive_rate }) => false_positive_rate,
    cell: ({ false_positive_rate, false_positive_rate_interval }) => (
      <Rate of={false_positive_rate} interval={false_positive_rate_interval} />
    ),
    number: true,
  },
];

/** A rate with its interval. */
export function Rate({ of, interval }: { of: number | null | undefined; interval: Interval }) {
  return (
    <>
      {rate(of)}
      {interval && (
        <span className="block text-2xs whitespace-nowrap text-quiet">
          {text.interval(percent(interval.low), percent(interval.high))}
        </span>
      )}
    </>
  );
}
