import { common } from '@/messages/common';

/** Returns evidence as it is shown: beginning with a capital, and with what the match was hidden in. */
export function shownEvidence(evidence: string): string {
  const [, found = evidence, encoding] = /^(.*\S) behind (.+)$/s.exec(evidence) ?? [];
  const text = encoding === undefined ? found : common.hiddenIn(found, encoding);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
