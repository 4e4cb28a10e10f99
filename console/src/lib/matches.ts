import { common } from '@/messages/common';
import type { Span } from './policy';

export type Matches = { spans: Span[]; error: string | null };

const TIMEOUT_MS = 400;

/** Finds the matches of a pattern with the engine of this browser. Leading flags such as `(?i)` are supported. */
export function matches(written: string, text: string, signal: AbortSignal): Promise<Matches> {
  const [, flags = '', pattern = written] = /^\(\?([ims]+)\)([\s\S]*)$/.exec(written) ?? [];
  const worker = new Worker(new URL('./regex.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Matches>((done) => {
    const end = (found: Matches) => {
      worker.terminate();
      done(found);
    };
    const timer = setTimeout(() => end({ spans: [], error: common.regexTimeout }), TIMEOUT_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      end({ spans: [], error: null });
    });
    worker.onmessage = ({ data }: MessageEvent<{ spans?: [number, number][]; error?: string }>) => {
      clearTimeout(timer);
      // The browser counts UTF-16 units, spans count code points.
      const point = (unit: number) => [...text.slice(0, unit)].length;
      end({
        spans: (data.spans ?? []).map(([start, to]) => ({ start: point(start), end: point(to) })),
        error: data.error ?? null,
      });
    };
    worker.postMessage({ pattern, flags, text });
  });
}
