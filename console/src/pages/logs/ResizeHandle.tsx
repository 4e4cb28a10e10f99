// biome-ignore-all lint/a11y/useSemanticElements: a separator that moves has no native element.
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { messages } from '@/messages/logs';
import { limited } from './widths';

type Props = { label: string; width: number | null; onResize: (width: number) => void };

const STEP = 16;
const STEPS: Record<string, number> = { ArrowLeft: -STEP, ArrowRight: STEP };

/** The right edge of a column head, which changes the width of the column by dragging or with the arrow keys. */
export function ResizeHandle({ label, width, onResize }: Props) {
  const start = useRef<{ x: number; width: number } | null>(null);
  const current = (handle: HTMLElement) => handle.parentElement?.offsetWidth ?? 0;
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width: current(event.currentTarget) };
  };
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (start.current) onResize(limited(start.current.width + clientX - start.current.x));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onResize(limited(current(event.currentTarget) + step));
  };
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={messages.resize(label)}
      aria-valuenow={width ?? 0}
      aria-valuetext={width === null ? messages.usualWidth : undefined}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        start.current = null;
      }}
      onKeyDown={onKeyDown}
      className="absolute -inset-y-1.5 -right-3 z-10 w-3 cursor-col-resize touch-none border-r-2 border-transparent hover:border-edge focus-visible:border-accent"
    />
  );
}
