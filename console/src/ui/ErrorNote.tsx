import { TriangleAlert } from 'lucide-react';
import { describeError } from '@/api/error';
import { common } from '@/messages/common';
import { Button } from './Button';
import { Copy } from './Copy';
import { classes } from './classes';

/** Shows an error with the message and correlation ID of the server. */
export function ErrorNote({ error, retry }: { error: unknown; retry?: () => void }) {
  const { detail, correlationId } = describeError(error);
  return (
    <div
      role="alert"
      className={classes(
        'flex flex-wrap items-start gap-2.5 rounded-md border border-block/40 bg-block-soft px-3 py-2.5 text-body',
        'text-block',
      )}
    >
      <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1 basis-28 break-words">
        <p className="font-medium">{detail}</p>
        {correlationId && (
          <p className="mt-0.5 text-xs">
            {common.correlationId}
            <span className="flex items-center gap-1">
              <code className="min-w-0 font-mono break-all">{correlationId}</code>
              <Copy text={correlationId} label={common.copyCorrelationId} />
            </span>
          </p>
        )}
      </div>
      {retry && (
        <Button small onClick={retry}>
          {common.tryAgain}
        </Button>
      )}
    </div>
  );
}
