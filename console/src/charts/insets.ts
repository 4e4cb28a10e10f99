/** Widths around the plotted area in pixels, for elements that are placed over it. */
export const INSETS = { left: 44, right: 10, top: 8, bottom: 26 };
