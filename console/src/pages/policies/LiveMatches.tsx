import { useQuery } from '@tanstack/react-query';
import { matches } from '@/lib/matches';
import { messages } from '@/messages/policies';
import { Marked } from '@/ui/Marked';

/** Highlights the matches of a pattern in a sample, or shows its error. */
export function LiveMatches({ pattern, sample }: { pattern: string; sample: string }) {
  const { data } = useQuery({
    queryKey: ['matches', pattern, sample],
    queryFn: ({ signal }) => matches(pattern, sample, signal),
    enabled: pattern !== '',
    gcTime: 0,
  });
  if (data === undefined) return null;
  if (data.error !== null)
    return (
      <p role="alert" className="text-xs text-block">
        {data.error}
      </p>
    );
  return (
    <div className="rounded-md bg-sunken px-2 py-1.5">
      <Marked text={sample} marks={data.spans.map((span) => ({ name: 'custom_regex', span }))} />
      <p className="text-2xs text-quiet">{messages.patterns.matches(data.spans.length)}</p>
    </div>
  );
}
