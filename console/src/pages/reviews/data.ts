import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from '@/api/client';

export type Review = Schema<'ReviewRecord'>;
export type Verdict = Schema<'Verdict'>;

// The most that the service lists at once, so that the most urgent ones are among them.
const PAGE = 500;

/** The reviews with a status. */
export const reviewPages = (status: string) =>
  infiniteQueryOptions({
    queryKey: ['reviews', status],
    queryFn: ({ pageParam }) => {
      // From the address: the service refuses an unknown one.
      const query = { status: status as Schema<'ReviewStatus'>, cursor: pageParam, limit: PAGE };
      return answer(api.GET('/api/reviews', { params: { query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    refetchInterval: 15_000,
  });

/** One review by its identifier. */
export const reviewWith = (review_id: string) =>
  queryOptions({
    queryKey: ['reviews', 'one', review_id],
    queryFn: () => answer(api.GET('/api/reviews/{review_id}', { params: { path: { review_id } } })),
  });

/** Approves or denies a review. */
export const decide = (review_id: string, decision: Verdict, note: string) =>
  answer(
    api.POST('/api/reviews/{review_id}', {
      params: { path: { review_id } },
      body: { decision, note: note || undefined },
    }),
  );

/** Returns reviews in the order in which they are listed: pending ones with the first deadline first. */
export const listed = (reviews: Review[], status: string): Review[] =>
  status === 'pending' ? reviews.toSorted((one, other) => one.expires_at.localeCompare(other.expires_at)) : reviews;

/** Returns the review that is shown after `decided` were decided: the next one in the list, or else the one before. */
export function after(order: string[], current: string, decided: string[]): string | undefined {
  const at = order.indexOf(current);
  const isOpen = (id: string) => !decided.includes(id);
  return order.slice(at + 1).find(isOpen) ?? order.slice(0, Math.max(at, 0)).findLast(isOpen);
}
