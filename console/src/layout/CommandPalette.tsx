// biome-ignore-all lint/a11y/noNoninteractiveElementToInteractiveRole: a listbox has no native element that fits.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays in the combobox (aria-activedescendant).
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the combobox handles the keys.
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { messages } from '@/messages/layout';
import { usePermission } from '@/session/me';
import { signOut } from '@/session/session';
import { classes } from '@/ui/classes';
import { Dialog } from '@/ui/Dialog';
import { NAVIGATION } from './nav';
import { choose } from './theme';

type Command = { label: string; run: () => void };

/** Finds pages and commands by typing a part of their name. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [sought, setSought] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const commands = useCommands().filter(({ label }) => label.toLowerCase().includes(sought.trim().toLowerCase()));
  const run = (command: Command | undefined) => {
    onClose();
    command?.run();
  };
  const onKey = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((at + step + commands.length) % Math.max(commands.length, 1));
    } else if (event.key === 'Enter') run(commands[at]);
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
      <ul id={list} role="listbox" aria-label={messages.palette.results} className="mt-2 max-h-80 overflow-y-auto">
        {commands.map((command, index) => (
          <li
            key={command.label}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            className={classes(
              'cursor-pointer rounded px-2 py-1.5 text-body',
              index === at && 'bg-accent-soft text-accent',
            )}
            onMouseMove={() => setAt(index)}
            onClick={() => run(command)}
          >
            {command.label}
          </li>
        ))}
      </ul>
      {commands.length === 0 && <p className="py-3 text-body text-quiet">{messages.palette.empty}</p>}
    </Dialog>
  );
}

function useCommands(): Command[] {
  const may = usePermission();
  const navigate = useNavigate();
  const pages = NAVIGATION.flatMap(({ entries }) => entries).filter(({ needs }) => needs === null || may(needs));
  return [
    ...pages.map(({ label, to }) => ({ label, run: () => void navigate({ to }) })),
    { label: messages.profile, run: () => void navigate({ to: '/profile' }) },
    { label: messages.palette.lightTheme, run: () => choose('light') },
    { label: messages.palette.darkTheme, run: () => choose('dark') },
    { label: messages.palette.systemTheme, run: () => choose(null) },
    { label: messages.signOut, run: () => void signOut() },
  ];
}
