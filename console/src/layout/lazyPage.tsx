import type { RouteComponent } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { untilConnected } from '@/api/connection';
import { at } from '@/lib/base';
import { messages } from '@/messages/layout';
import { Empty } from '@/ui/Empty';
import { Waiting } from '@/ui/Loaded';
import { useLoading } from '@/ui/loading';
import { Page } from '@/ui/Page';

export type PageLoader = () => Promise<Record<string, RouteComponent>>;

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;
// Some browsers remember that a file could not be loaded, and a new version has other files: both need a reload.
const RELOAD_AFTER = 3;
const RELOADED = 'guardengine.reloaded';
const preloads: (() => Promise<unknown>)[] = [];

/** The code of a page, once it is loaded. */
type Source = { load: () => Promise<void>; component: () => RouteComponent | undefined };

/** A page whose code loads on first use. If that fails, the frame stays, and loading is tried again. */
export function lazyPage(loader: PageLoader, name: string): RouteComponent {
  let loaded: RouteComponent | undefined;
  const load = async () => {
    loaded ??= (await loader())[name];
  };
  const preload = () => load().catch(() => undefined);
  preloads.push(preload);
  const source = { load, component: () => loaded };
  return Object.assign(() => <LazyPage source={source} />, { preload });
}

function LazyPage({ source }: { source: Source }) {
  const [hasFailed, setFailed] = useState(false);
  const [Loaded, setLoaded] = useState(source.component);
  useEffect(() => {
    let isShown = true;
    const isDone = () => !isShown || source.component() !== undefined;
    void retry(source.load, isDone, () => setFailed(true)).then(() => isShown && setLoaded(source.component));
    return () => {
      isShown = false;
    };
  }, [source]);
  if (Loaded !== undefined) return <Loaded />;
  if (!hasFailed) return <Waiting />;
  return (
    <Page title={messages.unavailable}>
      <Unavailable />
    </Page>
  );
}

function Unavailable() {
  useLoading('waiting');
  return (
    <div role="status" className="card">
      <Empty title={messages.unavailableTitle}>{messages.unavailableBody}</Empty>
    </div>
  );
}

async function retry(load: () => Promise<void>, isDone: () => boolean, onFailure: () => void): Promise<void> {
  for (let attempt = 1; !isDone(); attempt++) {
    try {
      return await load();
    } catch {
      onFailure();
      await new Promise((done) => setTimeout(done, Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LONGEST_RETRY_MS)));
      await untilConnected();
      if (attempt === RELOAD_AFTER && !isDone()) await reload();
    }
  }
}

/** Reloads once in a while, and only if the service can deliver the page. */
async function reload(): Promise<void> {
  const last = Number(sessionStorage.getItem(RELOADED));
  const page = await fetch(at('/'), { headers: { Accept: 'text/html' } }).catch(() => null);
  if (!page?.ok || Date.now() - last < 60_000) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}

/** Loads the code of all pages one after another, so that they open at once, also during an outage. */
export async function preloadPages(): Promise<void> {
  for (const preload of preloads) await preload();
}
