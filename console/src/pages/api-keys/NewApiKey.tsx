import { useMutation } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { queries } from '@/api/queries';
import { Button } from '@/ui/Button';
import { Copy } from '@/ui/Copy';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select } from '@/ui/Field';

const LIFETIMES = [
  ['90', '90 days'],
  ['30', '30 days'],
  ['365', 'a year'],
  ['', 'for ever'],
] as const;

/** Makes an API key and shows it, this once. */
export function NewApiKey({ onClose }: { onClose: () => void }) {
  const run = useMutation({
    meta: { shown: true },
    // The key is not kept when the dialog closes.
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
        title="Your API key"
        onClose={onClose}
        actions={
          <Button kind="primary" onClick={onClose}>
            I have stored it
          </Button>
        }
      >
        <div className="space-y-3 text-body">
          <p>{run.data.message}</p>
          <p className="flex items-center gap-2 rounded-md border border-line bg-canvas p-3">
            <code className="min-w-0 flex-1 font-mono break-all" data-testid="api-key">
              {run.data.api_key}
            </code>
            <Copy text={run.data.api_key} label="Copy the API key" />
          </p>
          <p className="text-quiet">
            Applications send it in the header <code className="font-mono">{run.data.usage_instructions.header}</code>:
          </p>
          <pre tabIndex={0} className="overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs">
            {run.data.usage_instructions.example}
          </pre>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      title="New API key"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="key" busy={run.isPending}>
            Create
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
        <Input label="Name" name="name" required maxLength={100} placeholder="Support chat, production" />
        <Select label="Valid for" name="days" options={LIFETIMES} />
        {run.error && <ErrorNote error={run.error} />}
      </form>
    </Dialog>
  );
}
