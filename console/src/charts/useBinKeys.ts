import { type KeyboardEvent, useState } from 'react';
import { messages } from '@/messages/charts';
import type { Bin } from './series';

const STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -6,
  PageUp: 6,
};

/**
 * Makes a chart a slider over its bins, for keyboards and screen readers. With Shift, the arrow keys extend a range from
 * `anchor`, which Enter zooms into.
 */
export function useBinKeys(
  bins: Bin[],
  onSelect: (index: number) => void,
  onZoom: ((one: number, other: number) => void) | undefined,
) {
  const [movedTo, setAt] = useState<number | null>(null);
  const [began, setAnchor] = useState<number | null>(null);
  const last = bins.length - 1;
  // Another period may have fewer bins.
  const [at, anchor] = [movedTo, began].map((index) => (index === null ? null : Math.min(index, last))) as [
    number | null,
    number | null,
  ];
  const leave = () => {
    setAt(null);
    setAnchor(null);
  };
  const move = (to: number, isExtended: boolean) => {
    setAnchor(isExtended && onZoom ? (anchor ?? at ?? last) : null);
    setAt(Math.min(Math.max(to, 0), last));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined) move((at ?? (step < 0 ? last + 1 : -1)) + step, event.shiftKey);
    else if (event.key === 'Home') move(0, event.shiftKey);
    else if (event.key === 'End') move(last, event.shiftKey);
    else if (event.key === 'Enter' && at !== null) {
      if (anchor === null) onSelect(at);
      else onZoom?.(anchor, at);
    } else return;
    event.preventDefault();
  };
  const current = at ?? last;
  const [from, to] = [bins[Math.min(anchor ?? current, current)], bins[Math.max(anchor ?? current, current)]];
  return {
    at,
    current: Math.max(current, 0),
    anchor,
    leave,
    slider: {
      'aria-orientation': 'horizontal',
      'aria-valuemin': 0,
      'aria-valuemax': Math.max(last, 0),
      'aria-valuetext':
        anchor === null ? bins[current]?.description : messages.range(from?.label ?? '', to?.label ?? ''),
      onKeyDown,
    } as const,
  };
}
