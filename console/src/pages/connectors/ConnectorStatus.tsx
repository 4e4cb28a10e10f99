import { useQuery } from '@tanstack/react-query';
import { Ago } from '@/ui/Time';
import { connector } from './types';

/** The error that the last health check of a connector found. */
export function ConnectorStatus({ id }: { id: string }) {
  const { data } = useQuery(connector(id));
  return data?.last_error ? (
    <span className="max-w-md text-xs text-quiet">
      {data.last_error}
      {data.last_checked_at && (
        <>
          , <Ago at={data.last_checked_at} />
        </>
      )}
    </span>
  ) : null;
}
