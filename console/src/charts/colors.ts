const COLORS = ['var(--s1)', 'var(--s2)', 'var(--s3)', 'var(--s4)', 'var(--s5)', 'var(--s6)'];
const REST = 'var(--s7)';

/** The name under which what is not among the most frequent is added up. */
export const OTHERS = 'others';

/** A colour for each of the six most frequent names, and one for the others. */
export function colorsOf(namesByCount: string[]): { names: string[]; colorOf: (name: string) => string } {
  const first = namesByCount.slice(0, COLORS.length);
  const names = namesByCount.length > first.length ? [...first, OTHERS] : first;
  return { names, colorOf: (name) => COLORS[first.indexOf(name)] ?? REST };
}
