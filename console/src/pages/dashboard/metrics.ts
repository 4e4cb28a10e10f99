import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { hourlyRange, type Period } from '@/lib/period';

/** The dashboard metrics of a period, of all projects or of one. */
export const metrics = (period: Period, project: string | undefined) =>
  queryOptions({
    queryKey: ['dashboard', period, project],
    // The times stay with the metrics, so that links open exactly what was counted.
    queryFn: async () => {
      const range = hourlyRange(period);
      return { ...(await answer(api.GET('/api/dashboard', { params: { query: { ...range, project } } }))), range };
    },
    refetchInterval: 15_000,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
