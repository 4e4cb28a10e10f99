import { useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { messages } from '@/messages/policies';
import { usePermission } from '@/session/me';

const DAYS = 7;

/** Counts the requests that only the shadow policy would have blocked. */
export function ShadowResult({ project }: { project: string }) {
  const may = usePermission();
  const { data } = useQuery({
    queryKey: ['dashboard', 'shadow', project],
    queryFn: () =>
      answer(
        api.GET('/api/dashboard', {
          params: { query: { project, from: new Date(Date.now() - DAYS * 86_400_000).toISOString() } },
        }),
      ),
    enabled: may('DASHBOARD:VIEW_DASHBOARD'),
    staleTime: 30_000,
  });
  return data ? (
    <span className="tabular">{messages.shadow.wouldBlock(data.totals.would_block, data.totals.requests)}</span>
  ) : (
    <span className="text-quiet">…</span>
  );
}
