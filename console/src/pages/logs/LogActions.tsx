import { Columns3, Pause, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { messages } from '@/messages/logs';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { classes } from '@/ui/classes';
import { CheckItem, Menu } from '@/ui/Menu';
import { COLUMNS } from './columns';
import { Export } from './Export';
import { isPast as isInPast, type LogFilters } from './filters';
import type { Tail } from './useTail';

type Props = {
  filters: LogFilters;
  tail: Tail;
  isPaused: boolean;
  /** True if the service refuses the filters. */
  isRefused: boolean;
  onPause: (isPaused: boolean) => void;
  // Null on narrow screens, where the columns are fixed.
  columns: string[] | null;
  onColumns: (ids: string[]) => void;
  children: ReactNode;
};

/** The state of live updates, with the pause button, the columns menu and the export. */
export function LogActions({ filters, tail, isPaused, isRefused, onPause, columns, onColumns, children }: Props) {
  const may = usePermission();
  const isPast = isInPast(filters);
  return (
    <>
      {!isRefused && <TailState tail={tail} isPaused={isPaused} isPast={isPast} />}
      {children}
      <Button onClick={() => onPause(!isPaused)} aria-pressed={isPaused} disabled={isPast}>
        {isPaused ? <Play aria-hidden size={14} /> : <Pause aria-hidden size={14} />}
        {isPaused ? messages.resume : messages.pause}
      </Button>
      {columns && <ColumnsMenu columns={columns} onColumns={onColumns} />}
      {may('LOGS:EXPORT_LOG') && <Export filters={filters} />}
    </>
  );
}

function ColumnsMenu({ columns, onColumns }: { columns: string[]; onColumns: (ids: string[]) => void }) {
  return (
    <Menu
      trigger={
        <Button>
          <Columns3 aria-hidden size={14} />
          {messages.columns}
        </Button>
      }
    >
      {COLUMNS.slice(1).map(({ id, label }) => (
        <CheckItem
          key={id}
          checked={columns.includes(id)}
          onChange={(on) => onColumns(on ? [...columns, id] : columns.filter((one) => one !== id))}
        >
          {label}
        </CheckItem>
      ))}
    </Menu>
  );
}

function TailState({ tail, isPaused, isPast }: { tail: Tail; isPaused: boolean; isPast: boolean }) {
  const isLive = !isPast && !isPaused && tail.state === 'live';
  return (
    <span role="status" className="inline-flex items-center gap-1.5 text-xs text-quiet">
      <span aria-hidden className={classes('size-2 rounded-full', isLive ? 'animate-pulse bg-allow' : 'bg-edge')} />
      {stateOf(tail, isPaused, isPast)}
    </span>
  );
}

function stateOf({ state, error }: Tail, isPaused: boolean, isPast: boolean): string {
  if (isPast) return messages.live.past;
  if (isPaused) return messages.live.paused;
  if (state === 'failed') return messages.live.failed(error ?? '');
  return state === 'live' ? messages.live.live : messages.live.connecting;
}
