const KEY = 'guardengine.language';

/** The languages of the console, by the names that their speakers use. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

/** The first of a browser's languages that the console has; English without one. */
export function preferred(tags: readonly string[]): Language {
  const languages = tags.map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  return languages.find(isLanguage) ?? 'en';
}

/** The browser's tag for a language, such as `de-AT`, so that dates and numbers follow its region. */
export const localeOf = (language: Language, tags: readonly string[]): string =>
  tags.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language;

const isLanguage = (tag: string | null): tag is Language => tag !== null && Object.hasOwn(LANGUAGES, tag);

/** The language selected in this browser; null if it follows the browser's own. */
function selected(): Language | null {
  try {
    const stored = localStorage.getItem(KEY);
    return isLanguage(stored) ? stored : null;
  } catch {
    // Storage is disabled.
    return null;
  }
}

// Without a page there is no user: programs and tests get English.
const tags = typeof document === 'undefined' ? ['en'] : navigator.languages;

/** The language of the console until the page is loaded again. */
export const language: Language = typeof document === 'undefined' ? 'en' : (selected() ?? preferred(tags));

/** The language with its region, for `Intl`. */
export const locale: string = localeOf(language, tags);

/** Selects a language in this browser, and loads the page again at its address. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(KEY, chosen);
  location.reload();
}
