import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { messages } from '@/messages/layout';
import { IconButton } from '@/ui/Button';
import { Item, Menu } from '@/ui/Menu';
import { choose, chosen, type Theme } from './theme';

const THEMES: [Theme, string, typeof Sun][] = [
  ['light', messages.light, Sun],
  ['dark', messages.dark, Moon],
  [null, messages.system, Monitor],
];

/** Selects the light, dark or system theme. */
export function ThemeMenu() {
  const [theme, setTheme] = useState(chosen);
  const Current = THEMES.find(([value]) => value === theme)?.[2] ?? Monitor;
  const pick = (value: Theme) => {
    choose(value);
    setTheme(value);
  };
  return (
    <Menu
      trigger={
        <IconButton label={messages.theme}>
          <Current size={16} />
        </IconButton>
      }
    >
      {THEMES.map(([value, label, Icon]) => (
        <Item key={label} onSelect={() => pick(value)}>
          <Icon aria-hidden size={14} />
          {label}
        </Item>
      ))}
    </Menu>
  );
}
