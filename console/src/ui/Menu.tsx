import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { classes } from './classes';

/** A menu next to its button. Not modal, because a modal menu adds inline styles. */
export function Menu({
  trigger,
  children,
  align = 'end',
}: {
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          className="card z-40 max-h-[70dvh] min-w-52 overflow-y-auto p-1 shadow-xl"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const ITEM = classes(
  'flex w-full items-center gap-2 rounded px-2 py-1.5 text-body outline-none',
  'data-[highlighted]:bg-sunken data-[disabled]:opacity-55',
);

/** A menu item that runs an action. */
export function Item({
  onSelect,
  children,
  disabled,
}: {
  onSelect: () => void;
  children: ReactNode;
  disabled?: boolean;
}) {
  return (
    <DropdownMenu.Item disabled={disabled} onSelect={onSelect} className={ITEM}>
      {children}
    </DropdownMenu.Item>
  );
}

/** A menu item that toggles a setting. The menu stays open. */
export function CheckItem({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <DropdownMenu.CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={ITEM}
    >
      <span aria-hidden className="w-4 text-accent">
        {checked ? '✓' : ''}
      </span>
      {children}
    </DropdownMenu.CheckboxItem>
  );
}

/** A heading in a menu. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2 py-1 text-xs text-quiet">{children}</DropdownMenu.Label>;
}
