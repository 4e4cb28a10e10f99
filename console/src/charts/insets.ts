import { language } from '@/lib/language';

/**
 * Widths around the plotted area in pixels, for elements that are placed over it. German has no short form of thousands,
 * so its labels are longer.
 */
export const INSETS = { left: language === 'de' ? 56 : 44, right: 10, top: 8, bottom: 26 };
