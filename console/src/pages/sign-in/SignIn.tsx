import { getRouteApi, Navigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { messages } from '@/messages/sign-in';
import { takeEnding, useIsSignedIn } from '@/session/session';
import type { Choice } from '@/session/signIn';
import { ChooseOrganization } from './ChooseOrganization';
import { Frame } from './Frame';
import { Password } from './Password';

const route = getRouteApi('/sign-in');

/** Asks for username and password, and for the organization if there are several. */
export function SignIn() {
  const { next } = route.useSearch();
  const isSignedIn = useIsSignedIn();
  const [choice, setChoice] = useState<Choice | null>(null);
  const [ending] = useState(takeEnding);
  useEffect(() => {
    document.title = messages.documentTitle;
  }, []);
  if (isSignedIn) return <Navigate to={inside(next)} replace />;
  return (
    <Frame title={choice ? messages.chooseOrganization : messages.title}>
      {ending && !choice && (
        <p role="status" className="mb-4 rounded-md bg-challenge-soft px-3 py-2 text-body text-challenge">
          {ending}
        </p>
      )}
      {choice ? (
        <ChooseOrganization choice={choice} onBack={() => setChoice(null)} />
      ) : (
        <Password onChoice={setChoice} />
      )}
    </Frame>
  );
}

/** Returns the address if it is within this console, and the dashboard otherwise. */
function inside(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/';
}
