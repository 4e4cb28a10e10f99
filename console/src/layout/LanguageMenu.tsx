import { Check, Languages } from 'lucide-react';
import { chooseLanguage, LANGUAGES, type Language, language } from '@/lib/language';
import { messages } from '@/messages/layout';
import { IconButton } from '@/ui/Button';
import { Item, Menu } from '@/ui/Menu';

/** Selects the language of the console in this browser. */
export function LanguageMenu() {
  return (
    <Menu
      trigger={
        <IconButton label={messages.language(LANGUAGES[language])}>
          <Languages size={16} />
        </IconButton>
      }
    >
      {Object.entries(LANGUAGES).map(([one, name]) => (
        <Item key={one} onSelect={() => chooseLanguage(one as Language)}>
          <span aria-hidden className="w-4 text-accent">
            {one === language && <Check size={14} />}
          </span>
          <span lang={one}>{name}</span>
        </Item>
      ))}
    </Menu>
  );
}
