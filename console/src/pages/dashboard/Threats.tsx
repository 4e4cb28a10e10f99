import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api, type Schema } from '@/api/client';
import { colorsOf, OTHERS } from '@/charts/colors';
import { type Bar, StackedBars } from '@/charts/StackedBars';
import { moment, words } from '@/lib/format';
import { useMedia } from '@/lib/useMedia';
import { messages } from '@/messages/dashboard';
import { usePermission } from '@/session/me';
import { Empty } from '@/ui/Empty';
import { Card } from '@/ui/Page';
import type { Period } from './period';

type Hour = Schema<'HourOfThreats'>;
type Props = { hours: Hour[]; top: string[]; period: Period; project: string | undefined };

/** Shows threats over time by guardrail. Bars link to their log entries, markers show policy changes. */
export function Threats({ hours, top, period, project }: Props) {
  const changes = usePolicyChanges(period);
  const { names, colorOf } = colorsOf(top);
  const bin = useMedia('(max-width: 1023px)') ? period.narrowBin : period.bin;
  const bars = binned(hours, bin, names);
  const total = hours.reduce((sum, { total }) => sum + total, 0);
  const start = Date.parse(hours[0]?.hour ?? '');
  const markers = changes
    .map(({ entry_id, created_at, principal }) => ({
      id: entry_id,
      at: (Date.parse(created_at) - start) / (hours.length * 3_600_000),
      label: messages.threats.policyChanged(principal, moment(created_at)),
    }))
    .filter(({ at }) => at >= 0 && at <= 1);
  return (
    <Card title={messages.threats.title} note={messages.threats.note(bin)}>
      {total === 0 ? (
        <Empty title={messages.threats.emptyTitle}>{messages.threats.emptyBody}</Empty>
      ) : (
        <StackedBars
          name={messages.threats.chart}
          bars={bars}
          series={names}
          colorOf={colorOf}
          nameOf={(name) => (name === OTHERS ? messages.threats.others : words(name))}
          markers={markers}
          link={(bar, content, description) => (
            <Link
              to="/logs"
              aria-label={description}
              className="block h-full focus-visible:outline-offset-0"
              search={{ from: bar.id, to: new Date(Date.parse(bar.id) + bin * 3_600_000).toISOString(), project }}
            >
              {content}
            </Link>
          )}
        />
      )}
    </Card>
  );
}

/** Groups hours into as many bars as fit on the screen. */
function binned(hours: Hour[], bin: number, names: string[]): Bar[] {
  const bars: Bar[] = [];
  for (let first = 0; first < hours.length; first += bin) {
    const of = hours.slice(first, first + bin);
    const parts: Record<string, number> = {};
    for (const { by_guardrail } of of) {
      for (const [name, count] of Object.entries(by_guardrail)) {
        const series = names.includes(name) ? name : OTHERS;
        parts[series] = (parts[series] ?? 0) + count;
      }
    }
    bars.push({ id: of[0]?.hour ?? '', label: labelOf(of[0]?.hour ?? '', bin), parts });
  }
  return bars;
}

const labelOf = (hour: string, bin: number) =>
  new Date(hour).toLocaleString(
    undefined,
    bin < 24
      ? { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : { month: 'short', day: 'numeric' },
  );

function usePolicyChanges(period: Period): Schema<'AuditRecord'>[] {
  const may = usePermission();
  const query = useQuery({
    queryKey: ['audit', 'policy changes', period.hours],
    queryFn: () =>
      answer(
        api.GET('/api/audit', {
          params: { query: { action: 'FIREWALL_POLICIES:UPDATE_POLICY', from: period.from(), limit: 100 } },
        }),
      ),
    enabled: may('AUDIT:VIEW_AUDIT'),
    staleTime: 60_000,
  });
  return query.data?.entries ?? [];
}
