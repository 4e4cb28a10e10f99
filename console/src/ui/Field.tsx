import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { classes } from './classes';

type Wiring = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true };
type Props = {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  hidden?: boolean;
  className?: string;
  children: (wiring: Wiring) => ReactNode;
};

/** A control with its label and its hint or error. */
export function Field({ label, hint, error, hidden = false, className, children }: Props) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={classes('min-w-0', className)}>
      <label htmlFor={id} className={hidden ? 'sr-only' : 'mb-1 block text-xs font-medium text-quiet'}>
        {label}
      </label>
      {children({ id, 'aria-describedby': note ? `${id}-note` : undefined, 'aria-invalid': error ? true : undefined })}
      {note && (
        <p id={`${id}-note`} className={classes('mt-1 text-xs', error ? 'text-block' : 'text-quiet')}>
          {note}
        </p>
      )}
    </div>
  );
}

type Common = Pick<Props, 'label' | 'hint' | 'error' | 'hidden'> & { boxClass?: string };

/** A single-line text field. */
export function Input({ label, hint, error, hidden, boxClass, className, ...rest }: Common & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error} hidden={hidden} className={boxClass}>
      {(wiring) => <input {...wiring} className={classes('control', className)} {...rest} />}
    </Field>
  );
}

/** A multi-line text field. */
export function TextArea({
  label,
  hint,
  error,
  hidden,
  boxClass,
  className,
  ...rest
}: Common & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error} hidden={hidden} className={boxClass}>
      {(wiring) => (
        <textarea {...wiring} className={classes('control resize-y leading-relaxed', className)} {...rest} />
      )}
    </Field>
  );
}

/** A select with options `[value, label]`. */
export function Select({
  label,
  hint,
  error,
  hidden,
  boxClass,
  className,
  options,
  ...rest
}: Common & ComponentProps<'select'> & { options: readonly (readonly [string, string])[] }) {
  return (
    <Field label={label} hint={hint} error={error} hidden={hidden} className={boxClass}>
      {(wiring) => (
        <Choice {...wiring} className={className} {...rest}>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Choice>
      )}
    </Field>
  );
}

/** A native select, styled like the other controls. */
export function Choice({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select className={classes('control appearance-none truncate pr-8!', className)} {...rest}>
        {children}
      </select>
      <ChevronDown
        aria-hidden
        size={14}
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-quiet"
      />
    </span>
  );
}

type ToggleProps = {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  hidden?: boolean;
};

/** A switch. */
export function Toggle({ label, checked, onChange, disabled, hidden = false }: ToggleProps) {
  return (
    <label className={classes('inline-flex items-center gap-2', disabled && 'opacity-60')}>
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: browsers expose `checked` of a checkbox as its state.
        role="switch"
        className={classes(
          'relative h-5 w-9 shrink-0 appearance-none rounded-full border border-edge bg-sunken',
          'transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-3.5',
          'before:rounded-full before:bg-edge before:transition-transform checked:border-accent',
          'checked:bg-accent checked:before:translate-x-4 checked:before:bg-accent-ink',
        )}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={hidden ? 'sr-only' : 'text-body'}>{label}</span>
    </label>
  );
}
