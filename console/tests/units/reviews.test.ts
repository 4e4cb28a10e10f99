import { expect, test } from 'vitest';
import { after, listed, type Review } from '@/pages/reviews/data';

test('after a decision the next review is shown, at the end of the list the one before', () => {
  const order = ['a', 'b', 'c'];
  expect(after(order, 'a', ['a'])).toBe('b');
  expect(after(order, 'a', ['a', 'b'])).toBe('c');
  expect(after(order, 'c', ['c'])).toBe('b');
  expect(after(order, 'b', ['a', 'b', 'c'])).toBeUndefined();
  expect(after(['a'], 'a', ['a'])).toBeUndefined();
});

test('pending reviews are listed by their deadline, others as they come', () => {
  const review = (review_id: string, expires_at: string) => ({ review_id, expires_at }) as Review;
  const reviews = [review('late', '2026-01-02T00:00:00Z'), review('soon', '2026-01-01T00:00:00Z')];
  const idsOf = (status: string) => listed(reviews, status).map(({ review_id }) => review_id);
  expect(idsOf('pending')).toEqual(['soon', 'late']);
  expect(idsOf('denied')).toEqual(['late', 'soon']);
});
