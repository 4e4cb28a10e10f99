import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api } from '@/api/client';
import { hourlyRange } from '@/lib/period';
import { messages } from '@/messages/policies';
import { usePermission } from '@/session/me';

/** Counts the requests that only the shadow policy would have blocked. */
export function ShadowResult({ project }: { project: string }) {
  const may = usePermission();
  const { data } = useQuery({
    queryKey: ['dashboard', 'shadow', project],
    queryFn: async () => {
      const range = hourlyRange({ last: '7d' });
      return { ...(await answer(api.GET('/api/dashboard', { params: { query: { project, ...range } } }))), range };
    },
    enabled: may('DASHBOARD:VIEW_DASHBOARD'),
    staleTime: 30_000,
  });
  return data ? (
    <Link
      to="/logs"
      search={{ project, outcome: 'would_block', ...data.range }}
      className="tabular text-accent hover:underline"
    >
      {messages.shadow.wouldBlock(data.totals.would_block, data.totals.requests)}
    </Link>
  ) : (
    <span className="text-quiet">…</span>
  );
}
