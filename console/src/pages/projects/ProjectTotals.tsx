import { useQuery } from '@tanstack/react-query';
import { count } from '@/lib/format';
import type { Period, Range } from '@/lib/period';
import { messages } from '@/messages/projects';
import { usage } from '@/pages/credits/UsageTable';
import { metrics } from '@/pages/dashboard/metrics';
import { Tile } from '@/pages/dashboard/Totals';
import { usePermission } from '@/session/me';

const text = messages.page;
const OUTCOMES = [
  ['allowed', text.allowed, 'var(--allow)'],
  ['blocked', text.blocked, 'var(--block)'],
  ['masked', text.masked, 'var(--mask)'],
] as const;

type Props = { projectId: string; period: Period; range: Range };

/** The requests of a project by outcome, and their credits. Each number opens exactly the entries that it counts. */
export function ProjectTotals({ projectId: project, period, range }: Props) {
  const may = usePermission();
  const requests = useQuery({ ...metrics(period, project), enabled: may('DASHBOARD:VIEW_DASHBOARD') }).data;
  const credits = useQuery({ ...usage('operation', range, project), enabled: may('CREDITS:VIEW_CREDIT') }).data;
  return (
    <section aria-label={text.totals} className="grid grid-cols-2 gap-2.5 sm:grid-cols-5">
      {requests && (
        <>
          <Tile
            label={text.requests}
            color="var(--accent)"
            value={requests.totals.requests - requests.totals.unlogged}
            search={{ ...requests.range, project }}
          >
            {requests.totals.unlogged > 0 && (
              <span className="block text-2xs text-quiet">{text.unlogged(count(requests.totals.unlogged))}</span>
            )}
          </Tile>
          {OUTCOMES.map(([outcome, label, color]) => (
            <Tile
              key={outcome}
              label={label}
              color={color}
              value={requests.totals[outcome]}
              search={{ outcome, ...requests.range, project }}
            />
          ))}
        </>
      )}
      {credits && (
        <Tile label={text.credits} color="var(--edge)" value={credits.totals.credits} search={{ ...range, project }} />
      )}
    </section>
  );
}
