import { at } from '@/lib/base';
import { send } from './client';
import { toApiError } from './error';

/** A server-sent event. */
export type Event = { id: string; name: string; data: string };

/**
 * Reads server-sent events until `signal` aborts or the server ends; calls `onOpen` once the server accepted.
 * `EventSource` cannot send a token.
 */
export async function* events(
  path: string,
  lastId: string | null,
  signal: AbortSignal,
  onOpen: () => void,
): AsyncGenerator<Event> {
  const headers: HeadersInit = { Accept: 'text/event-stream', ...(lastId === null ? {} : { 'Last-Event-ID': lastId }) };
  const response = await send(new Request(at(path), { headers, signal }));
  if (!response.ok || response.body === null) throw toApiError(response, await response.json().catch(() => null));
  onOpen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parse(block);
      if (event.data !== '') yield event;
    }
  }
}

/** Parses one event (HTML standard, 9.2.6). A block with only a comment has no data. */
export function parse(block: string): Event {
  const event: Event = { id: '', name: 'message', data: '' };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [field, value] = [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).replace(/^ /, '')];
    if (field === 'data') data.push(value);
    else if (field === 'event') event.name = value;
    else if (field === 'id') event.id = value;
  }
  return { ...event, data: data.join('\n') };
}
