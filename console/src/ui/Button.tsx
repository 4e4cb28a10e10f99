import type { ButtonHTMLAttributes } from 'react';
import { classes } from './classes';

const KINDS = {
  primary: 'bg-accent text-accent-ink border-transparent hover:brightness-110',
  plain: 'bg-surface text-ink border-line hover:bg-sunken',
  quiet: 'bg-transparent text-quiet border-transparent hover:bg-sunken hover:text-ink',
  danger: 'bg-surface text-block border-line hover:bg-block-soft',
};

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { kind?: keyof typeof KINDS; busy?: boolean; small?: boolean };

/** A button; `busy` shows that its action is running and disables it. */
export function Button({ kind = 'plain', busy = false, small = false, className, children, disabled, ...rest }: Props) {
  return (
    <button
      type="button"
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      className={classes(
        'inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap',
        'transition-colors disabled:opacity-55',
        small ? 'min-h-7 px-2 text-xs' : 'min-h-8.5 px-3 text-body',
        KINDS[kind],
        className,
      )}
      {...rest}
    >
      {busy && (
        <span aria-hidden className="size-3 animate-spin rounded-full border-2 border-current border-t-transparent" />
      )}
      {children}
    </button>
  );
}

/** A button with only an icon; `label` is its name. */
export function IconButton({ label, className, ...rest }: Omit<Props, 'aria-label'> & { label: string }) {
  return (
    <Button
      kind="quiet"
      aria-label={label}
      title={label}
      className={classes('aspect-square px-0!', className)}
      {...rest}
    />
  );
}
