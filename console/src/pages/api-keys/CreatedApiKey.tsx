import type { Schema } from '@/api/client';
import { fill } from '@/lib/fill';
import { messages } from '@/messages/api-keys';
import { Button } from '@/ui/Button';
import { CopyBox } from '@/ui/CopyBox';
import { Dialog } from '@/ui/Dialog';
import { CodeBlock } from '@/ui/ScrollArea';

/** Shows a new API key, the only time that it can be read. */
export function CreatedApiKey({ created, onClose }: { created: Schema<'NewKey'>; onClose: () => void }) {
  return (
    <Dialog
      title={messages.createdTitle}
      onClose={onClose}
      isFirm
      actions={
        <Button kind="primary" onClick={onClose}>
          {messages.stored}
        </Button>
      }
    >
      <div className="space-y-3 text-body">
        <p>{created.message}</p>
        <CopyBox text={created.api_key} label={messages.copy} data-testid="api-key" />
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
