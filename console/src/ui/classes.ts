/** Class names of those that hold. */
export const classes = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ');
