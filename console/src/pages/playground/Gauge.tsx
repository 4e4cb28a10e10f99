import { inSentence, words } from '@/lib/format';
import { messages } from '@/messages/playground';
import { Risk } from '@/ui/Pill';

const COLORS: Record<string, string> = {
  critical: 'var(--block)',
  high: 'var(--block)',
  medium: 'var(--challenge)',
  no_risk: 'var(--allow)',
};
const ARC = Math.PI * 40;

/** The safety score, 1 to 100, on a half circle. */
export function Gauge({ score, risk }: { score: number; risk: string }) {
  return (
    <div className="flex flex-col items-center">
      <svg
        role="img"
        aria-label={messages.decision.score(score, inSentence(words(risk)))}
        viewBox="0 0 100 56"
        className="w-32"
      >
        <path d="M10 50a40 40 0 0 1 80 0" fill="none" stroke="var(--sunken)" strokeWidth="9" strokeLinecap="round" />
        <path
          d="M10 50a40 40 0 0 1 80 0"
          fill="none"
          stroke={COLORS[risk] ?? 'var(--edge)'}
          strokeWidth="9"
          strokeLinecap="round"
          strokeDasharray={`${(score / 100) * ARC} ${ARC}`}
          className="transition-[stroke-dasharray] duration-300"
        />
        <text x="50" y="48" textAnchor="middle" fontSize="22" fontWeight="600" fill="var(--ink)">
          {score}
        </text>
      </svg>
      <Risk level={risk} />
    </div>
  );
}
