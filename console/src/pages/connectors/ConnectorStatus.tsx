import { useQuery } from '@tanstack/react-query';
import { fill } from '@/lib/fill';
import { messages } from '@/messages/connectors';
import { RemoteError } from '@/ui/RemoteError';
import { Ago } from '@/ui/Time';
import { connector } from './types';

/** The error that the last health check of a connector found. */
export function ConnectorStatus({ id }: { id: string }) {
  const { data } = useQuery(connector(id));
  return data?.last_error ? (
    <>
      <RemoteError raw={data.last_error} />
      {data.last_checked_at && (
        <span className="text-xs text-quiet">
          {fill(messages.checked, { time: <Ago at={data.last_checked_at} /> })}
        </span>
      )}
    </>
  ) : null;
}
