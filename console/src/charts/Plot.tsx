import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useIsUtc } from '@/lib/zone';
import { INSETS } from './insets';
import type { PlotOptions } from './plot';

type Props = Omit<PlotOptions, 'box'> & { children: React.ReactNode };

/** A drawn chart; `children` are placed over the plotted area. The drawing code loads on first use. */
export function Plot({ bins, layers, lines, shape, height, onHover, onPick, onZoom, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const utc = useIsUtc();
  const [isDrawn, setDrawn] = useState(false);
  const hover = useEffectEvent(onHover);
  const pick = useEffectEvent(onPick);
  const zoom = useEffectEvent((from: number, to: number) => onZoom?.(from, to));
  const mayZoom = onZoom !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the labels are in the selected time zone.
  useEffect(() => {
    let remove: (() => void) | undefined;
    let isShown = true;
    void import('./plot').then(({ draw }) => {
      if (!isShown || box.current === null) return;
      const events = { onHover: hover, onPick: pick, onZoom: mayZoom ? zoom : undefined };
      remove = draw({ box: box.current, bins, layers, lines, shape, height, ...events });
      setDrawn(true);
    });
    return () => {
      isShown = false;
      remove?.();
    };
  }, [bins, layers, lines, shape, height, mayZoom, utc]);
  return (
    <div className="relative">
      <div ref={box} data-drawn={isDrawn || undefined} className="min-w-0 overflow-hidden" style={{ height }} />
      <div className="pointer-events-none absolute" style={INSETS}>
        {children}
      </div>
    </div>
  );
}
