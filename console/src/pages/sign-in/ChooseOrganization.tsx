import { useMutation } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { messages } from '@/messages/sign-in';
import { type Choice, choose } from '@/session/signIn';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';

/** The second step of a sign-in, for users of several organizations. */
export function ChooseOrganization({ choice, onBack }: { choice: Choice; onBack: () => void }) {
  const run = useMutation({
    mutationFn: (organization: string) => choose(choice, organization),
    meta: { shown: true },
  });
  return (
    <div className="space-y-3">
      <ul className="space-y-2">
        {choice.organizations.map(({ org_id, name, role }, index) => (
          <li key={org_id}>
            <Button
              className="w-full justify-start! py-2"
              autoFocus={index === 0}
              disabled={run.isPending}
              onClick={() => run.mutate(org_id)}
            >
              <Building2 aria-hidden size={15} />
              <span className="flex-1 truncate text-left">{name}</span>
              <span className="text-quiet">{role}</span>
            </Button>
          </li>
        ))}
      </ul>
      {run.error && <ErrorNote error={run.error} />}
      <Button kind="quiet" onClick={onBack}>
        {messages.anotherUser}
      </Button>
    </div>
  );
}
