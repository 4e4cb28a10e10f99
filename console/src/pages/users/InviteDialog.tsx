import { useMutation } from '@tanstack/react-query';
import { answer, api, type Schema } from '@/api/client';
import { fieldError } from '@/api/error';
import { queries } from '@/api/queries';
import { at } from '@/lib/base';
import { moment } from '@/lib/format';
import { common } from '@/messages/common';
import { messages } from '@/messages/invitations';
import { Button } from '@/ui/Button';
import { CopyBox } from '@/ui/CopyBox';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select } from '@/ui/Field';
import { useRoleNames } from './roleNames';

const LIFETIMES = [
  ['72', messages.lifetimes.days],
  ['24', messages.lifetimes.day],
  ['168', messages.lifetimes.week],
  ['720', messages.lifetimes.month],
] as const;

/** Invites a person and shows the link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const names = useRoleNames();
  const run = useMutation({
    meta: { shown: true },
    // Forget the link when the dialog closes.
    gcTime: 0,
    mutationFn: (form: FormData) => {
      const body = {
        role: String(form.get('role')),
        expires_in_hours: Number(form.get('hours')),
        note: String(form.get('note')),
      };
      return answer(api.POST('/api/invitations', { body }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  });
  if (run.data) return <InvitationLink created={run.data} onClose={onClose} />;
  const noteError = fieldError(run.error, 'note');
  return (
    <Dialog
      title={messages.newTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="invite" busy={run.isPending}>
            {messages.createLink}
          </Button>
        </>
      }
    >
      <form
        id="invite"
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          run.mutate(new FormData(event.currentTarget));
        }}
      >
        <Select label={common.role} name="role" defaultValue="viewer" options={names} />
        <Select label={messages.validFor} name="hours" options={LIFETIMES} />
        <Input
          label={common.optional(messages.note)}
          name="note"
          maxLength={200}
          hint={messages.noteHint}
          error={noteError}
        />
        {run.error && !noteError && <ErrorNote error={run.error} />}
      </form>
    </Dialog>
  );
}

function InvitationLink({ created, onClose }: { created: Schema<'CreatedInvitation'>; onClose: () => void }) {
  // The service knows its address only if it is configured.
  const link = new URL(created.link.startsWith('/') ? at(created.link) : created.link, location.origin).href;
  return (
    <Dialog
      title={messages.linkTitle}
      onClose={onClose}
      isFirm
      actions={
        <Button kind="primary" onClick={onClose}>
          {common.close}
        </Button>
      }
    >
      <div className="space-y-3 text-body">
        <p>{messages.linkNote(created.role, moment(created.expires_at))}</p>
        <CopyBox text={link} label={messages.copyLink} data-testid="invitation-link" />
      </div>
    </Dialog>
  );
}
