import { moment, since } from '@/lib/format';

/** A relative time with the exact time as a tooltip. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={moment(at)} className="whitespace-nowrap">
      {since(at)}
    </time>
  );
}
