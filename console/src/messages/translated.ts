import { language } from '@/lib/language';
import type { Dictionary } from './dictionary';

/**
 * The sections of the messages. Typed objects instead of a library such as Paraglide: that bundles every language and
 * wants each text as an entry of a catalog, while these load one language and are checked by the compiler.
 */
export type Section =
  | 'alerts'
  | 'apiKeys'
  | 'audit'
  | 'auditActions'
  | 'charts'
  | 'common'
  | 'connect'
  | 'connectors'
  | 'conversation'
  | 'credits'
  | 'dashboard'
  | 'descriptions'
  | 'editor'
  | 'engine'
  | 'evaluation'
  | 'gateway'
  | 'invitations'
  | 'layout'
  | 'logs'
  | 'organization'
  | 'period'
  | 'piiTypes'
  | 'playground'
  | 'policies'
  | 'profile'
  | 'projects'
  | 'remoteErrors'
  | 'reviews'
  | 'roles'
  | 'signIn'
  | 'start'
  | 'subscriptions'
  | 'tickets'
  | 'usage'
  | 'users'
  | 'wireLabels';

const LOADERS = {
  en: null,
  de: () => import('./de'),
  es: () => import('./es'),
};

let dictionary: Dictionary | null = null;

/** Loads the texts of the selected language. Nothing that shows texts may be imported before. */
export async function loadMessages(): Promise<void> {
  const load = LOADERS[language];
  if (load === null) return;
  try {
    ({ dictionary } = await load());
    document.documentElement.lang = language;
  } catch {
    // The page is in English when the texts cannot be loaded.
  }
}

/** Returns a section in the selected language. The English texts stand for their types. */
export function translated<const English extends object>(section: Section, english: English): English {
  return (dictionary?.[section] as English | undefined) ?? english;
}
