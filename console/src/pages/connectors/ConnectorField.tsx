import type { Schema } from '@/api/client';
import { common } from '@/messages/common';
import { messages } from '@/messages/connectors';
import { Input } from '@/ui/Field';

/** A field of a connector as the service describes it. */
export function ConnectorField({
  field,
  old,
}: {
  field: Schema<'ConnectorField'>;
  old: Schema<'ConnectorRecord'> | null;
}) {
  const { name, label, help, format, accepted, required, required_without: without, secret } = field;
  const value = (old as Record<string, unknown> | null)?.[name];
  const isSet = old?.secrets_set.includes(name) ?? false;
  if (format === 'boolean') {
    return (
      <label className="flex items-start gap-2 text-body">
        <input type="checkbox" name={name} defaultChecked={Boolean(value ?? field.default)} className="mt-0.5" />
        <span>
          {label}
          <span className="block text-xs text-quiet">{help}</span>
        </span>
      </label>
    );
  }
  return (
    <Input
      label={required ? label : common.optional(label)}
      name={name}
      type={secret ? 'password' : 'text'}
      autoComplete={secret ? 'new-password' : 'off'}
      spellCheck={false}
      required={required && !isSet}
      defaultValue={secret || value == null ? '' : String(value)}
      placeholder={isSet ? messages.secretSet : field.default == null ? undefined : String(field.default)}
      hint={without ? messages.requiredWithout(help, without.replaceAll('_', ' ')) : help}
      title={accepted}
    />
  );
}
