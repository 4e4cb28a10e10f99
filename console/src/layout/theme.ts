const KEY = 'guardengine.theme';

/** The theme that was chosen; null follows the system. */
export type Theme = 'light' | 'dark' | null;

/** What was chosen on this browser. */
export const chosen = (): Theme => (document.documentElement.dataset.theme as Theme | undefined) ?? null;

/** Chooses a theme, on this browser; `theme.js` sets it again before the next first paint. */
export function choose(theme: Theme): void {
  if (theme === null) {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem(KEY);
  } else {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(KEY, theme);
  }
}
