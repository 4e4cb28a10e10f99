import { Link } from '@tanstack/react-router';
import { messages } from '@/messages/layout';
import { Empty } from '@/ui/Empty';

/** Shown for unknown addresses. */
export function NotFound() {
  return (
    <main className="p-6">
      <h1 className="sr-only">{messages.notFound}</h1>
      <div className="card">
        <Empty
          title={messages.noPage}
          action={
            <Link to="/" className="text-accent underline">
              {messages.toDashboard}
            </Link>
          }
        />
      </div>
    </main>
  );
}
