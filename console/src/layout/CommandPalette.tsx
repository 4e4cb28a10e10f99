// biome-ignore-all lint/a11y/noNoninteractiveElementToInteractiveRole: a listbox has no native element that fits.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays in the combobox (aria-activedescendant).
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the combobox handles the keys.
import { useEffect, useId, useState } from 'react';
import { messages } from '@/messages/layout';
import { classes } from '@/ui/classes';
import { Dialog } from '@/ui/Dialog';
import { type Command, useCommands } from './commands';

/** Finds pages, policies, projects, users and commands by a part of their name, and log entries by identifier. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [sought, setSought] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const commands = useCommands(sought);
  useEffect(() => {
    document.getElementById(`${list}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, at]);
  const run = (command: Command | undefined) => {
    onClose();
    command?.run();
  };
  const onKey = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((at + step + commands.length) % Math.max(commands.length, 1));
    } else if (event.key === 'Enter') {
      // Otherwise the key also presses the button that a dialog opened by the command focuses.
      event.preventDefault();
      run(commands[at]);
    }
  };
  return (
    <Dialog title={messages.goTo} onClose={onClose}>
      <input
        role="combobox"
        aria-label={messages.palette.label}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={commands[at] && `${list}-${at}`}
        placeholder={messages.palette.placeholder}
        className="control"
        value={sought}
        onChange={(event) => {
          setSought(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      {/* The height is fixed, so that the dialog stays where it is while typing. */}
      {commands.length === 0 && <p className="mt-2 h-72 px-2 py-1.5 text-body text-quiet">{messages.palette.empty}</p>}
      <ul
        id={list}
        role="listbox"
        aria-label={messages.palette.results}
        className={classes('mt-2 h-72 overflow-y-auto', commands.length === 0 && 'hidden')}
      >
        {commands.map((command, index) => (
          <li
            key={command.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            className={classes(
              'flex cursor-pointer items-baseline gap-3 rounded px-2 py-1.5 text-body',
              index === at && 'bg-accent-soft text-accent',
            )}
            onMouseMove={() => setAt(index)}
            onClick={() => run(command)}
          >
            <span className="min-w-0 flex-1 truncate">{command.label}</span>
            <span className={classes('text-xs', index === at ? 'text-accent' : 'text-quiet')}>{command.type}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
