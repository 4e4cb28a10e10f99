import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '@/api/error';
import { fill } from '@/lib/fill';
import { moment } from '@/lib/format';
import { common } from '@/messages/common';
import { messages } from '@/messages/invitations';
import { Frame } from '@/pages/sign-in/Frame';
import { forgetInvitation, invitationToken } from '@/session/invitationToken';
import { invitationOf } from '@/session/signIn';
import { Loaded } from '@/ui/Loaded';
import { AcceptForm } from './AcceptForm';

/** Shows an invitation, whose token is the fragment of the address, and accepts it. */
export function Invitation() {
  const [token] = useState(invitationToken);
  const [isClosed, setClosed] = useState(token === '');
  useEffect(() => {
    document.title = common.documentTitle(messages.pageTitle);
    // The token must not stay in the address bar and the history.
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
    // Another link, opened in this tab, changes only the fragment.
    const reload = () => location.hash !== '' && location.reload();
    addEventListener('hashchange', reload);
    return () => removeEventListener('hashchange', reload);
  }, []);
  const query = useQuery({
    queryKey: ['invitation'],
    queryFn: () => invitationOf(token),
    enabled: !isClosed,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const isUnknown = query.error instanceof ApiError && query.error.status === 404;
  useEffect(() => {
    if (isClosed || isUnknown) forgetInvitation();
  }, [isClosed, isUnknown]);
  return (
    <Frame title={messages.pageTitle}>
      {isClosed || isUnknown ? (
        <Closed />
      ) : (
        <Loaded query={query} lines={4}>
          {({ organization, role, invited_by, expires_at }) => (
            <div className="space-y-4">
              <p className="text-body">
                {fill(messages.invites, {
                  inviter: <strong>{invited_by}</strong>,
                  organization: <strong>{organization}</strong>,
                  role: <strong>{role}</strong>,
                })}{' '}
                <span className="text-quiet">{messages.validUntil(moment(expires_at))}</span>
              </p>
              <AcceptForm token={token} onClosed={() => setClosed(true)} />
            </div>
          )}
        </Loaded>
      )}
    </Frame>
  );
}

function Closed() {
  return (
    <div className="space-y-3 text-body">
      <p role="alert">{messages.closed}</p>
      <Link to="/sign-in" className="text-accent underline">
        {messages.toSignIn}
      </Link>
    </div>
  );
}
