import { useMutation, useQuery } from '@tanstack/react-query';
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { answer, api, type Schema } from '@/api/client';
import { count } from '@/lib/format';
import { messages } from '@/messages/audit';
import { Button } from '@/ui/Button';
import { Copy } from '@/ui/Copy';
import { classes } from '@/ui/classes';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';

type Verification = Schema<'AuditVerification'>;

const verify = (head?: string) => answer(api.GET('/api/audit/verify', { params: { query: { head } } }));

/** Checks the whole audit trail, and compares it with a head that was stored elsewhere. */
export function Verify({ onClose, onOpen }: { onClose: () => void; onOpen: (sequence: number) => void }) {
  const query = useQuery({ queryKey: ['audit', 'verify'], queryFn: () => verify(), gcTime: 0, staleTime: 0 });
  return (
    <Dialog title={messages.verifyTitle} onClose={onClose}>
      <div className="space-y-5 text-body">
        <Loaded query={query} lines={3}>
          {(result) => (
            <>
              <Result of={result} onOpen={onOpen} />
              {result.ends_with > 0 && <Head of={result} />}
            </>
          )}
        </Loaded>
        <KeptHead />
      </div>
    </Dialog>
  );
}

/** A result of the verification in a colored box. */
function Verdict({ isSound, children }: { isSound: boolean; children: string }) {
  const Icon = isSound ? ShieldCheck : ShieldAlert;
  return (
    <p
      role="status"
      className={classes(
        'flex items-start gap-2 rounded-md px-3 py-2 font-medium',
        isSound ? 'bg-allow-soft text-allow' : 'bg-block-soft text-block',
      )}
    >
      <Icon aria-hidden size={16} className="mt-0.5 shrink-0" />
      {children}
    </p>
  );
}

function Result({ of, onOpen }: { of: Verification; onOpen: (sequence: number) => void }) {
  const { sound, first_altered, begins_after, ends_with, keyed_from } = of;
  const checked = ends_with - begins_after;
  return (
    <div className="space-y-2">
      <Verdict isSound={sound}>{sound ? messages.sound : messages.broken(count(first_altered ?? 0))}</Verdict>
      <p>
        {checked > 0 ? messages.checkedFrom(checked, count(begins_after + 1), count(ends_with)) : messages.noEntries}
      </p>
      {begins_after > 0 && <p className="text-quiet">{messages.deletedBefore(count(begins_after))}</p>}
      {keyed_from != null && keyed_from > begins_after + 1 && (
        <p className="text-quiet">{messages.unkeyedBefore(count(keyed_from))}</p>
      )}
      {first_altered != null && (
        <Button small onClick={() => onOpen(first_altered)}>
          {messages.openBroken}
        </Button>
      )}
    </div>
  );
}

function Head({ of: { ends_with, head_hash } }: { of: Verification }) {
  const head = `${ends_with}:${head_hash}`;
  return (
    <section aria-label={messages.head} className="space-y-1">
      <h3 className="text-xs font-semibold text-quiet">{messages.head}</h3>
      <p className="flex items-start gap-1 rounded bg-sunken px-2 py-1">
        <code className="min-w-0 flex-1 font-mono text-xs break-all">{head}</code>
        <Copy text={head} label={messages.copyHead} />
      </p>
      <p className="text-xs text-quiet">{messages.headHint}</p>
    </section>
  );
}

function KeptHead() {
  const run = useMutation({ mutationFn: verify, meta: { shown: true } });
  const state = run.data?.head;
  return (
    <form
      className="space-y-2 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        run.mutate(String(new FormData(event.currentTarget).get('head')).trim());
      }}
    >
      <div className="flex items-start gap-2">
        <Input
          label={messages.keptHead}
          name="head"
          required
          maxLength={84}
          hint={messages.keptHeadHint}
          boxClass="flex-1"
          className="font-mono text-xs"
        />
        <Button type="submit" busy={run.isPending} className="mt-5">
          {messages.compare}
        </Button>
      </div>
      {state && <Verdict isSound={state !== 'missing'}>{messages.heads[state] ?? state}</Verdict>}
      {run.error && <ErrorNote error={run.error} />}
    </form>
  );
}
