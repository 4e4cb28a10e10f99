import { useMutation } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { queries } from '@/api/queries';
import { fill } from '@/lib/fill';
import { messages } from '@/messages/api-keys';
import { common } from '@/messages/common';
import { Button } from '@/ui/Button';
import { Copy } from '@/ui/Copy';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select } from '@/ui/Field';
import { CodeBlock } from '@/ui/ScrollArea';

const LIFETIMES = [
  ['90', messages.lifetimes.quarter],
  ['30', messages.lifetimes.month],
  ['365', messages.lifetimes.year],
  ['', messages.lifetimes.unlimited],
] as const;

/** Creates an API key and shows it once. */
export function NewApiKey({ onClose }: { onClose: () => void }) {
  const run = useMutation({
    meta: { shown: true },
    // Forget the key when the dialog closes.
    gcTime: 0,
    mutationFn: (form: FormData) => {
      const days = String(form.get('days'));
      return answer(
        api.POST('/api-keys/create', {
          params: { query: { name: String(form.get('name')), expires_days: days === '' ? undefined : Number(days) } },
        }),
      );
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
  if (run.data) {
    return (
      <Dialog
        title={messages.createdTitle}
        onClose={onClose}
        actions={
          <Button kind="primary" onClick={onClose}>
            {messages.stored}
          </Button>
        }
      >
        <div className="space-y-3 text-body">
          <p>{run.data.message}</p>
          <p className="flex items-center gap-2 rounded-md border border-line bg-canvas p-3">
            <code className="min-w-0 flex-1 font-mono break-all" data-testid="api-key">
              {run.data.api_key}
            </code>
            <Copy text={run.data.api_key} label={messages.copy} />
          </p>
          <p className="text-quiet">
            {fill(messages.usage, { header: <code className="font-mono">{run.data.usage_instructions.header}</code> })}
          </p>
          <CodeBlock className="overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs">
            {run.data.usage_instructions.example}
          </CodeBlock>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={messages.newTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="key" busy={run.isPending}>
            {common.create}
          </Button>
        </>
      }
    >
      <form
        id="key"
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          run.mutate(new FormData(event.currentTarget));
        }}
      >
        <Input label={common.name} name="name" required maxLength={100} placeholder={messages.namePlaceholder} />
        <Select label={messages.validFor} name="days" options={LIFETIMES} />
        {run.error && <ErrorNote error={run.error} />}
      </form>
    </Dialog>
  );
}
