import { Choice, Field } from './Field';

/** Options `[value, label]` under a heading. */
export type Group = { label: string; options: (readonly [string, string])[] };

type Props = {
  label: string;
  value: string;
  /** The label of the empty value. */
  all: string;
  groups: Group[];
  boxClass?: string;
  onChange: (value: string) => void;
};

/** A select with options in groups. */
export function GroupedSelect({ label, value, all, groups, boxClass, onChange }: Props) {
  return (
    <Field label={label} className={boxClass}>
      {(wiring) => (
        <Choice {...wiring} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{all}</option>
          {groups.map((group) => (
            <optgroup key={group.label} label={group.label}>
              {group.options.map(([option, text]) => (
                <option key={option} value={option}>
                  {text}
                </option>
              ))}
            </optgroup>
          ))}
        </Choice>
      )}
    </Field>
  );
}
