import type { Schema } from '@/api/client';
import { fill } from '@/lib/fill';
import { messages } from '@/messages/api-keys';
import { Button } from '@/ui/Button';
import { Copy } from '@/ui/Copy';
import { Dialog } from '@/ui/Dialog';
import { CodeBlock } from '@/ui/ScrollArea';

/** Shows a new API key, the only time that it can be read. */
export function CreatedApiKey({ created, onClose }: { created: Schema<'NewKey'>; onClose: () => void }) {
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
        <p>{created.message}</p>
        <p className="flex items-center gap-2 rounded-md border border-line bg-canvas p-3">
          <code className="min-w-0 flex-1 font-mono break-all" data-testid="api-key">
            {created.api_key}
          </code>
          <Copy text={created.api_key} label={messages.copy} />
        </p>
        <p className="text-quiet">
          {fill(messages.usage, { header: <code className="font-mono">{created.usage_instructions.header}</code> })}
        </p>
        <CodeBlock className="overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs">
          {created.usage_instructions.example}
        </CodeBlock>
      </div>
    </Dialog>
  );
}
