import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { answer, api, type Schema, send } from '@/api/client';
import { toApiError } from '@/api/error';
import { at } from '@/lib/base';
import { count, moment, percent, words } from '@/lib/format';
import type { Range } from '@/lib/period';
import { save } from '@/lib/save';
import { messages as text } from '@/messages/usage';
import type { LogFilters } from '@/pages/logs/filters';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Choice } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { type Column, Table } from '@/ui/Table';
import { toast } from '@/ui/toasts';

export type UsageBy = Schema<'UsageReport'>['by'];
type Report = Schema<'UsageReport'>;
type Numbers = Schema<'UsageNumbers'>;
/** A row of the table; `filter` selects its log entries, null where the log has no such filter. */
type Row = Numbers & { key: string; name: string; owner?: string | null; filter: LogFilters | null };

const FEW = 20;
// The most that the service returns.
const ALL = 500;
const REFRESH_MS = 60_000;

/** Usage of a period by a property of the requests. */
export const usage = (by: UsageBy, range: Range, project?: string, limit = FEW) =>
  queryOptions({
    queryKey: ['usage', by, range.from, range.to, project, limit],
    // The answer would be a text only if it were asked for as CSV.
    queryFn: async () =>
      (await answer(api.GET('/api/usage', { params: { query: { by, ...range, project, limit } } }))) as Report,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });

type Props = { range: Range; project?: string; offered: readonly UsageBy[] };

/** Usage of a period by one of the offered properties, of all projects or of one. Numbers open the entries they count. */
export function UsageTable({ range, project, offered: all }: Props) {
  const may = usePermission();
  const offered = may('DASHBOARD:VIEW_DASHBOARD') ? all : all.filter((property) => property !== 'user');
  const [by, setBy] = useState<UsageBy>(offered[0] as UsageBy);
  const [limit, setLimit] = useState(FEW);
  const query = useQuery(usage(by, range, project, limit));
  return (
    <Card
      title={text.title}
      note={text.note}
      actions={
        <>
          <Choice
            aria-label={text.by}
            className="min-h-7! py-0! text-xs!"
            value={by}
            onChange={(event) => setBy(event.target.value as UsageBy)}
          >
            {offered.map((property) => (
              <option key={property} value={property}>
                {text.properties[property]}
              </option>
            ))}
          </Choice>
          <ExportUsage by={by} range={range} project={project} />
        </>
      }
    >
      <Loaded query={query}>
        {(report) => (
          <>
            <p className="mb-2 text-xs text-quiet">{text.total(report.totals.requests, report.totals.credits)}</p>
            <Rows report={report} filters={{ ...range, project }} />
            {report.unattributed && (
              <p className="mt-3 text-xs text-quiet">
                {text.completeSince(moment(report.unattributed.complete_since))}
              </p>
            )}
            {report.others && limit < ALL && (
              <Button small className="mt-3" onClick={() => setLimit(ALL)}>
                {text.more}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Rows({ report, filters }: { report: Report; filters: LogFilters }) {
  const may = usePermission();
  const isLinked = may('LOGS:VIEW_LOG');
  const number = (head: string, field: keyof Numbers, describe: Describe, outcome?: string): Column<Row> => ({
    head,
    value: (row) => row[field],
    cell: (row) =>
      isLinked && row.filter !== null ? (
        <Link
          to="/logs"
          search={{ ...filters, ...row.filter, outcome }}
          aria-label={describe(row.name, count(row[field]))}
          className="inline-flex min-h-7 min-w-7 items-center text-accent hover:underline sm:justify-end"
        >
          {count(row[field])}
        </Link>
      ) : (
        count(row[field])
      ),
    number: true,
  });
  const columns: Column<Row>[] = [
    {
      head: text.properties[report.by],
      value: ({ name }) => name,
      cell: (row) => <Name row={row} isProject={report.by === 'project'} />,
      className: 'min-w-40',
    },
    number(text.requests, 'requests', text.requestsOf),
    number(text.blocked, 'blocked', text.blockedOf, 'blocked'),
    number(text.masked, 'masked', text.maskedOf, 'masked'),
    { head: text.credits, value: ({ credits }) => credits, cell: ({ credits }) => count(credits), number: true },
    { head: text.share, cell: (row) => <Share row={row} of={report.totals.credits} />, className: 'min-w-28' },
  ];
  return (
    <Table
      name={text.title}
      rows={rowsOf(report)}
      id={({ key }) => key}
      empty={<Empty title={text.emptyTitle}>{text.emptyBody}</Empty>}
      columns={report.by === 'api_key' ? columns.toSpliced(1, 0, OWNER) : columns}
    />
  );
}

type Describe = (name: string, requests: string) => string;

const OWNER: Column<Row> = { head: text.owner, value: ({ owner }) => owner };

/** The rows of a report, and one each for everything else, so that the columns add up to the totals. */
function rowsOf({ by, rows, others, unattributed }: Report): Row[] {
  const rest = (key: string, name: string, numbers: Numbers | null | undefined): Row[] =>
    numbers ? [{ ...numbers, key, name, filter: null }] : [];
  return [
    ...rows.map((row) => ({
      ...row,
      key: row.id ?? '',
      name: row.id == null ? text.none[by] : by === 'operation' ? words(row.id) : (row.name ?? row.id),
      filter: filterOf(by, row.id),
    })),
    ...rest(' others', text.others, others),
    ...rest(' unattributed', text.unattributed, unattributed),
  ];
}

/** The log filter for a value. The log has none for operations and for entries without a value. */
function filterOf(by: UsageBy, id: string | null | undefined): LogFilters | null {
  if (id == null || by === 'operation') return null;
  const filters: Record<Exclude<UsageBy, 'operation'>, LogFilters> = {
    project: { project: id },
    api_key: { principal: `api_key:${id}` },
    user: { username: id },
    application: { source_app: id },
  };
  return filters[by];
}

function Name({ row: { name, filter }, isProject }: { row: Row; isProject: boolean }) {
  const may = usePermission();
  const projectId = filter?.project;
  if (!isProject || projectId === undefined || !may('PROJECTS:VIEW_PROJECT'))
    return <span className="font-medium">{name}</span>;
  return (
    <Link to="/projects/$projectId" params={{ projectId }} className="font-medium text-accent hover:underline">
      {name}
    </Link>
  );
}

function Share({ row: { name, credits }, of }: { row: Row; of: number }) {
  const share = of === 0 ? 0 : credits / of;
  return (
    <div role="img" aria-label={text.shareOf(name, percent(share))} className="flex items-center gap-2">
      <span className="h-2 min-w-12 flex-1 rounded-full bg-sunken">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="tabular w-12 text-right text-xs text-quiet">{percent(share)}</span>
    </div>
  );
}

/** Downloads the usage with up to 500 values as CSV. */
function ExportUsage({ by, range, project }: { by: UsageBy; range: Range; project: string | undefined }) {
  const run = useMutation({
    mutationFn: async () => {
      const query = new URLSearchParams({ by, ...range, limit: String(ALL), format: 'csv', bom: 'true' });
      if (project !== undefined) query.set('project', project);
      const response = await send(new Request(at(`/api/usage?${query}`)));
      if (!response.ok) throw toApiError(response, await response.json().catch(() => null));
      save(await response.blob(), `guardengine-usage-by-${by}.csv`);
    },
    onSuccess: () => toast(text.exported),
  });
  return (
    <Button small busy={run.isPending} onClick={() => run.mutate()}>
      <Download aria-hidden size={13} />
      {text.export}
    </Button>
  );
}
