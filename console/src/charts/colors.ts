const COLORS = ['var(--s1)', 'var(--s2)', 'var(--s3)', 'var(--s4)', 'var(--s5)', 'var(--s6)'];
const REST = 'var(--s7)';

/** The series that sums up all names after the most frequent ones. */
export const OTHERS = 'others';

/** Assigns a color to each of the six most frequent names, and one to all others. */
export function colorsOf(namesByCount: string[]): { names: string[]; colorOf: (name: string) => string } {
  const first = namesByCount.slice(0, COLORS.length);
  const names = namesByCount.length > first.length ? [...first, OTHERS] : first;
  return { names, colorOf: (name) => COLORS[first.indexOf(name)] ?? REST };
}
