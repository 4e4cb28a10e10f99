import type { Ticket } from '@/lib/policy';
import { messages } from '@/messages/policies';
import { Input } from '@/ui/Field';

/** The text of a guardrail's ticket. The service fills empty fields. */
export function TicketText({ ticket, onChange }: { ticket: Ticket; onChange: (ticket: Ticket) => void }) {
  const text = (name: 'title' | 'priority', value: string) => {
    const { [name]: _old, ...rest } = ticket;
    onChange(value === '' ? rest : { ...rest, [name]: value });
  };
  const labels = (line: string) => {
    const { labels: _old, ...rest } = ticket;
    const words = line.split(/[\s,]+/).filter(Boolean);
    onChange(words.length === 0 ? rest : { ...rest, labels: words });
  };
  return (
    <details>
      <summary className="cursor-pointer text-xs text-quiet">{messages.ticket.summary}</summary>
      <div className="mt-2 grid grid-cols-2 gap-3">
        <Input
          label={messages.ticket.title}
          boxClass="col-span-2"
          maxLength={200}
          value={ticket.title ?? ''}
          placeholder={messages.ticket.titlePlaceholder}
          hint={messages.ticket.titleHint}
          onChange={(event) => text('title', event.target.value)}
        />
        <Input
          label={messages.ticket.priority}
          maxLength={100}
          value={ticket.priority ?? ''}
          placeholder={messages.ticket.priorityPlaceholder}
          onChange={(event) => text('priority', event.target.value)}
        />
        <Input
          label={messages.ticket.labels}
          key={ticket.connector_id}
          defaultValue={(ticket.labels ?? []).join(' ')}
          placeholder={messages.ticket.labelsPlaceholder}
          onBlur={(event) => labels(event.target.value)}
        />
      </div>
    </details>
  );
}
