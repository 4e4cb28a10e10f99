import { Link } from '@tanstack/react-router';
import { moment } from '@/lib/format';
import type { LogEntry } from './useTail';

type Props = Pick<LogEntry, 'created_at' | 'log_id'> & { label: (time: string) => string };

/** The time of a log entry, which opens it. */
export function EntryLink({ created_at, log_id, label }: Props) {
  return (
    <Link
      to="/logs"
      search={{ entry: log_id }}
      aria-label={label(moment(created_at))}
      className="tabular whitespace-nowrap text-accent hover:underline"
    >
      {moment(created_at)}
    </Link>
  );
}
