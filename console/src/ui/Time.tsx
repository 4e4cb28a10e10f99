import { moment, since } from '@/lib/format';

/** A moment: how long ago, and exactly where it is pointed at. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={moment(at)} className="whitespace-nowrap">
      {since(at)}
    </time>
  );
}
