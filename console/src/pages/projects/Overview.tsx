import { hourlyRange, type Period, type Range } from '@/lib/period';
import { UsageTable } from '@/pages/credits/UsageTable';
import { LogChart } from '@/pages/logs/LogChart';
import { usePermission } from '@/session/me';
import { NewestBlocked } from './NewestBlocked';
import { ProjectTotals } from './ProjectTotals';

const PROPERTIES = ['application', 'user', 'api_key', 'operation'] as const;

type Props = { projectId: string; period: Period; onZoom: (range: Range) => void };

/** The requests of a project in a period, as far as the user may see them. */
export function Overview({ projectId, period, onZoom }: Props) {
  const may = usePermission();
  const range = hourlyRange(period);
  return (
    <>
      <ProjectTotals projectId={projectId} period={period} range={range} />
      {may('LOGS:VIEW_LOG') && <LogChart filters={{ project: projectId, ...range }} onZoom={onZoom} />}
      {may('CREDITS:VIEW_CREDIT') && <UsageTable range={range} project={projectId} offered={PROPERTIES} />}
      {may('LOGS:VIEW_LOG') && <NewestBlocked filters={{ project: projectId, outcome: 'blocked', ...range }} />}
    </>
  );
}
