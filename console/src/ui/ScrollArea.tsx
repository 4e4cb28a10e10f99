import type { ReactNode } from 'react';

/** A named region that scrolls, also with the keyboard. */
export function ScrollArea({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll a region by focusing it (WCAG 2.1.1).
    <section aria-label={label} tabIndex={0} className={className}>
      {children}
    </section>
  );
}

/** A block of code that scrolls, also with the keyboard. */
export function CodeBlock({ className, children }: { className: string; children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll a block by focusing it (WCAG 2.1.1).
    <pre tabIndex={0} className={className}>
      {children}
    </pre>
  );
}
