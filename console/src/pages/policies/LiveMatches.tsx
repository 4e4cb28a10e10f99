import { useQuery } from '@tanstack/react-query';
import { matches } from '@/lib/matches';
import { Marked } from '@/ui/Marked';

/** Where a pattern matches a sample, or what is wrong with it. */
export function LiveMatches({ pattern, sample }: { pattern: string; sample: string }) {
  const { data } = useQuery({
    queryKey: ['matches', pattern, sample],
    queryFn: ({ signal }) => matches(pattern, sample, signal),
    enabled: pattern !== '',
    gcTime: 0,
  });
  if (data === undefined) return null;
  if (data.fault !== null)
    return (
      <p role="alert" className="text-xs text-block">
        {data.fault}
      </p>
    );
  return (
    <div className="rounded-md bg-sunken px-2 py-1.5">
      <Marked text={sample} marks={data.spans.map((span) => ({ name: 'custom_regex', span }))} />
      <p className="text-2xs text-quiet">
        {data.spans.length} {data.spans.length === 1 ? 'match' : 'matches'}, as this browser sees it; the service checks
        the pattern when you publish.
      </p>
    </div>
  );
}
