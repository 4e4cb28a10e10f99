import type { ErrorComponentProps } from '@tanstack/react-router';
import { messages } from '@/messages/layout';
import { ErrorNote } from '@/ui/ErrorNote';

/** Shows an error that a page threw. Other pages keep working. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  return (
    <div className="p-6">
      <h1 className="mb-3 text-lg font-semibold">{messages.failed}</h1>
      <ErrorNote error={error} retry={reset} />
    </div>
  );
}
