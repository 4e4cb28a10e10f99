import { getRouteApi, Navigate } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { LanguageMenu } from '@/layout/LanguageMenu';
import { ThemeMenu } from '@/layout/ThemeMenu';
import { messages } from '@/messages/sign-in';
import { takeEnding, useIsSignedIn } from '@/session/session';
import type { Choice } from '@/session/signIn';
import { ChooseOrganization } from './ChooseOrganization';
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
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="fixed top-3 right-3 flex gap-1">
        <LanguageMenu />
        <ThemeMenu />
      </div>
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-3">
          <span aria-hidden className="grid size-10 place-items-center rounded-lg bg-accent text-accent-ink">
            <ShieldCheck size={22} />
          </span>
          <div>
            <h1 className="text-lg font-semibold tracking-tight">
              {choice ? messages.chooseOrganization : messages.title}
            </h1>
            <p className="text-body text-quiet">{messages.tagline}</p>
          </div>
        </div>
        <div className="card p-5 shadow-sm">
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
        </div>
      </div>
    </main>
  );
}

/** Returns the address if it is within this console, and the dashboard otherwise. */
function inside(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/';
}
