const KEY = 'guardengine.theme';

/** A selected theme; null follows the system. */
export type Theme = 'light' | 'dark' | null;

/** Returns the theme selected in this browser. */
export const chosen = (): Theme => (document.documentElement.dataset.theme as Theme | undefined) ?? null;

/** Selects a theme in this browser. `theme.js` restores it before the next page is first shown. */
export function choose(theme: Theme): void {
  if (theme === null) {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem(KEY);
  } else {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(KEY, theme);
  }
}
