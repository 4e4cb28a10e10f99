import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { queries } from '@/api/queries';
import { common } from '@/messages/common';
import { messages } from '@/messages/invitations';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { Table } from '@/ui/Table';

// More than an organization can have.
const QUERY = { status: 'open', limit: 500 } as const;

/** Lists the open invitations and revokes them. */
export function Invitations() {
  const may = usePermission();
  const [revoked, setRevoked] = useState<Schema<'InvitationRecord'> | null>(null);
  const query = useQuery({
    queryKey: ['invitations'],
    queryFn: () => answer(api.GET('/api/invitations', { params: { query: QUERY } })),
  });
  return (
    <Card title={messages.open}>
      <Loaded query={query}>
        {({ invitations }) => (
          <Table
            name={messages.open}
            rows={invitations}
            id={({ invitation_id }) => invitation_id}
            empty={<Empty title={messages.noneOpen}>{messages.noneOpenBody}</Empty>}
            columns={[
              { head: common.role, value: ({ role }) => role },
              { head: messages.note, value: ({ note }) => note },
              { head: messages.createdBy, value: ({ created_by }) => created_by },
              { head: messages.expires, value: ({ expires_at }) => new Date(expires_at) },
              {
                head: common.actions,
                cell: (invitation) =>
                  may('USERS:CREATE_USER') && (
                    <Button small kind="danger" onClick={() => setRevoked(invitation)}>
                      {messages.revoke}
                      <span className="sr-only"> {invitation.note ?? invitation.role}</span>
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      {revoked && (
        <Confirm
          title={messages.revokeTitle}
          verb={messages.revoke}
          act={() =>
            answer(
              api.DELETE('/api/invitations/{invitation_id}', {
                params: { path: { invitation_id: revoked.invitation_id } },
              }),
            )
          }
          onClose={() => setRevoked(null)}
          onDone={() => {
            setRevoked(null);
            void queries.invalidateQueries({ queryKey: ['invitations'] });
          }}
        >
          <p>{messages.revokeBody}</p>
        </Confirm>
      )}
    </Card>
  );
}
