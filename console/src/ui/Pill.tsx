import { Ban, Check, CircleHelp, EyeOff, MessageCircleQuestion, Minus, ShieldAlert, UserCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { inSentence, words } from '@/lib/format';
import { classes } from './classes';

const TONES = {
  allow: 'bg-allow-soft text-allow',
  mask: 'bg-mask-soft text-mask',
  challenge: 'bg-challenge-soft text-challenge',
  escalate: 'bg-escalate-soft text-escalate',
  block: 'bg-block-soft text-block',
  plain: 'bg-sunken text-quiet',
  accent: 'bg-accent-soft text-accent',
};
export type Tone = keyof typeof TONES;

/** A label with a colored background. */
export function Pill({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1 rounded px-1.5 py-0.5 text-xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

/** The outcome of requests that were not evaluated, by the name of the API. */
export const NOT_EVALUATED = 'not_judged';

const DECISIONS: Record<string, [Tone, ReactNode]> = {
  allow: ['allow', <Check key="" size={12} />],
  mask: ['mask', <EyeOff key="" size={12} />],
  challenge: ['challenge', <MessageCircleQuestion key="" size={12} />],
  escalate: ['escalate', <UserCheck key="" size={12} />],
  block: ['block', <Ban key="" size={12} />],
  would_block: ['challenge', <ShieldAlert key="" size={12} />],
  [NOT_EVALUATED]: ['plain', <Minus key="" size={12} />],
};

/** The decision behind an outcome. */
const DECISION_OF: Record<string, string> = {
  allowed: 'allow',
  masked: 'mask',
  challenged: 'challenge',
  escalated: 'escalate',
  blocked: 'block',
};

/** A decision or outcome with its color and icon. */
export function Decision({ of }: { of: string }) {
  const [tone, symbol] = DECISIONS[DECISION_OF[of] ?? of] ?? ['plain', <CircleHelp key="" size={12} />];
  return (
    <Pill tone={tone}>
      <span aria-hidden>{symbol}</span>
      {inSentence(words(of))}
    </Pill>
  );
}

const RISKS: Record<string, Tone> = { critical: 'block', high: 'block', medium: 'challenge', no_risk: 'allow' };

/** A risk level with its color. */
export function Risk({ level }: { level: string }) {
  return <Pill tone={RISKS[level.toLowerCase()] ?? 'plain'}>{inSentence(words(level))}</Pill>;
}
