import { messages } from '@/messages/logs';
import type { Span } from './policy';

/** A piece of a text and the names of the findings in it. */
export type Piece = { text: string; marks: string[] };
export type Mark = { name: string; span: Span };

// Code points before the first mark of an excerpt.
const LEAD = 40;
const MARKER = /\[[A-Z][A-Z_]*_REDACTED\]/g;

/** Whether personal data of a text was replaced by markers. */
export const hasMarkers = (text: string): boolean => text.search(MARKER) !== -1;

/** Returns where findings are that are not in the prompt or response itself, each place once. */
export function placesOf(spans: Span[]): string[] {
  const places = spans.flatMap(({ document, image, turn, transcript }) => {
    if (document !== undefined) return [messages.places.document(document + 1)];
    if (image !== undefined) return [messages.places.image(image + 1)];
    if (turn !== undefined) return [messages.places.turn(turn + 1)];
    return transcript === true ? [messages.places.transcript] : [];
  });
  return [...new Set(places)];
}

/** Splits a text where marks start and end. Spans count code points, strings count UTF-16 units. */
export function pieces(text: string, marks: Mark[]): Piece[] {
  const points = [...text];
  const cuts = new Set([0, points.length]);
  for (const { span } of marks) for (const at of [span.start, span.end]) if (at > 0 && at < points.length) cuts.add(at);
  const order = [...cuts].sort((a, b) => a - b);
  return order.slice(0, -1).map((start, index) => {
    const end = order[index + 1] ?? points.length;
    const names = marks
      .filter(({ span }) => span.start <= start && span.end >= end && span.end > span.start)
      .map(({ name }) => name);
    return { text: points.slice(start, end).join(''), marks: [...new Set(names)] };
  });
}

/** Returns the part of a text around its first mark, at most `length` code points, with the marks in it. */
export function excerpt(text: string, marks: Mark[], length = 240): { text: string; marks: Mark[] } {
  const points = [...text];
  const first = Math.min(points.length, ...marks.map(({ span }) => span.start));
  const start = marks.length === 0 || first < length / 2 ? 0 : first - LEAD;
  const end = Math.min(points.length, start + length);
  const [before, after] = [start > 0 ? '…' : '', end < points.length ? '…' : ''];
  const by = before.length - start;
  return {
    text: before + points.slice(start, end).join('') + after,
    marks: marks
      .filter(({ span }) => span.start < end)
      .map(({ name, span }) => ({ name, span: { start: span.start + by, end: Math.min(span.end, end) + by } })),
  };
}

/**
 * Moves marks of the original text to their position in the stored text, where markers replaced personal data. If the
 * markers match the findings of `pii` one by one, all positions are known. Otherwise only marks before the first marker
 * are certain, and `complete` is false.
 */
export function inStoredText(kept: string, marks: Mark[]): { marks: Mark[]; complete: boolean } {
  const markers = [...kept.matchAll(MARKER)].map((found) => ({
    at: [...kept.slice(0, found.index)].length,
    length: found[0].length,
  }));
  if (markers.length === 0) return { marks, complete: true };
  const finds = merged(marks.filter(({ name }) => name === 'pii').map(({ span }) => span));
  const shifts: { end: number; by: number }[] = [];
  let by = 0;
  for (const [index, marker] of markers.entries()) {
    const find = finds[index];
    if (find === undefined || finds.length !== markers.length || find.start + by !== marker.at) {
      const sure = marks.filter(({ span }) => span.end <= (markers[0]?.at ?? 0));
      return { marks: sure, complete: sure.length === marks.length };
    }
    by += marker.length - (find.end - find.start);
    shifts.push({ end: find.end, by });
  }
  const moved = (at: number) => at + (shifts.findLast(({ end }) => end <= at)?.by ?? 0);
  return {
    marks: marks.map(({ name, span }) => ({ name, span: { start: moved(span.start), end: moved(span.end) } })),
    complete: true,
  };
}

function merged(spans: Span[]): Span[] {
  const order = [...spans].sort((a, b) => a.start - b.start);
  const whole: Span[] = [];
  for (const span of order) {
    const last = whole.at(-1);
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
    else whole.push({ ...span });
  }
  return whole;
}
