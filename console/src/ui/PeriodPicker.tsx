import { CalendarClock, ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { browserZone, forField, readLocal, zone } from '@/lib/localTime';
import { describePeriod, type Period, relative, startOf } from '@/lib/period';
import { chooseUtc, useIsUtc } from '@/lib/zone';
import { messages as text } from '@/messages/period';
import { Button } from './Button';
import { classes } from './classes';
import { Input, Select } from './Field';

type Props = {
  period: Period;
  /** The relative periods that are offered. */
  offered: string[];
  /** The one that applies where none is selected; without it, any time. */
  usual?: string;
  onChange: (period: Period) => void;
};

/** Selects a period, relative or between two times, and the time zone of all times. */
export function PeriodPicker({ period, offered, usual, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const utc = useIsUtc();
  const effective = period.last || period.from || period.to || !usual ? period : { last: usual };
  const shown = describePeriod(effective, text.all);
  const pick = (picked: Period) => {
    setOpen(false);
    onChange(picked);
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button aria-label={text.shown(shown, zone())} className="max-w-full">
          <CalendarClock aria-hidden size={14} className="shrink-0" />
          <span className="truncate">{shown}</span>
          {utc && <span className="text-xs text-quiet">{text.utc}</span>}
          <ChevronDown aria-hidden size={13} className="shrink-0 text-quiet" />
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={text.title}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className={classes(
            'card z-40 max-h-[85dvh] w-[min(30rem,calc(100vw-1rem))] overflow-y-auto p-3 shadow-xl outline-none',
            'grid gap-x-4 gap-y-3 sm:grid-cols-[9.5rem_1fr]',
          )}
        >
          <Relative offered={usual ? offered : ['', ...offered]} current={effective} onPick={pick} />
          <div className="space-y-3">
            <Absolute key={String(utc)} current={effective} onPick={pick} />
            <Zone />
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

const HEADING = 'mb-1 text-2xs font-semibold tracking-wide text-quiet uppercase';

type PartProps = { current: Period; onPick: (period: Period) => void };

function Relative({ offered, current, onPick }: PartProps & { offered: string[] }) {
  const isNone = !current.last && !current.from && !current.to;
  return (
    <fieldset>
      <legend className={HEADING}>{text.relative}</legend>
      <div className="grid grid-cols-2 gap-x-2 sm:grid-cols-1">
        {offered.map((last) => {
          const isCurrent = last === '' ? isNone : current.last === last;
          return (
            <button
              key={last}
              type="button"
              aria-pressed={isCurrent}
              onClick={() => onPick(last === '' ? {} : { last })}
              className={classes(
                'rounded px-2 py-1 text-left text-body',
                isCurrent ? 'bg-accent-soft text-accent' : 'hover:bg-sunken',
              )}
            >
              {last === '' ? text.all : describePeriod({ last }, text.all)}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}

function Absolute({ current, onPick }: PartProps) {
  const [isReversed, setReversed] = useState(false);
  const now = new Date();
  const start = current.from ? new Date(current.from) : startOf(current.last ?? '24h', now);
  const submit = (form: FormData) => {
    const [from, to] = ['from', 'to'].map((name) => readLocal(String(form.get(name)))) as [string, string];
    if (Date.parse(from) >= Date.parse(to)) return setReversed(true);
    onPick({ from, to });
  };
  return (
    <fieldset>
      <legend className={HEADING}>{text.absolute}</legend>
      <form
        className="space-y-2"
        onSubmit={(event) => {
          event.preventDefault();
          submit(new FormData(event.currentTarget));
        }}
      >
        <Input
          label={text.from}
          name="from"
          type="datetime-local"
          required
          defaultValue={start ? forField(start) : undefined}
        />
        <Input
          label={text.to}
          name="to"
          type="datetime-local"
          required
          defaultValue={forField(current.to && !relative(current.last) ? new Date(current.to) : now)}
          error={isReversed ? text.order : null}
        />
        <Button small kind="primary" type="submit">
          {text.apply}
        </Button>
      </form>
    </fieldset>
  );
}

function Zone() {
  const utc = useIsUtc();
  if (!utc && browserZone() === text.utc) return null;
  return (
    <Select
      label={text.zone}
      value={utc ? 'utc' : 'local'}
      options={[
        ['local', text.local(browserZone())],
        ['utc', text.utc],
      ]}
      onChange={(event) => chooseUtc(event.target.value === 'utc')}
    />
  );
}
