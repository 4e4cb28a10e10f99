import { language, locale } from '@/lib/language';

const plurals = new Intl.PluralRules(language);

/** Returns the form of a noun for a number. English, German and Spanish have one for 1 and one for all others. */
export const form = (value: number, one: string, many: string): string =>
  plurals.select(value) === 'one' ? one : many;

/** Returns a number with its noun: `1 entry`, `1,234 entries`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${value.toLocaleString(locale)} ${form(value, one, many)}`;
