import { short } from '@/lib/format';
import { classes } from '@/ui/classes';

/** Labels of a vertical axis from `top` down to zero. `className` sets its height and width. */
export function ValueAxis({ top, className }: { top: number; className: string }) {
  return (
    <div
      aria-hidden
      className={classes('tabular flex shrink-0 flex-col justify-between text-right text-2xs text-quiet', className)}
    >
      {[top, top / 2, 0].map((value) => (
        <span key={value} className="-my-2">
          {short(value)}
        </span>
      ))}
    </div>
  );
}
