import { CloudOff } from 'lucide-react';
import { useConnection } from '@/api/connection';
import { clock } from '@/lib/format';
import { messages } from '@/messages/layout';

/** Says that the service does not answer, and since when. Disappears by itself. */
export function Outage() {
  const { isLost, lastAnswer } = useConnection();
  return (
    <div role="status" className="empty:hidden">
      {isLost && (
        <p className="flex items-center gap-2 border-b border-line bg-challenge-soft px-4 py-2 text-body text-challenge">
          <CloudOff aria-hidden size={16} className="shrink-0" />
          {messages.outage(clock(lastAnswer))}
        </p>
      )}
    </div>
  );
}
