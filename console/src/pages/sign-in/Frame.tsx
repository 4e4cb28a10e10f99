import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { LanguageMenu } from '@/layout/LanguageMenu';
import { ThemeMenu } from '@/layout/ThemeMenu';
import { messages } from '@/messages/sign-in';

/** A page for visitors who are not signed in: the product, a title and a card. */
export function Frame({ title, children }: { title: string; children: ReactNode }) {
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
            <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
            <p className="text-body text-quiet">{messages.tagline}</p>
          </div>
        </div>
        <div className="card p-5 shadow-sm">{children}</div>
      </div>
    </main>
  );
}
