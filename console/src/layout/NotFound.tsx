import { Link } from '@tanstack/react-router';
import { Empty } from '@/ui/Empty';

/** An address that the console does not know. */
export function NotFound() {
  return (
    <main className="p-6">
      <h1 className="sr-only">Not found</h1>
      <div className="card">
        <Empty
          title="There is no such page"
          action={
            <Link to="/" className="text-accent underline">
              To the dashboard
            </Link>
          }
        />
      </div>
    </main>
  );
}
